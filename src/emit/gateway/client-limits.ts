import { commented, flow, type YamlObject } from '../codegen/yaml.ts'
import { RATE_LIMIT_RUNTIME_KEY, typedConfig } from './envoy-names.ts'

/** Requests to the authentication service per second and client address. */
const REQUESTS_PER_SECOND = 10
/** As many seconds' worth of requests can come at once. */
const BURST_SECONDS = 10
/** Client addresses whose requests are counted, each in about 500 bytes. */
const MAX_CLIENTS = 20_000

/** CORS (Fetch standard, section 3.2). Without origins, the filter ignores every request. */
export function corsPolicy(): YamlObject {
  return typedConfig('extensions.filters.http.cors.v3.CorsPolicy', {
    allow_origin_string_match: commented('Set by `CORS_ORIGINS`.', flow([])),
    allow_methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    // The wildcard does not include `Authorization`.
    allow_headers: 'authorization, *',
    expose_headers: '*',
    max_age: '600',
  })
}

/** The limit on requests of a client: a token bucket for each address, or for each /64 network of IPv6. */
export function rateLimit(): YamlObject {
  return typedConfig('extensions.filters.http.local_ratelimit.v3.LocalRateLimit', {
    stat_prefix: 'rate_limit',
    filter_enabled: {
      default_value: flow({ numerator: 100, denominator: 'HUNDRED' }),
      runtime_key: RATE_LIMIT_RUNTIME_KEY,
    },
    filter_enforced: { default_value: flow({ numerator: 100, denominator: 'HUNDRED' }) },
    rate_limits: [
      { actions: [flow({ masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } })] },
    ],
    descriptors: [
      {
        entries: [flow({ key: 'masked_remote_address' })],
        token_bucket: {
          max_tokens: commented('Ten times `AUTH_RATE_LIMIT`.', REQUESTS_PER_SECOND * BURST_SECONDS),
          tokens_per_fill: commented('Set by `AUTH_RATE_LIMIT`.', REQUESTS_PER_SECOND),
          fill_interval: '1s',
        },
      },
    ],
    token_bucket: commented(
      'Required, but not used: each request has a client address.',
      flow({ max_tokens: 1_000_000, tokens_per_fill: 1_000_000, fill_interval: '1s' }),
    ),
    always_consume_default_token_bucket: false,
    max_dynamic_descriptors: MAX_CLIENTS,
    response_headers_to_add: [
      { header: flow({ key: 'retry-after', value: '1' }), append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' },
    ],
  })
}
