import type { GatewayRoute } from '../../model/routes.ts'
import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { corsPolicy, rateLimit } from './client-limits.ts'
import {
  CORS_FILTER,
  OPENAPI_RUNTIME_KEY,
  PATHS,
  RATE_LIMIT_FILTER,
  TOKEN_FILTER,
  TOKEN_REQUIREMENT,
  typedConfig,
} from './envoy-names.ts'

const OPENAPI_PATH = '/api/openapi.json'
/** Malformed escapes, and escaped control characters and backslashes. */
const REJECTED_ESCAPES =
  '.*%(?:(?:[01][0-9A-Fa-f]|5[Cc]|7[Ff]|[^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]).*|[0-9A-Fa-f]?)'
/** A header that can contain a token (RFC 6750, section 2.1). Two headers are joined and do not match. */
const BEARER_TOKEN = '(?:Bearer|bearer) +[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+'
/** Envoy keeps the document in memory. */
const MAX_OPENAPI_BYTES = 16 * 1024 * 1024

/** The virtual host with the routes of all services and the OpenAPI document. Other paths return 404. */
export function routeConfiguration(routes: readonly GatewayRoute[]): YamlObject {
  return {
    name: 'platform',
    max_direct_response_body_size_bytes: commented('For openapi.json.', MAX_OPENAPI_BYTES),
    response_headers_to_remove: commented(
      'Headers in which Envoy would reveal details about the services.',
      flow(['x-envoy-upstream-service-time', 'x-envoy-overloaded', 'x-envoy-attempt-count']),
    ),
    virtual_hosts: [
      {
        name: 'platform',
        domains: flow(['*']),
        retry_policy: retryPolicy(),
        typed_per_filter_config: { [CORS_FILTER]: corsPolicy() },
        routes: [...rejectedRequests(), ...openApi(), ...routes.flatMap(serviceRoutes)],
      },
    ],
  }
}

function retryPolicy(): Yaml {
  return commented(
    'Retries only requests that no service has received, because the connection failed before they were sent.\n' +
      'Writes are never repeated.',
    {
      retry_on: 'connect-failure,refused-stream,reset-before-request',
      num_retries: 4,
      retry_back_off: flow({ base_interval: '0.025s', max_interval: '0.25s' }),
      retry_host_predicate: [
        {
          name: 'envoy.retry_host_predicates.previous_hosts',
          typed_config: typedConfig('extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate'),
        },
      ],
      host_selection_retry_max_attempts: 5,
      per_try_idle_timeout: commented(
        'The edge guide recommends 15 s, but hooks may be slow. The duration of the whole response is not limited.',
        '60s',
      ),
    },
  )
}

function rejectedRequests(): Yaml[] {
  return [
    commented(
      'Rejects malformed escapes, and escaped control characters and backslashes, which services may read differently.',
      {
        match: { safe_regex: { regex: REJECTED_ESCAPES } },
        direct_response: { status: 400 },
      },
    ),
    commented('Rejects requests with two Host headers, which Envoy joins (RFC 9112, section 3.2).', {
      match: { prefix: '/', headers: [{ name: ':authority', string_match: { contains: ',' } }] },
      direct_response: { status: 400 },
    }),
  ]
}

function openApi(): Yaml[] {
  const served = {
    default_value: flow({ numerator: 100, denominator: 'HUNDRED' }),
    runtime_key: OPENAPI_RUNTIME_KEY,
  }
  return [
    commented('The OpenAPI document. Set `GATEWAY_OPENAPI=0` in the environment of Compose to disable it.', {
      match: {
        path: OPENAPI_PATH,
        headers: [{ name: ':method', string_match: { safe_regex: { regex: 'GET|HEAD' } } }],
        runtime_fraction: served,
      },
      direct_response: { status: 200, body: { filename: PATHS.openApi } },
      response_headers_to_add: [
        {
          header: flow({ key: 'content-type', value: 'application/json' }),
          append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
        },
      ],
    }),
    {
      match: { path: OPENAPI_PATH, runtime_fraction: served },
      direct_response: { status: 405 },
      response_headers_to_add: [{ header: flow({ key: 'allow', value: 'GET, HEAD' }) }],
    },
  ]
}

/** Routes for a service's path and everything below it. Only whole segments match: not `/api/home-owner`. */
function serviceRoutes(route: GatewayRoute): Yaml[] {
  const match = { path_separated_prefix: route.path }
  const target = {
    cluster: route.directory,
    prefix_rewrite: route.path.slice(route.strippedPrefix.length),
    timeout: '0s',
  }
  if (route.limited)
    return [{ match, route: target, typed_per_filter_config: { [RATE_LIMIT_FILTER]: rateLimit() } }]
  if (!route.protected) return [{ match, route: target }]
  const typed_per_filter_config = {
    [TOKEN_FILTER]: typedConfig('extensions.filters.http.jwt_authn.v3.PerRouteConfig', {
      requirement_name: TOKEN_REQUIREMENT,
    }),
  }
  // Without the header, the filter of tokens responds. It comes after that of CORS, which ignores direct responses.
  return [
    ...route.publicPaths.map((path) => ({
      match: { path_separated_prefix: path },
      route: { ...target, prefix_rewrite: path.slice(route.strippedPrefix.length) },
    })),
    ...route.publicRequests.map(({ methods, path }) => ({
      match: {
        safe_regex: { regex: path },
        headers: [{ name: ':method', string_match: { safe_regex: { regex: methods.join('|') } } }],
      },
      route: {
        cluster: route.directory,
        regex_rewrite: flow({ pattern: { regex: `^${route.strippedPrefix}` }, substitution: '' }),
        timeout: '0s',
      },
    })),
    ...[{ string_match: { safe_regex: { regex: BEARER_TOKEN } } }, { present_match: false }].map(
      (condition) => ({
        match: { ...match, headers: [{ name: 'authorization', ...condition }] },
        route: target,
        typed_per_filter_config,
      }),
    ),
    { match, direct_response: { status: 401 } },
  ]
}
