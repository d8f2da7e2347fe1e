import { commented, type Yaml, type YamlObject } from '../kit/yaml.ts'
import { typed } from './type-url.ts'

/**
 * One line of JSON a request, in the form of the services' own logs, whose `requestId` is the same. The path
 * stands there without its query, in which users may put secrets, and no header does.
 */
const REQUEST_LINE: YamlObject = {
  time: '%START_TIME(%Y-%m-%dT%H:%M:%S.%3fZ)%',
  level: 'info',
  message: 'request',
  service: 'gateway',
  requestId: '%REQ(X-REQUEST-ID)%',
  method: '%REQ(:METHOD)%',
  path: commented('Without the query: clients may put secrets there.', '%PATH(NQ:ORIG_OR_PATH)%'),
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

/** The access log, on standard output. */
export function accessLog(): Yaml {
  return [
    {
      name: 'envoy.access_loggers.stdout',
      typed_config: typed('extensions.access_loggers.stream.v3.StdoutAccessLog', {
        log_format: {
          json_format: REQUEST_LINE,
          omit_empty_values: true,
        },
      }),
    },
  ]
}

/** Envoy's own messages as JSON too. */
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
