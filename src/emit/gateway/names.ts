/** Name of the filter that checks tokens, in the listener, in routes and in the file that it comes from. */
export const TOKEN_FILTER = 'envoy.filters.http.jwt_authn'

/** What protected routes require of the filter, by name: a token of either credential. */
export const TOKEN_REQUIREMENT = 'token'

/** Where the container has the gateway's own files. */
export const PATHS = {
  secrets: '/etc/envoy/secrets',
  tokens: '/etc/envoy/secrets/tokens.json',
  openApi: '/etc/envoy/openapi.json',
} as const

/** Port that the gateway listens on in its container. */
export const GATEWAY_PORT = 10_000

/** Port of Envoy's admin interface, on loopback of its container alone. */
export const ADMIN_PORT = 9901

/** In per cent, how often the OpenAPI document is served: a deployment sets it to 0 to turn that off. */
export const OPENAPI_RUNTIME_KEY = 'openapi'
