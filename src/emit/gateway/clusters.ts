import type { GatewayRoute } from '../../model/routes.ts'
import { commented, flow, type Yaml } from '../codegen/yaml.ts'
import { typedConfig } from './envoy-names.ts'

/**
 * The cluster of a service, whose replicas are found through DNS. Only the first cluster has comments.
 */
export function cluster({ directory, port }: GatewayRoute, index: number): Yaml {
  const say = (comment: string, value: Yaml) => (index === 0 ? commented(comment, value) : value)
  return {
    name: directory,
    cluster_type: {
      name: 'envoy.cluster.dns',
      typed_config: typedConfig('extensions.clusters.dns.v3.DnsCluster', {
        dns_lookup_family: 'V4_PREFERRED',
        dns_refresh_rate: say(
          'Replicas can change within a second, regardless of the TTL of their DNS records.',
          '1s',
        ),
        dns_failure_refresh_rate: flow({ base_interval: '0.2s', max_interval: '1s' }),
        dns_jitter: '0.1s',
      }),
    },
    connect_timeout: '1s',
    per_connection_buffer_limit_bytes: 32_768,
    lb_policy: say(
      'With LEAST_REQUEST, a replica that refuses connections would count as the least busy one and be chosen again.',
      'ROUND_ROBIN',
    ),
    common_lb_config: {
      healthy_panic_threshold: say(
        'If one of two replicas is ejected, both are still tried, because the other one may fail in the meantime.',
        flow({ value: 60 }),
      ),
    },
    load_assignment: {
      cluster_name: directory,
      endpoints: [
        {
          lb_endpoints: [
            flow({
              endpoint: { address: { socket_address: { address: directory, port_value: port } } },
            }),
          ],
        },
      ],
    },
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': typedConfig(
        'extensions.upstreams.http.v3.HttpProtocolOptions',
        {
          common_http_protocol_options: {
            idle_timeout: say(
              'A stopping service keeps idle connections open for 2 s. The gateway closes them earlier, so that no\n' +
                'request is sent on a connection that is being closed.',
              '1s',
            ),
          },
          explicit_http_config: { http_protocol_options: {} },
        },
      ),
    },
    circuit_breakers: {
      thresholds: [
        {
          max_connections: say(
            'The edge guide recommends 1,024. Bodies are streamed, so each slow client occupies a connection, and\n' +
              'thousands of slow clients must not block the others.',
            10_000,
          ),
          max_pending_requests: 10_000,
          max_requests: 10_000,
          max_retries: say(
            'Only failed connections are retried. This is cheap and happens often during a restart.',
            1024,
          ),
        },
      ],
    },
    outlier_detection: {
      split_external_local_origin_errors: say(
        'Unreachable replicas are ejected for a while, but never all of them. Responses, including 5xx, do not count,\n' +
          'because they may be caused by a hook or the database rather than the replica.',
        true,
      ),
      consecutive_local_origin_failure: 3,
      interval: '1s',
      base_ejection_time: '2s',
      max_ejection_time: '30s',
      max_ejection_percent: 50,
      enforcing_consecutive_5xx: 0,
      enforcing_consecutive_gateway_failure: 0,
      enforcing_success_rate: 0,
      enforcing_local_origin_success_rate: 0,
      enforcing_failure_percentage: 0,
      enforcing_failure_percentage_local_origin: 0,
    },
  }
}
