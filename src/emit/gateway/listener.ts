import { GATEWAY_FIELDS, type GatewayRoute } from '../../model/routes.ts'
import { commented, onOneLine, type Yaml, type YamlObject } from '../kit/yaml.ts'
import { accessLog } from './access-log.ts'
import { localReplies } from './local-replies.ts'
import { GATEWAY_PORT, PATHS, TOKEN_FILTER } from './names.ts'
import { routeConfiguration } from './routes.ts'
import { typed } from './type-url.ts'

/** Where clients connect: limits first, then routes, then the check of tokens. */
export function listener(routes: readonly GatewayRoute[]): YamlObject {
  return {
    name: 'gateway',
    address: { socket_address: { address: '0.0.0.0', port_value: GATEWAY_PORT } },
    per_connection_buffer_limit_bytes: commented(
      'A watermark, not a limit of bodies: those are the services to refuse, with 413.',
      32_768,
    ),
    filter_chains: [
      {
        filters: [
          {
            name: 'envoy.filters.network.http_connection_manager',
            typed_config: typed(
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
      'HTTP/1.1 alone, as services and `portico dev` speak it: clients without TLS do not ask for HTTP/2.',
      'HTTP1',
    ),
    server_header_transformation: 'PASS_THROUGH',
    ...headerRules(),
    ...pathRules(),
    ...limits(),
    access_log: accessLog(),
    local_reply_config: localReplies(),
    http_filters: [
      ...(routes.some((route) => route.protected) ? [tokenFilterReference()] : []),
      {
        name: 'envoy.filters.http.router',
        typed_config: typed('extensions.filters.http.router.v3.Router'),
      },
    ],
    route_config: routeConfiguration(routes),
  }
}

function headerRules(): YamlObject {
  return {
    use_remote_address: commented(
      'x-forwarded-for and x-forwarded-proto are set anew, and so is x-request-id.',
      true,
    ),
    early_header_mutation_extensions: commented(
      'What a client says of itself in fields of gateways is removed before anything looks at it.',
      [
        {
          name: 'envoy.http.early_header_mutation.header_mutation',
          typed_config: typed('extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation', {
            mutations: removedFields(),
          }),
        },
      ],
    ),
    common_http_protocol_options: {
      idle_timeout: commented(
        'Less than the hour of the edge page: idle connections are cheap to make anew.',
        '60s',
      ),
      headers_with_underscores_action: commented(
        'Removed like x-user-id is, which x_user_id would be to some; the edge page refuses the request.',
        'DROP_HEADER',
      ),
      max_headers_count: 100,
    },
  }
}

function removedFields(): Yaml[] {
  const { names, beginnings } = GATEWAY_FIELDS
  return [
    ...names.map((name) => onOneLine({ remove: name })),
    ...beginnings.map((prefix) => onOneLine({ remove_on_match: { key_matcher: { prefix } } })),
  ]
}

function pathRules(): YamlObject {
  return {
    normalize_path: true,
    merge_slashes: true,
    path_with_escaped_slashes_action: commented(
      'The edge page unescapes and redirects; a path of this API never has one.',
      'REJECT_REQUEST',
    ),
  }
}

function limits(): YamlObject {
  return {
    max_request_headers_kb: commented('What services read (16 KiB), with room for what is added here.', 15),
    request_headers_timeout: '10s',
    request_timeout: '300s',
    stream_idle_timeout: '300s',
  }
}

function tokenFilterReference(): Yaml {
  return commented(
    'From a file beside the secrets in it, read again when another one is renamed onto it: deploy.sh makes it.\n' +
      'Without it the gateway does not start.',
    {
      name: TOKEN_FILTER,
      config_discovery: {
        config_source: {
          path_config_source: { path: PATHS.tokens, watched_directory: onOneLine({ path: PATHS.secrets }) },
        },
        type_urls: ['type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication'],
      },
    },
  )
}
