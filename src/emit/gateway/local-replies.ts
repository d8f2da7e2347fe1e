import { onOneLine, type YamlObject } from '../kit/yaml.ts'

/** What the gateway says where it answers itself; the texts are those of HTTP. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [413, 'Content Too Large'],
  [426, 'Upgrade Required'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

/**
 * Answers of the gateway's own: `{"message": "..."}` and nothing that Envoy would add of its own accord, such as
 * why a token was refused or at which URL.
 */
export function localReplies(): YamlObject {
  return { mappers: [...MESSAGES].map(([status, text]) => mapper(status, text)) }
}

function mapper(status: number, text: string): YamlObject {
  return {
    filter: onOneLine({
      status_code_filter: {
        comparison: { op: 'EQ', value: { default_value: status, runtime_key: `local_reply.${status}` } },
      },
    }),
    headers_to_add:
      status === 401
        ? [
            {
              header: onOneLine({ key: 'www-authenticate', value: 'Bearer' }),
              append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
            },
          ]
        : undefined,
    body_format_override: {
      text_format_source: onOneLine({ inline_string: `{"message": ${JSON.stringify(text)}}` }),
      content_type: 'application/json',
    },
  }
}
