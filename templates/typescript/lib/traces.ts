import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { BaseConfig } from './config.ts'
import { type Log, ofRequest } from './log.ts'
import type { createSpans } from './opentelemetry.ts'

/** Headers that name the trace of a request to other services: https://www.w3.org/TR/trace-context */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

type Spans = ReturnType<typeof createSpans>
let spans: Spans | undefined

/** Begins to send spans if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise, no package of OpenTelemetry is loaded. */
export async function startSpans(service: string, config: BaseConfig, log: Log): Promise<Spans | undefined> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined
  const opentelemetry = await import('./opentelemetry.ts')
  spans = opentelemetry.createSpans(service, config, log)
  return spans
}

/** Continues the trace that a request names, or begins one. */
export const traceRequest: MiddlewareHandler = async (c, next) => {
  if (spans !== undefined) return spans.traceRequest(c, next)
  const traceparent = c.req.header('traceparent')
  const tracestate = c.req.header('tracestate')
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) {
    // UUIDs are cheaper than other random numbers, because Node makes many of them at a time.
    const id = randomUUID().replaceAll('-', '')
    c.set('trace', { traceparent: `00-${id}-${id.slice(16)}-01` })
  } else c.set('trace', { traceparent, ...(tracestate !== undefined && { tracestate }) })
  await next()
}

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Runs a call to another service with the headers of the trace. */
export const traceCall: Spans['traceCall'] = (method, service, send) =>
  spans === undefined ? send(ofRequest('trace')) : spans.traceCall(method, service, send)
