import type { CustomEndpoint, Platform } from './platform.ts'

/** A route of the gateway to a service: the service's path and everything below it. */
export interface GatewayRoute {
  /** Prefix such as `/api/home`. It matches whole segments: `/api/home` and `/api/home/...`, not `/api/home-owner`. */
  readonly path: string
  /** The prefix that is removed from a path before the request is sent to the service. */
  readonly strippedPrefix: '/api'
  /** Directory of the service, which is also its host name. */
  readonly directory: string
  /** Port of the service's API inside its container. */
  readonly port: number
  /** Whether a valid token is required: with authentication, for every service except the authentication service. */
  readonly protected: boolean
  /** Paths of a protected route that require no token, with everything below them. */
  readonly publicPaths: readonly string[]
  /** Requests to a protected route that require no token. */
  readonly publicRequests: readonly PublicRequest[]
  /** Whether a client may send only so many requests: to the authentication service, which answers without a token. */
  readonly limited: boolean
}

/** Requests to a public endpoint. */
export interface PublicRequest {
  readonly methods: readonly string[]
  /** A regular expression for the whole path: `/api/home/[^/]+/quote`. */
  readonly path: string
}

/** The routes of the gateway: first the authentication service, then the others in the order of the definition. */
export function gatewayRoutes({ authentication, services }: Platform): GatewayRoute[] {
  const routes = services.map(({ path, directory, port, publicPaths, customEndpoints }) => ({
    ...route(path, directory, port, authentication !== undefined),
    publicPaths,
    publicRequests: customEndpoints.filter(({ isPublic }) => isPublic).map(requestsTo),
  }))
  if (authentication === undefined) return routes
  const { path, directory, port } = authentication
  return [{ ...route(path, directory, port, false), limited: true }, ...routes]
}

function requestsTo({ method, path }: CustomEndpoint): PublicRequest {
  return {
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    path: path.replaceAll(/\{[^}]+\}/g, '[^/]+'),
  }
}

function route(path: string, directory: string, port: number, isProtected: boolean): GatewayRoute {
  return {
    path,
    strippedPrefix: '/api',
    directory,
    port,
    protected: isProtected,
    publicPaths: [],
    publicRequests: [],
    limited: false,
  }
}

/**
 * Lower-case names and prefixes of request headers with which a client could impersonate a gateway or another user.
 * Gateways remove them, as well as headers with an underscore, which some servers treat as a hyphen. Besides the
 * headers of proxies, these are the ones in which identity providers and their proxies pass users.
 */
export const SPOOFABLE_HEADERS = {
  names: ['forwarded', 'via', 'proxy-authorization'],
  prefixes: [
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
    'x-clientip',
    'x-cluster-client-ip',
    'x-proxyuser-ip',
    'x-azure-clientip',
    'x-azure-socketip',
    'x-nf-client-connection-ip',
    'x-vercel-forwarded-for',
    'x-vercel-proxied-for',
    'client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'cf-pseudo-ipv4',
    'fastly-client-ip',
    'fly-client-ip',
    'do-connecting-ip',
    'cloudfront-viewer-address',
    'proxy-client-ip',
    'wl-proxy-',
    'x-client-cert',
    'x-client-dn',
    'x-client-verify',
    'x-original',
    'x-rewrite',
    'x-http-method',
    'x-method-override',
    'remote-',
    'x-remote-',
    'x-webauth',
    'x-id-token',
    'x-access-token',
    'x-identity',
    'x-email',
    'x-groups',
    'x-roles',
    'x-ssl-',
    'ssl-client',
    'client-cert',
    'x-vouch',
    'x-pomerium',
    'x-goog-authenticated',
    'x-goog-iap',
    'x-appengine',
    'x-amzn-oidc',
    'x-ms-client-principal',
    'x-ms-token',
    'cf-access',
    'tailscale-',
  ],
} as const
