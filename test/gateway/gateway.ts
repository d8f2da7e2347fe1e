import type { GatewayRoute } from '../../src/model/routes.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'
import { platformOf } from '../emit/platform.ts'
import type { Upstream } from './upstream.ts'

/** The platform of the attacks: `home` and `home-owner` begin alike, `down` never runs, `auth` takes anybody. */
export const ATTACKED = platformOf(`
Attacked: project { #authMethod(email); }
Home: service { name: string(80); }
HomeOwner: service { name: string(80); #auth; }
Down: service { name: string(80); }
`)

/** The services of {@link ATTACKED} that run. */
export const RUNNING = ['auth', 'home', 'home-owner'] as const

/** The routes that both gateways are made from. */
export const ROUTES: readonly GatewayRoute[] = gatewayRoutes(ATTACKED)

/** An HS256 credential of a gateway: the `iss` of its tokens, and 32 bytes in base64url. */
export interface Credential {
  readonly id: string
  readonly secret: string
}

/** A gateway under attack, whose services keep what reaches them. */
export interface TestGateway {
  /** On 127.0.0.1. */
  readonly port: number
  /** Of the two slots; at first the second one is not in use. */
  readonly credentials: readonly [Credential, Credential]
  readonly upstream: Upstream
  /** From soon after on, tokens of these secrets count and of no others, without a restart. */
  readonly rotate: (first: string, second: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a gateway in front of the services of {@link ATTACKED}. */
export type StartGateway = () => Promise<TestGateway>
