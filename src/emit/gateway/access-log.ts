import { commented, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { typedConfig } from './envoy-names.ts'

/**
 * One line of JSON per request, in the format of the services' logs and with the same `requestId`. It contains no
 * headers and no query, because they may contain secrets.
 */
const REQUEST_LINE: YamlObject = {
  time: '%START_TIME(%Y-%m-%dT%H:%M:%S.%3fZ)%',
  level: 'info',
  message: 'request',
  service: 'gateway',
  requestId: '%REQ(X-REQUEST-ID)%',
  traceparent: '%REQ(TRACEPARENT)%',
  method: '%REQ(:METHOD)%',
  path: commented('Omits the query, which may contain secrets.', '%PATH(NQ:ORIG_OR_PATH)%'),
  status: '%RESPONSE_CODE%',
  durationMs: '%DURATION%',
  client: '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%',
  upstream: '%UPSTREAM_CLUSTER%',
  upstreamAddress: '%UPSTREAM_HOST%',
  attempts: '%UPSTREAM_REQUEST_ATTEMPT_COUNT%',
  bytesReceived: '%BYTES_RECEIVED%',
  bytesSent: '%BYTES_SENT%',
  flags: '%RESPONSE_FLAGS%',
  details: '%RESPONSE_CODE_DETAILS%',
}

/** Writes the access log to standard output. */
export function accessLog(): Yaml {
  return [
    {
      name: 'envoy.access_loggers.stdout',
      typed_config: typedConfig('extensions.access_loggers.stream.v3.StdoutAccessLog', {
        log_format: {
          json_format: REQUEST_LINE,
          omit_empty_values: true,
        },
      }),
    },
  ]
}

/** Writes Envoy's own messages as JSON. */
export function applicationLog(): YamlObject {
  return {
    log_format: {
      json_format: {
        time: '%Y-%m-%dT%T.%eZ',
        level: '%l',
        service: 'gateway',
        logger: '%n',
        message: '%j',
      },
    },
  }
}
