import type { Platform } from '../../model/platform.ts'
import { gatewayRoutes } from '../../model/routes.ts'
import type { GeneratedFile } from '../contract.ts'
import { commented, onOneLine, yamlFile } from '../kit/yaml.ts'
import { applicationLog } from './access-log.ts'
import { cluster } from './clusters.ts'
import { listener } from './listener.ts'
import { ADMIN_PORT } from './names.ts'
import { overloadManager } from './overload.ts'

/** `gateway/envoy.yaml`: Envoy's whole configuration but for its secrets. Nothing is filled in at deployment. */
export function emitGateway(platform: Platform): GeneratedFile[] {
  const routes = gatewayRoutes(platform)
  const content = yamlFile(
    [
      `The gateway of ${platform.names.declared}: /api/<service> goes to that service, nothing else is served.`,
      'Values follow "Configuring Envoy as an edge proxy" of its documentation; what deviates says why.',
    ].join('\n'),
    {
      node: onOneLine({ id: 'gateway', cluster: platform.names.kebab }),
      admin: commented('For the container itself: it is reachable from nowhere else.', {
        address: { socket_address: { address: '127.0.0.1', port_value: ADMIN_PORT } },
        ignore_global_conn_limit: true,
      }),
      application_log_config: applicationLog(),
      overload_manager: overloadManager(),
      static_resources: {
        listeners: [listener(routes)],
        clusters: routes.map(cluster),
      },
    },
  )
  return [{ path: 'gateway/envoy.yaml', content, owner: 'generated' }]
}
