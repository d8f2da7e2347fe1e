import type { GatewayRoute } from '../../src/model/routes.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'
import { platformOf } from '../emit/platform.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** An endpoint of `home` that needs no token. */
export const PUBLIC_ENDPOINT = 'Quote: endpoint { #get("{id}/quote"); #public; #access(none); }'

/** The platform to attack: `home` and `home-owner` share a prefix, `down` never runs, `auth` needs no token. */
export const ATTACKED_DEFINITION = `
Attacked: project { #authMethod(email); }
Home: service { name: string(80); ${PUBLIC_ENDPOINT} }
HomeOwner: service { name: string(80); #auth; }
Down: service { name: string(80); }
`
export const ATTACKED = platformOf(ATTACKED_DEFINITION)

/** The services of {@link ATTACKED} that run. */
export const RUNNING = ['auth', 'home', 'home-owner'] as const

/** The routes of both gateways. */
export const ROUTES: readonly GatewayRoute[] = gatewayRoutes(ATTACKED)

/** An HS256 credential of a gateway: the `iss` of its tokens, and 32 bytes in base64url. */
export interface Credential {
  readonly id: string
  readonly secret: string
}

/** A gateway to attack. Its services record the requests that reach them. */
export interface TestGateway {
  /** On 127.0.0.1. */
  readonly port: number
  /** Credentials of the two slots. At first the second one is unused. */
  readonly credentials: readonly [Credential, Credential]
  readonly upstream: Upstream
  /** Replaces the accepted secrets, without a restart and with a short delay. */
  readonly rotate: (first: string, second: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts services of {@link ATTACKED}, by default on 127.0.0.1. */
export type StartServices = (
  credentials: readonly [Credential, Credential],
  address?: string,
) => Promise<Upstream>

/** Services that respond to any request. */
export const startRecorders: StartServices = (_, address) => startUpstream(RUNNING, address)

/** Starts a gateway in front of services. */
export type StartGateway = (startServices: StartServices) => Promise<TestGateway>
