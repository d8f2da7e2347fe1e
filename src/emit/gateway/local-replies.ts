import { GATEWAY_HEADERS, GATEWAY_TEXTS } from '../../model/error-texts.ts'
import { commented, flow, type YamlObject } from '../codegen/yaml.ts'

/**
 * The gateway's own responses: `{"message": "..."}`, without details that Envoy would add, such as why a token was
 * rejected.
 */
export function localReplyConfig(): YamlObject {
  return {
    mappers: [
      commented(
        'A body that is too large to be sent again, while no connection to the service can be made.',
        mapper(507, GATEWAY_TEXTS[503], 503),
      ),
      commented('A transfer coding other than `chunked`.', mapper(501, GATEWAY_TEXTS[400], 400)),
      ...Object.entries(GATEWAY_TEXTS).map(([status, text]) => mapper(Number(status), text)),
    ],
  }
}

function mapper(status: number, text: string, replacement?: number): YamlObject {
  const headers = Object.entries(GATEWAY_HEADERS[replacement ?? status] ?? {})
  return {
    status_code: replacement,
    filter: flow({
      status_code_filter: {
        comparison: { op: 'EQ', value: { default_value: status, runtime_key: `local_reply.${status}` } },
      },
    }),
    headers_to_add:
      headers.length === 0
        ? undefined
        : headers.map(([key, value]) => ({
            header: flow({ key, value }),
            append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
          })),
    body_format_override: {
      text_format_source: flow({ inline_string: `{"message": ${JSON.stringify(text)}}` }),
      content_type: 'application/json',
    },
  }
}
