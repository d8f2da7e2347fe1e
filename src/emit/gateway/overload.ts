import { commented, onOneLine, type Yaml, type YamlObject } from '../kit/yaml.ts'
import { typed } from './type-url.ts'

/** Connections of clients that are open at a time; more are closed at once. */
const MAX_CONNECTIONS = 20_000
const MAX_HEAP_BYTES = 400 * 1024 * 1024

/** What the gateway does before it runs out of connections or memory: it refuses work, and lives on. */
export function overloadManager(): YamlObject {
  return {
    refresh_interval: '0.25s',
    resource_monitors: [
      {
        name: 'envoy.resource_monitors.global_downstream_max_connections',
        typed_config: typed(
          'extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig',
          {
            max_active_downstream_connections: commented(
              'Less than the 50,000 of the edge page: what these take of memory has to fit below.',
              MAX_CONNECTIONS,
            ),
          },
        ),
      },
      {
        name: 'envoy.resource_monitors.fixed_heap',
        typed_config: typed('extensions.resource_monitors.fixed_heap.v3.FixedHeapConfig', {
          max_heap_size_bytes: commented('Within the memory of the container (512 MiB).', MAX_HEAP_BYTES),
        }),
      },
    ],
    actions: [
      {
        name: 'envoy.overload_actions.reduce_timeouts',
        triggers: [scaled(0.7, 0.9)],
        typed_config: typed('config.overload.v3.ScaleTimersOverloadActionConfig', {
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
  return onOneLine({ name: 'envoy.resource_monitors.fixed_heap', threshold: { value: share } })
}

function scaled(from: number, to: number): YamlObject {
  return {
    name: 'envoy.resource_monitors.fixed_heap',
    scaled: { scaling_threshold: from, saturation_threshold: to },
  }
}
