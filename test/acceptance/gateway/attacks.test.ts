import { attacks } from '../../gateway/attacks.ts'
import { startAttackedEnvoy } from '../../gateway/envoy-process.ts'

attacks(startAttackedEnvoy)
