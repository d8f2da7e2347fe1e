import { TOKEN_FILTER, TOKEN_REQUIREMENT } from './envoy-names.ts'

/** The `iss` of a deployment's two credentials. One signs, and both are valid during a rotation. */
export const CREDENTIAL_SLOTS = ['auth-service-1', 'auth-service-2'] as const

const EXTENSIONS = 'type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig'
const JWT_AUTHENTICATION = 'type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication'

/**
 * The gateway's file with secrets (`tokens.json`): Envoy's token filter with the secrets of the two slots, each 32
 * random bytes in base64url without padding. Envoy reads it at start and whenever it is replaced by a rename
 * (extension discovery from a path), whereas it would read a JWKS file only once. The result is one line of JSON
 * without `'`, `$` and `%`, and with backslashes only before `"`.
 */
export function tokenFilter(first: string, second: string): string {
  const [one, two] = CREDENTIAL_SLOTS
  const filter = {
    '@type': JWT_AUTHENTICATION,
    providers: { [one]: provider(one, first), [two]: provider(two, second) },
    requirement_map: {
      [TOKEN_REQUIREMENT]: {
        requires_any: { requirements: CREDENTIAL_SLOTS.map((slot) => ({ provider_name: slot })) },
      },
    },
  }
  return JSON.stringify({ resources: [{ '@type': EXTENSIONS, name: TOKEN_FILTER, typed_config: filter }] })
}

function provider(issuer: string, secret: string): object {
  return {
    issuer,
    local_jwks: {
      inline_string: JSON.stringify({ keys: [{ kty: 'oct', alg: 'HS256', k: secret }] }),
    },
    // Envoy's prefix is case-sensitive. Naming a header also disables tokens in the query.
    from_headers: ['Bearer ', 'bearer '].map((prefix) => ({ name: 'Authorization', value_prefix: prefix })),
    // Services verify the token themselves.
    forward: true,
    require_expiration: true,
    clock_skew_seconds: 1,
  }
}
