import { describe } from 'vitest'
import { attacks } from '../../gateway/attacks.ts'
import { startDevGateway } from '../../gateway/dev-gateway.ts'
import { startAttackedEnvoy } from '../../gateway/envoy-process.ts'
import { startGoUpstream } from '../../gateway/go-upstream.ts'

// Services in Go read what gateways pass on as the gateways meant it.

describe('behind the gateway of dev', () => attacks(startDevGateway, 1000, startGoUpstream))
describe('behind Envoy', () => attacks(startAttackedEnvoy, 1000, startGoUpstream))
