import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { errorFields, type Fields, type Log } from './log.ts'

/** What comes with each request; Hono's `c.env`. */
export interface Bindings {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** From the gateway, or new; goes into the log and to the services that are called. */
  readonly requestId: string
}

export interface ServerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Takes the requests, like Hono's `fetch`. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>
  readonly log: Log
  /** One line of the log for each request. */
  readonly logRequests: boolean
  /** While it stops, connections without a request stay open this long, in ms, for whoever opened them to close. */
  readonly idleGrace: number
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number
  /** Accepts no more connections and resolves when all requests are answered, or after the time in ms. */
  stop(timeout: number): Promise<void>
}

/** Longer than a gateway keeps its idle connections, so that it is the gateway who closes them. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 120_000
/**
 * For {@link ServerOptions.idleGrace}. The gateway closes its idle connections after one second and never repeats a
 * request: twice as long, so that none is sent on a connection that is just being closed. Other services, which
 * ask again, need only the time of a request that is on its way.
 */
export const IDLE_GRACE_MS = { gateway: 2000, services: 250 } as const
const IDLE_CHECK_MS = 50
/** As many connections as can wait (the backlog of Node). */
const MAX_ACCEPTING_TURNS = 511
const REQUEST_ID_HEADER = 'x-request-id'
const REQUEST_ID = /^[\w.-]{1,128}$/

/** Starts to listen. Throws where the address cannot be had. */
export async function listen({
  host,
  port,
  fetch,
  log,
  logRequests,
  idleGrace,
}: ServerOptions): Promise<RunningServer> {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      fetch(request, {
        incoming: incoming as IncomingMessage,
        outgoing: outgoing as ServerResponse,
        requestId: String(incoming.headers[REQUEST_ID_HEADER]),
      }),
    { errorHandler: (error) => refuse(error, log) },
  )
  const answering = new Set<ServerResponse>()
  let accepted = 0
  let stopping = false

  const server = createServer((incoming, outgoing) => {
    answering.add(outgoing)
    if (stopping) outgoing.shouldKeepAlive = false
    incoming.headers[REQUEST_ID_HEADER] = requestIdOf(incoming)
    const started = performance.now()
    outgoing.once('close', () => {
      answering.delete(outgoing)
      if (logRequests) log.info('request', requestFields(incoming, outgoing, performance.now() - started))
    })
    void listener(incoming, outgoing)
  })
  server.on('connection', () => (accepted += 1))
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address()

  /** The close resets connections that wait to be accepted, of which each turn of the event loop accepts one. */
  async function allAccepted(): Promise<void> {
    await nextTurn()
    for (let turn = 0; turn < MAX_ACCEPTING_TURNS; turn++) {
      const before = accepted
      await nextTurn()
      if (accepted === before) return
    }
  }

  async function stop(timeout: number): Promise<void> {
    await allAccepted()
    stopping = true
    for (const outgoing of answering) outgoing.shouldKeepAlive = false
    const started = performance.now()
    const check = setInterval(() => {
      const elapsed = performance.now() - started
      if (elapsed > timeout) server.closeAllConnections()
      else if (elapsed > idleGrace) server.closeIdleConnections()
    }, IDLE_CHECK_MS)
    // Not yet http.Server's own close, which cuts off idle connections on which a request may be on its way.
    await new Promise<void>((resolve) => {
      TcpServer.prototype.close.call(server, () => resolve())
    })
    clearInterval(check)
    // Now it only ends the server's timer, and says that it was closed already.
    server.close(() => {})
  }

  return { port: typeof address === 'object' && address !== null ? address.port : port, stop }
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

function requestFields(incoming: IncomingMessage, outgoing: ServerResponse, duration: number): Fields {
  return {
    requestId: incoming.headers[REQUEST_ID_HEADER],
    method: incoming.method,
    path: incoming.url?.split('?', 1)[0],
    status: outgoing.statusCode,
    durationMs: Math.round(duration * 1000) / 1000,
    ...(outgoing.writableFinished ? {} : { aborted: true }),
  }
}

/** For what never reaches the routes: a target or a Host header that no URL can be made of. */
function refuse(error: unknown, log: Log): Response {
  if (error instanceof RequestError) return Response.json({ error: 'Bad request' }, { status: 400 })
  log.error('A request failed outside the routes', errorFields(error))
  return Response.json({ error: 'Internal server error' }, { status: 500 })
}
