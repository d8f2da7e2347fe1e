import { setTimeout as sleep } from 'node:timers/promises'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Context as HonoContext, Next } from 'hono'
import { DatabaseError, type Pool } from 'pg'
import type { BaseConfig } from './config.ts'
import type { Log } from './log.ts'
import { matchedRoute, observeStatements } from './observe.ts'
import type { TraceHeaders } from './traces.ts'

const STOP_TIMEOUT_MS = 2000

/** Sends spans to a collector. The exporter reads its address and other `OTEL_EXPORTER_OTLP_` variables. */
export function createSpans(service: string, config: BaseConfig, log: Log) {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  // User code also finds its span with `trace.getActiveSpan()`.
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const ofNoRequest = { requestId: undefined, traceId: undefined }
  const onError = (err: unknown) => log.warn({ err, ...ofNoRequest }, 'Could not send traces')
  setGlobalErrorHandler(onError)
  const tracer = trace.getTracer('portico')

  const start = (name: string, kind: SpanKind, attributes: Attributes, parent = context.active()) => {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, inside: trace.setSpan(parent, span) }
  }

  return {
    /** Handles a request in a span. */
    async traceRequest(c: HonoContext, next: Next): Promise<void> {
      const { method, path } = c.req
      const parent = propagation.extract(ROOT_CONTEXT, c.req.header())
      const attributes = { 'http.request.method': method, 'url.path': path }
      const { span, inside } = start(method, SpanKind.SERVER, attributes, parent)
      c.set('trace', headersOf(inside))
      await context.with(inside, next)
      span.setAttribute('http.response.status_code', c.res.status)
      if (c.res.status >= 500) fail(span, c.res.status)
      const route = matchedRoute(c)
      if (route !== undefined)
        span.updateName(`${method} ${route.path}`).setAttribute('http.route', route.path)
      span.end()
    },

    /** Runs a call to another service, which gets the headers, in a span. */
    async traceCall<R>(
      method: string,
      called: string,
      send: (headers?: TraceHeaders) => Promise<R>,
    ): Promise<R> {
      const attributes = { 'http.request.method': method, 'peer.service': called }
      const { span, inside } = start(`${method} ${called}`, SpanKind.CLIENT, attributes)
      try {
        return await context.with(inside, () => send(headersOf(inside)))
      } catch (error) {
        fail(span, Object(error).status ?? Object(error).name)
        throw error
      } finally {
        span.end()
      }
    },

    /** Creates a span for each statement of a pool. */
    traceStatements(pool: Pool): void {
      // Who waits for a connection gets it from the request that releases it. The span belongs to the one that waits.
      const connect = pool.connect.bind(pool)
      const connectInContext = (callback?: Parameters<typeof connect>[0]) =>
        callback === undefined ? connect() : connect(context.bind(context.active(), callback))
      Object.assign(pool, { connect: connectInContext })
      observeStatements(pool, (text) => {
        const [operation = ''] = /^\w+/.exec(text) ?? []
        const table = /\b(?:from|into|update) "(\w+)"/i.exec(text)?.[1]
        const { span } = start([operation, table].filter(Boolean).join(' '), SpanKind.CLIENT, {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          'db.query.text': text,
          ...(table !== undefined && { 'db.collection.name': table }),
        })
        return (error) => {
          if (error !== undefined) fail(span, error instanceof DatabaseError ? error.code : 'connection')
          span.end()
        }
      })
    },

    /** Sends the spans that have not been sent. */
    stop: () => Promise.race([provider.shutdown().catch(onError), sleep(STOP_TIMEOUT_MS)]),
  }
}

/** Only a code, because messages can contain values of clients. */
function fail(span: Span, type: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(type))
}

function headersOf(inside: Context): TraceHeaders {
  const headers = { traceparent: '' }
  propagation.inject(inside, headers)
  return headers
}
