import type { Platform } from './platform.ts'

/** What the gateway sends to one service: its path and everything below it. */
export interface GatewayRoute {
  /** `/api/home`. It matches whole segments: `/api/home` and `/api/home/...`, never `/api/home-owner`. */
  readonly path: string
  /** What is cut off the front of a path before it goes to the service. */
  readonly stripped: '/api'
  /** Directory of the service, which is its host name too. */
  readonly directory: string
  /** Port of the service's API inside its container. */
  readonly port: number
  /** A valid token is required: with authentication, for every service but the one that hands them out. */
  readonly protected: boolean
}

/** The routes of the gateway, the authentication service first, then in the order of the definition. */
export function gatewayRoutes({ authentication, services }: Platform): GatewayRoute[] {
  const routes = services.map(({ path, directory, port }) =>
    route(path, directory, port, authentication !== undefined),
  )
  if (authentication === undefined) return routes
  return [route(authentication.path, authentication.directory, authentication.port, false), ...routes]
}

function route(path: string, directory: string, port: number, isProtected: boolean): GatewayRoute {
  return { path, stripped: '/api', directory, port, protected: isProtected }
}

/**
 * Names and beginnings of the header fields by which a client could pose as a gateway: as one that has checked a
 * token, or that knows who calls. No gateway passes them on, nor any name with an underscore, which some take for
 * a hyphen. In lower case.
 */
export const GATEWAY_FIELDS = {
  names: ['forwarded', 'via'],
  beginnings: [
    'x-forwarded',
    'x-envoy',
    'x-user',
    'x-jwt',
    'x-consumer',
    'x-credential',
    'x-auth',
    'x-anonymous',
    'x-real-ip',
    'x-client-ip',
    'x-original',
    'x-rewrite',
    'x-http-method',
  ],
} as const
