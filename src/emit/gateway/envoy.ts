import type { Platform } from '../../model/platform.ts'
import { gatewayRoutes } from '../../model/routes.ts'
import type { GeneratedFile } from '../contract.ts'
import { commented, flow, yamlFile } from '../codegen/yaml.ts'
import { applicationLog } from './access-log.ts'
import { cluster } from './clusters.ts'
import { listener } from './listener.ts'
import { ADMIN_PORT } from './envoy-names.ts'
import { adminCluster, statsListener } from './stats.ts'
import { overloadManager } from './overload.ts'

/** `gateway/envoy.yaml`: Envoy's complete configuration, except for its secrets. */
export function emitGateway(platform: Platform): GeneratedFile[] {
  const routes = gatewayRoutes(platform)
  const isMeasured = platform.metrics !== undefined
  const content = yamlFile(
    [
      `The gateway of ${platform.names.declared}: /api/<service> is routed to that service; all other paths return 404.`,
      'The settings follow "Configuring Envoy as an edge proxy" (the edge guide). Comments explain deviations.',
    ].join('\n'),
    {
      node: flow({ id: 'gateway', cluster: platform.names.kebab }),
      admin: commented('Only reachable from inside the container.', {
        address: { socket_address: { address: '127.0.0.1', port_value: ADMIN_PORT } },
        ignore_global_conn_limit: true,
      }),
      application_log_config: applicationLog(),
      overload_manager: overloadManager(),
      static_resources: {
        listeners: [listener(routes), ...(isMeasured ? [statsListener()] : [])],
        clusters: [...routes.map(cluster), ...(isMeasured ? [adminCluster()] : [])],
      },
    },
  )
  return [{ path: 'gateway/envoy.yaml', content, owner: 'generated' }]
}
