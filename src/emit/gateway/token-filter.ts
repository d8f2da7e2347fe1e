import { TOKEN_FILTER, TOKEN_REQUIREMENT } from './names.ts'

/** The `iss` of the two credentials that a deployment has: one signs, and both count while they are rotated. */
export const CREDENTIAL_SLOTS = ['auth-service-1', 'auth-service-2'] as const

const EXTENSIONS = 'type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig'
const JWT_AUTHENTICATION = 'type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication'

/**
 * The gateway's file with secrets (`tokens.json`): Envoy's whole token filter, for the secrets of the two slots,
 * each 32 random bytes in base64url without padding. Envoy reads it at start and whenever a new file is renamed
 * onto it (extension discovery from a path); a JWKS file it would read once. One line of JSON, without `'`, `$`
 * and `%`, its only backslashes those before `"`.
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
    // Envoy compares the scheme by case. Naming a header also turns its search in the query off.
    from_headers: ['Bearer ', 'bearer '].map((prefix) => ({ name: 'Authorization', value_prefix: prefix })),
    // Services check the token themselves.
    forward: true,
    require_expiration: true,
    clock_skew_seconds: 1,
  }
}
