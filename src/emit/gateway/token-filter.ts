import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { TOKEN_FILTER, TOKEN_REQUIREMENT } from './envoy-names.ts'

/** The `iss` of a deployment's two credentials. One signs, and both are valid during a rotation. */
export const CREDENTIAL_SLOTS = ['auth-service-1', 'auth-service-2'] as const

const EXTENSIONS = 'type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig'
const JWT_AUTHENTICATION = 'type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication'

/**
 * The gateway's file with secrets (`tokens.json`): Envoy's token filter with the secrets of the two slots, each 32
 * random bytes in base64url without padding. Envoy reads it at start and whenever it is replaced by a rename
 * (extension discovery from a path), whereas it would read a JWKS file only once.
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

/** `gateway/token-filter.json`: the text of `tokens.json` before `deploy.sh` inserts the secrets. None without users. */
export function emitTokenFilter({ authentication }: Platform): GeneratedFile[] {
  if (authentication === undefined) return []
  const filter: unknown = JSON.parse(tokenFilter('SECRET_OF_AUTH_SERVICE_1', 'SECRET_OF_AUTH_SERVICE_2'))
  return [
    {
      path: 'gateway/token-filter.json',
      content: `${JSON.stringify(filter, undefined, 2)}\n`,
      owner: 'generated',
    },
  ]
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
