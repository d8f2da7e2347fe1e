import { commented, flow, type YamlObject } from '../kit/yaml.ts'

/** The messages of the gateway's own responses: the reason phrases of HTTP. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [413, 'Content Too Large'],
  [426, 'Upgrade Required'],
  [417, 'Expectation Failed'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

/**
 * The gateway's own responses: `{"message": "..."}`, without details that Envoy would add, such as why a token was
 * rejected.
 */
export function localReplyConfig(): YamlObject {
  return {
    mappers: [
      commented(
        'A body that is too large to be sent again, while no connection to the service can be made.',
        mapper(507, 'Service Unavailable', 503),
      ),
      ...Array.from(MESSAGES, ([status, text]) => mapper(status, text)),
    ],
  }
}

function mapper(status: number, text: string, replacement?: number): YamlObject {
  return {
    status_code: replacement,
    filter: flow({
      status_code_filter: {
        comparison: { op: 'EQ', value: { default_value: status, runtime_key: `local_reply.${status}` } },
      },
    }),
    headers_to_add:
      status === 401
        ? [
            {
              header: flow({ key: 'www-authenticate', value: 'Bearer' }),
              append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
            },
          ]
        : undefined,
    body_format_override: {
      text_format_source: flow({ inline_string: `{"message": ${JSON.stringify(text)}}` }),
      content_type: 'application/json',
    },
  }
}
