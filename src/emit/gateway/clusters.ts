import type { GatewayRoute } from '../../model/routes.ts'
import { commented, onOneLine, type Yaml } from '../kit/yaml.ts'
import { typed } from './type-url.ts'

/**
 * A service's replicas, as the name server lists them. The first cluster carries the comments that hold for all.
 */
export function cluster({ directory, port }: GatewayRoute, index: number): Yaml {
  const say = (comment: string, value: Yaml) => (index === 0 ? commented(comment, value) : value)
  return {
    name: directory,
    cluster_type: {
      name: 'envoy.cluster.dns',
      typed_config: typed('extensions.clusters.dns.v3.DnsCluster', {
        dns_lookup_family: 'V4_PREFERRED',
        dns_refresh_rate: say('Replicas come and go within a second, whatever the TTL of their names.', '1s'),
        dns_failure_refresh_rate: onOneLine({ base_interval: '0.2s', max_interval: '1s' }),
        dns_jitter: '0.1s',
      }),
    },
    connect_timeout: '1s',
    per_connection_buffer_limit_bytes: 32_768,
    lb_policy: say(
      'In turn: the least busy replica would be the one that refuses connections, on every retry too.',
      'ROUND_ROBIN',
    ),
    common_lb_config: {
      healthy_panic_threshold: say(
        'Of two replicas, one that is left out is still tried: it may be back, and the other one away.',
        onOneLine({ value: 60 }),
      ),
    },
    load_assignment: {
      cluster_name: directory,
      endpoints: [
        {
          lb_endpoints: [
            onOneLine({
              endpoint: { address: { socket_address: { address: directory, port_value: port } } },
            }),
          ],
        },
      ],
    },
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': typed(
        'extensions.upstreams.http.v3.HttpProtocolOptions',
        {
          common_http_protocol_options: {
            idle_timeout: say(
              'Shorter than a stopping service leaves idle connections open (2 s), so that it is always the\n' +
                'gateway that closes them and no request meets a connection that is being closed.',
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
            'More than the 1,024 of the edge page: bodies go through as they come, so that a slow client holds\n' +
              'a connection here too, and thousands of them must not shut out the others.',
            10_000,
          ),
          max_pending_requests: 10_000,
          max_requests: 10_000,
          max_retries: say(
            'A retry is a connection that could not be made: cheap, and many at a restart.',
            1024,
          ),
        },
      ],
    },
    outlier_detection: {
      split_external_local_origin_errors: say(
        'Replicas that cannot be reached are left out for a while, never all of them. What a service answers,\n' +
          '5xx included, says nothing about the replica: a hook may throw for one input, or the database be away.',
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
