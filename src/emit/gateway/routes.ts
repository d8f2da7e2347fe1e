import type { GatewayRoute } from '../../model/routes.ts'
import { commented, onOneLine, type Yaml, type YamlObject } from '../kit/yaml.ts'
import { OPENAPI_RUNTIME_KEY, PATHS, TOKEN_FILTER, TOKEN_REQUIREMENT } from './names.ts'
import { typed } from './type-url.ts'

const OPENAPI_PATH = '/api/openapi.json'
/** Of a request's line and fields, control characters and `\` never reach a service, escaped or not. */
const REFUSED_ESCAPES = '.*%(?:[01][0-9A-Fa-f]|5[Cc]|7[Ff]).*'
/** RFC 6750, 2.1, with three parts: what could hold a token. Fields that occur twice are joined and do not match. */
const BEARER_TOKEN = '(?:Bearer|bearer) +[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+'
/** Envoy reads the document into memory once. */
const MAX_OPENAPI_BYTES = 16 * 1024 * 1024

/** The one virtual host: the services' paths, the OpenAPI document, and 404 for everything else. */
export function routeConfiguration(routes: readonly GatewayRoute[]): YamlObject {
  return {
    name: 'platform',
    max_direct_response_body_size_bytes: commented('For openapi.json.', MAX_OPENAPI_BYTES),
    response_headers_to_remove: commented(
      'What Envoy would tell clients of the services behind it.',
      onOneLine(['x-envoy-upstream-service-time', 'x-envoy-overloaded', 'x-envoy-attempt-count']),
    ),
    virtual_hosts: [
      {
        name: 'platform',
        domains: onOneLine(['*']),
        retry_policy: retryPolicy(),
        routes: [...refused(), ...openApi(), ...routes.flatMap(serviceRoutes)],
      },
    ],
  }
}

function retryPolicy(): Yaml {
  return commented(
    'Only what no service has seen: connections that could not be made, or broke before the request was sent.\n' +
      'No write is ever repeated.',
    {
      retry_on: 'connect-failure,refused-stream,reset-before-request',
      num_retries: 4,
      retry_back_off: onOneLine({ base_interval: '0.025s', max_interval: '0.25s' }),
      retry_host_predicate: [
        {
          name: 'envoy.retry_host_predicates.previous_hosts',
          typed_config: typed('extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate'),
        },
      ],
      host_selection_retry_max_attempts: 5,
      per_try_idle_timeout: commented(
        'More than the 15 s of the edge page, as hooks may take their time. A whole answer may take any time.',
        '60s',
      ),
    },
  )
}

function refused(): Yaml[] {
  return [
    commented('Escaped control characters and backslashes mean one thing here and another one behind.', {
      match: { safe_regex: { regex: REFUSED_ESCAPES } },
      direct_response: { status: 400 },
    }),
    commented('Two Host headers, which Envoy joins (RFC 9112, 3.2).', {
      match: { prefix: '/', headers: [{ name: ':authority', string_match: { contains: ',' } }] },
      direct_response: { status: 400 },
    }),
  ]
}

function openApi(): Yaml[] {
  const served = {
    default_value: onOneLine({ numerator: 100, denominator: 'HUNDRED' }),
    runtime_key: OPENAPI_RUNTIME_KEY,
  }
  return [
    commented('The description of the API. `GATEWAY_OPENAPI=0` in the environment of compose turns it off.', {
      match: {
        path: OPENAPI_PATH,
        headers: [{ name: ':method', string_match: { safe_regex: { regex: 'GET|HEAD' } } }],
        runtime_fraction: served,
      },
      direct_response: { status: 200, body: { filename: PATHS.openApi } },
      response_headers_to_add: [
        {
          header: onOneLine({ key: 'content-type', value: 'application/json' }),
          append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
        },
      ],
    }),
    {
      match: { path: OPENAPI_PATH, runtime_fraction: served },
      direct_response: { status: 405 },
      response_headers_to_add: [{ header: onOneLine({ key: 'allow', value: 'GET, HEAD' }) }],
    },
  ]
}

/** Whole segments: `/api/home` and what is below it, never `/api/home-owner`. */
function serviceRoutes(route: GatewayRoute): Yaml[] {
  const target = {
    cluster: route.directory,
    prefix_rewrite: route.path.slice(route.stripped.length),
    timeout: '0s',
  }
  if (!route.protected) return [{ match: { path_separated_prefix: route.path }, route: target }]
  return [
    {
      match: {
        path_separated_prefix: route.path,
        headers: [{ name: 'authorization', string_match: { safe_regex: { regex: BEARER_TOKEN } } }],
      },
      route: target,
      typed_per_filter_config: {
        [TOKEN_FILTER]: typed('extensions.filters.http.jwt_authn.v3.PerRouteConfig', {
          requirement_name: TOKEN_REQUIREMENT,
        }),
      },
    },
    { match: { path_separated_prefix: route.path }, direct_response: { status: 401 } },
  ]
}
