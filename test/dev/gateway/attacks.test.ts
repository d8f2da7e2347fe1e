import { attacks } from '../../gateway/attacks.ts'
import { startDevGateway } from '../../gateway/dev-gateway.ts'

attacks(startDevGateway, 1000)
