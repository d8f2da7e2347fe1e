import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { typedConfig } from './envoy-names.ts'

/** Maximum number of client connections. Further ones are closed immediately. */
const MAX_CONNECTIONS = 20_000
const MAX_HEAP_BYTES = 400 * 1024 * 1024

/** Makes the gateway reject requests before it runs out of connections or memory. */
export function overloadManager(): YamlObject {
  return {
    refresh_interval: '0.25s',
    resource_monitors: [
      {
        name: 'envoy.resource_monitors.global_downstream_max_connections',
        typed_config: typedConfig(
          'extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig',
          {
            max_active_downstream_connections: commented(
              'The edge guide recommends 50,000, which would need more memory than the limit below.',
              MAX_CONNECTIONS,
            ),
          },
        ),
      },
      {
        name: 'envoy.resource_monitors.fixed_heap',
        typed_config: typedConfig('extensions.resource_monitors.fixed_heap.v3.FixedHeapConfig', {
          max_heap_size_bytes: commented('Less than the memory of the container (512 MiB).', MAX_HEAP_BYTES),
        }),
      },
    ],
    actions: [
      {
        name: 'envoy.overload_actions.reduce_timeouts',
        triggers: [scaled(0.7, 0.9)],
        typed_config: typedConfig('config.overload.v3.ScaleTimersOverloadActionConfig', {
          timer_scale_factors: [
            { timer: 'HTTP_DOWNSTREAM_CONNECTION_IDLE', min_timeout: '2s' },
            { timer: 'HTTP_DOWNSTREAM_STREAM_IDLE', min_timeout: '10s' },
          ],
        }),
      },
      { name: 'envoy.overload_actions.shrink_heap', triggers: [above(0.9)] },
      { name: 'envoy.overload_actions.disable_http_keepalive', triggers: [above(0.92)] },
      { name: 'envoy.overload_actions.stop_accepting_requests', triggers: [above(0.95)] },
      { name: 'envoy.overload_actions.stop_accepting_connections', triggers: [above(0.98)] },
    ],
  }
}

function above(share: number): Yaml {
  return flow({ name: 'envoy.resource_monitors.fixed_heap', threshold: { value: share } })
}

function scaled(from: number, to: number): YamlObject {
  return {
    name: 'envoy.resource_monitors.fixed_heap',
    scaled: { scaling_threshold: from, saturation_threshold: to },
  }
}
