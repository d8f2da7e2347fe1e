import { commented, type YamlObject } from '../codegen/yaml.ts'
import { ADMIN_PORT, typedConfig } from './envoy-names.ts'

/** Port of Envoy's metrics, which only the platform's network reaches. */
export const STATS_PORT = 9902
export const STATS_PATH = '/stats/prometheus'
/** The job of the gateway in Prometheus. No service has this name. */
export const GATEWAY_JOB = 'gateway'
/** No directory of a service has an underscore. */
const ADMIN_CLUSTER = 'envoy_admin'

/** The listener for Prometheus, which passes on nothing but requests for metrics to the admin interface. */
export function statsListener(): YamlObject {
  return {
    name: commented('For Prometheus. The port is not published.', 'stats'),
    address: { socket_address: { address: '0.0.0.0', port_value: STATS_PORT } },
    ignore_global_conn_limit: true,
    filter_chains: [
      {
        filters: [
          {
            name: 'envoy.filters.network.http_connection_manager',
            typed_config: typedConfig(
              'extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
              {
                stat_prefix: 'stats',
                http_filters: [
                  {
                    name: 'envoy.filters.http.router',
                    typed_config: typedConfig('extensions.filters.http.router.v3.Router'),
                  },
                ],
                route_config: {
                  virtual_hosts: [
                    {
                      name: 'stats',
                      domains: ['*'],
                      routes: [
                        {
                          match: {
                            path: STATS_PATH,
                            headers: [{ name: ':method', string_match: { exact: 'GET' } }],
                          },
                          route: { cluster: ADMIN_CLUSTER },
                        },
                      ],
                    },
                  ],
                },
              },
            ),
          },
        ],
      },
    ],
  }
}

/** Envoy's admin interface as the target of the listener for metrics. */
export function adminCluster(): YamlObject {
  return {
    name: ADMIN_CLUSTER,
    load_assignment: {
      cluster_name: ADMIN_CLUSTER,
      endpoints: [
        {
          lb_endpoints: [
            { endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: ADMIN_PORT } } } },
          ],
        },
      ],
    },
  }
}
