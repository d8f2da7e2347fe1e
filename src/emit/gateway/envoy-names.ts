import type { YamlObject } from '../codegen/yaml.ts'

/** Name of the filter that verifies tokens, in the listener, in routes and in the filter's own file. */
export const TOKEN_FILTER = 'envoy.filters.http.jwt_authn'

/** Name of the filter that answers preflight requests. */
export const CORS_FILTER = 'envoy.filters.http.cors'

/** Name of the filter that limits how often a client may call a route. */
export const RATE_LIMIT_FILTER = 'envoy.filters.http.local_ratelimit'

/** Name of the filter's requirement for protected routes: a token of either credential. */
export const TOKEN_REQUIREMENT = 'token'

/** Paths of the gateway's files in its container. */
export const PATHS = {
  secrets: '/etc/envoy/secrets',
  tokens: '/etc/envoy/secrets/tokens.json',
  openApi: '/etc/envoy/openapi.json',
} as const

/** Port of the gateway in its container. */
export const GATEWAY_PORT = 10_000

/** Port of Envoy's admin interface, which listens only on loopback. */
export const ADMIN_PORT = 9901

/** Runtime key for the percentage of requests that get the OpenAPI document. A deployment disables it with 0. */
export const OPENAPI_RUNTIME_KEY = 'openapi'

/** Runtime key for the percentage of requests to the authentication service that are limited. `AUTH_RATE_LIMIT=0` makes it 0. */
export const RATE_LIMIT_RUNTIME_KEY = 'auth_rate_limit'

/**
 * The settings of an Envoy extension with the type of their message, named without `envoy.`:
 * `extensions.filters.http.router.v3.Router`.
 */
export function typedConfig(message: string, settings: YamlObject = {}): YamlObject {
  return { '@type': `type.googleapis.com/envoy.${message}`, ...settings }
}
