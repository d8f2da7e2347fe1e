import { SPOOFABLE_HEADERS, type GatewayRoute } from '../../model/routes.ts'
import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { accessLog } from './access-log.ts'
import { localReplyConfig } from './local-replies.ts'
import { CORS_FILTER, GATEWAY_PORT, PATHS, RATE_LIMIT_FILTER, TOKEN_FILTER } from './envoy-names.ts'
import { routeConfiguration } from './routes.ts'
import { typedConfig } from './envoy-names.ts'

/** The listener for clients, with limits, routes and the verification of tokens. */
export function listener(routes: readonly GatewayRoute[]): YamlObject {
  return {
    name: 'gateway',
    address: { socket_address: { address: '0.0.0.0', port_value: GATEWAY_PORT } },
    per_connection_buffer_limit_bytes: commented(
      'A watermark for buffers. It does not limit bodies: services reject large ones with 413.',
      32_768,
    ),
    filter_chains: [
      {
        filters: [
          {
            name: 'envoy.filters.network.http_connection_manager',
            typed_config: typedConfig(
              'extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
              connectionManager(routes),
            ),
          },
        ],
      },
    ],
  }
}

function connectionManager(routes: readonly GatewayRoute[]): YamlObject {
  return {
    stat_prefix: 'gateway',
    codec_type: commented(
      'Only HTTP/1.1, like the services and `portico dev`. Clients do not negotiate HTTP/2 without TLS.',
      'HTTP1',
    ),
    server_header_transformation: 'PASS_THROUGH',
    ...headerRules(),
    ...pathRules(),
    ...limits(),
    access_log: accessLog(),
    local_reply_config: localReplyConfig(),
    http_filters: [
      { name: CORS_FILTER, typed_config: typedConfig('extensions.filters.http.cors.v3.Cors') },
      ...(routes.some(({ limited }) => limited) ? [rateLimitFilter()] : []),
      ...(routes.some((route) => route.protected) ? [tokenFilterReference()] : []),
      {
        name: 'envoy.filters.http.router',
        typed_config: typedConfig('extensions.filters.http.router.v3.Router'),
      },
    ],
    route_config: routeConfiguration(routes),
  }
}

function headerRules(): YamlObject {
  return {
    use_remote_address: commented(
      'Replaces x-forwarded-for, x-forwarded-proto and x-request-id from clients.',
      true,
    ),
    xff_num_trusted_hops: commented(
      'The number of trusted proxies in front of this gateway. Set by `TRUSTED_PROXIES`.',
      0,
    ),
    always_set_request_id_in_response: true,
    early_header_mutation_extensions: commented(
      'Removes headers with which clients could impersonate a gateway.',
      [
        {
          name: 'envoy.http.early_header_mutation.header_mutation',
          typed_config: typedConfig(
            'extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation',
            {
              mutations: removedFields(),
            },
          ),
        },
      ],
    ),
    common_http_protocol_options: {
      idle_timeout: commented(
        'The edge guide recommends one hour, but idle connections are cheap to reopen.',
        '60s',
      ),
      headers_with_underscores_action: commented(
        'Some servers treat x_user_id like x-user-id, so such headers are removed. The edge guide rejects the request.',
        'DROP_HEADER',
      ),
      max_headers_count: 100,
    },
  }
}

/** `x-forwarded-for` has an item of its own, because it is kept if proxies in front of the gateway are trusted. */
function removedFields(): Yaml[] {
  const { names, prefixes } = SPOOFABLE_HEADERS
  return [
    commented('Kept with `TRUSTED_PROXIES`.', flow({ remove: FORWARDED_FOR })),
    ...names.map((name) => flow({ remove: name })),
    ...prefixes.map((prefix) => flow({ remove_on_match: { key_matcher: keyMatcher(prefix) } })),
  ]
}

const FORWARDED_FOR = 'x-forwarded-for'

/** Matches names that begin with a prefix, except `x-forwarded-for`. RE2 has no lookahead. */
function keyMatcher(prefix: string): YamlObject {
  if (!FORWARDED_FOR.startsWith(prefix)) return { prefix }
  const rest = FORWARDED_FOR.slice(prefix.length)
  const others = Array.from(rest, (character, index) => `${rest.slice(0, index)}(?:[^${character}].*)?`)
  return { safe_regex: { regex: `${prefix}(?:${others.join('|')}|${rest}.+)` } }
}

function pathRules(): YamlObject {
  return {
    normalize_path: true,
    merge_slashes: true,
    path_with_escaped_slashes_action: commented(
      'The edge guide unescapes and redirects, but no path of this API contains escaped slashes.',
      'REJECT_REQUEST',
    ),
  }
}

function limits(): YamlObject {
  return {
    max_request_headers_kb: commented(
      'Services accept 32 KiB. This leaves room for headers that the gateway adds, of which one is a copy of the path.',
      15,
    ),
    request_headers_timeout: '10s',
    request_timeout: '300s',
    stream_idle_timeout: '300s',
  }
}

function rateLimitFilter(): Yaml {
  return commented('Only has an effect on routes with a limit.', {
    name: RATE_LIMIT_FILTER,
    typed_config: typedConfig('extensions.filters.http.local_ratelimit.v3.LocalRateLimit', {
      stat_prefix: 'rate_limit',
    }),
  })
}

function tokenFilterReference(): Yaml {
  return commented(
    'Read from a file that deploy.sh creates, and read again whenever the file is replaced by a rename.\n' +
      'The gateway does not start without it.',
    {
      name: TOKEN_FILTER,
      config_discovery: {
        config_source: {
          path_config_source: { path: PATHS.tokens, watched_directory: flow({ path: PATHS.secrets }) },
        },
        type_urls: ['type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication'],
      },
    },
  )
}
