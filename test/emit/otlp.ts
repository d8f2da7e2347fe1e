import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Attributes by their name, and what else the tests look at. */
export interface Span {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'attributes'> & { readonly attributes: readonly Attribute[] })[]
    }[]
  }[]
}

/** An OpenTelemetry collector, as far as services use it: OTLP over HTTP, in JSON or as a protocol buffer. */
export async function startReceiver() {
  const spans: Span[] = []
  const headers: IncomingHttpHeaders[] = []
  const receive = async (request: IncomingMessage) => {
    headers.push(request.headers)
    const body = await buffer(request)
    const isJson = request.headers['content-type'] === 'application/json'
    spans.push(...(isJson ? spansInJson(JSON.parse(body.toString()) as Received) : spansInMessage(body)))
  }
  const receiver = createServer((request, response) => {
    void receive(request).then(() => {
      const isJson = request.headers['content-type'] === 'application/json'
      response.setHeader('Content-Type', request.headers['content-type'] ?? '').end(isJson ? '{}' : '')
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, headers, close: () => receiver.close() }
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

function spansInJson({ resourceSpans }: Received): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name'])
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) }))
  })
}

/** The numbers are those of the fields in `opentelemetry/proto/trace/v1/trace.proto`. */
function spansInMessage(message: Buffer): Span[] {
  return messages(message, 1).flatMap((resourceSpans) => {
    const service = String(attributesIn(messages(resourceSpans, 1)[0], 1)['service.name'])
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span): Span => {
        const [traceId = '', spanId = '', parentSpanId = ''] = [1, 2, 4].map((number) =>
          messages(span, number)[0]?.toString('hex'),
        )
        const code = fields(messages(span, 15)[0]).find(({ number }) => number === 3)?.value
        return {
          service,
          name: String(messages(span, 5)[0]),
          traceId,
          spanId,
          parentSpanId,
          kind: Number(fields(span).find(({ number }) => number === 6)?.value),
          status: code === undefined ? {} : { code: Number(code) },
          attributes: attributesIn(span, 9),
        }
      })
  })
}

function attributesIn(message: Buffer | undefined, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, number).map((attribute) => {
      const [key, value] = [1, 2].map((each) => messages(attribute, each)[0])
      const [content] = fields(value)
      return [String(key), Buffer.isBuffer(content?.value) ? String(content.value) : content?.value]
    }),
  )
}

const messages = (message: Buffer | undefined, number: number): Buffer[] =>
  fields(message).flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  )

/** The fields of a message: https://protobuf.dev/programming-guides/encoding */
function fields(
  message: Buffer = Buffer.alloc(0),
): { readonly number: number; readonly value: number | Buffer }[] {
  const found: { number: number; value: number | Buffer }[] = []
  let at = 0
  const varint = (): number => {
    let [value, scale, byte] = [0, 1, 0x80]
    for (; byte >= 0x80; scale *= 128) {
      byte = message[at++] ?? 0
      value += (byte % 128) * scale
    }
    return value
  }
  while (at < message.length) {
    const tag = varint()
    const [number, type] = [tag >> 3, tag % 8]
    if (type === 0) found.push({ number, value: varint() })
    else {
      const size = type === 2 ? varint() : type === 1 ? 8 : 4
      found.push({ number, value: message.subarray(at, at + size) })
      at += size
    }
  }
  return found
}
