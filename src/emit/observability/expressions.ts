const GATEWAY_REQUESTS = 'envoy_http_downstream_rq_xx{envoy_http_conn_manager_prefix="gateway"}'

/** Expressions about the gateway that alerts and dashboards share. */
export const GATEWAY = {
  errorRatio: `sum(rate(envoy_http_downstream_rq_xx{envoy_http_conn_manager_prefix="gateway",envoy_response_code_class="5"}[5m]) or vector(0)) / sum(rate(${GATEWAY_REQUESTS}[5m]))`,
  requests: `sum by (envoy_response_code_class) (rate(${GATEWAY_REQUESTS}[5m]))`,
  latency: (quantile: number) =>
    `histogram_quantile(${quantile}, sum by (le) (rate(envoy_http_downstream_rq_time_bucket{envoy_http_conn_manager_prefix="gateway"}[5m]))) / 1000`,
  connections: 'sum(envoy_http_downstream_cx_active{envoy_http_conn_manager_prefix="gateway"})',
} as const
