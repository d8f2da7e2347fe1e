import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { type Handler, Hono } from 'hono'
import { mount } from 'hono/mount'
import type { Pool } from 'pg'
import type { z } from 'zod'
import { type BaseConfig, poolerAdvice, readConfig } from './config.ts'
import { connect } from './database.ts'
import { notServing } from './errors.ts'
import { createLog, type Log } from './log.ts'
import { createProbe } from './migration-state.ts'
import { startSpans } from './traces.ts'

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** Registers what runs when the service stops. */
export type OnStop = (callback: () => unknown) => void

/** The APIs of a service. The internal port serves both, the first one under `/api`. */
export interface Apis {
  readonly api: { readonly fetch: Fetch }
  readonly internal?: { readonly fetch: Fetch }
  /** Stops what runs besides requests, while these finish. */
  readonly stop?: () => Promise<void>
}

type Schema = { readonly SCHEMA_HASH: string } & Record<string, unknown>

interface Service<Config extends BaseConfig, S extends Schema> {
  /** Its name in the log. */
  readonly service: string
  readonly Config: z.ZodType<Config>
  readonly schema: S
  /** What serves `/metrics`, on a port of its own. */
  readonly metrics?: { readonly serve: (pool: Pool, probe: ReturnType<typeof createProbe>) => Handler }
  /** Called when the database is ready. */
  readonly start: (parts: {
    config: Config
    log: Log
    database: ReturnType<typeof connect<S>>
    onStop: OnStop
  }) => Promise<Apis>
}

/** Wider than the gateway's, which closes idle connections first, responds better, and adds a copy of the path. */
const LIMITS = { keepAliveTimeout: 75_000, requestTimeout: 310_000, maxHeaderSize: 32 * 1024 }
const POLL_MS = 100

/** Runs a service until SIGTERM or SIGINT. */
export async function run<Config extends BaseConfig, S extends Schema>(
  service: Service<Config, S>,
): Promise<void> {
  const log = createLog(service.service)
  const exit = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message)
    process.exit(1)
  }
  // Node, Hono and its server would print errors, whose messages may contain data of clients.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'Unhandled promise rejection'))
  process.on('uncaughtException', exit('Uncaught exception'))
  const { error: print } = console
  const onError = (error: unknown, ...values: unknown[]) =>
    error instanceof Error ? log.error({ err: error }, 'Error printed') : print(error, ...values)
  Object.assign(console, { error: onError })
  await serve(service, log).catch(exit('Could not start'))
  // Ends what custom code left running.
  setImmediate(() => process.exit())
}

async function serve<Config extends BaseConfig, S extends Schema>(
  { service, Config, schema, metrics, start }: Service<Config, S>,
  log: Log,
): Promise<void> {
  const config = readConfig(Config, process.env)
  log.level = config.LOG_LEVEL
  const spans = await startSpans(service, config, log)
  const database = connect(config, schema, log)
  spans?.traceStatements(database.pool)
  const probe = createProbe(config, schema.SCHEMA_HASH)
  const callbacks: (() => unknown)[] = []
  let state: 'starting' | 'serving' | 'stopping' = 'starting'
  const stop = Promise.withResolvers<void>()
  // A service that is still starting has nothing to finish.
  const onSignal = () => (state === 'starting' ? process.exit() : stop.resolve())
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  const health = new Hono<{ Bindings: HttpBindings }>()
    .get('/health/live', (c) => c.json({ status: 'live' }))
    .get('/health/ready', async (c) => {
      const isReady = state === 'serving' && (await probe.findProblem()) === undefined
      return c.json({ status: isReady ? 'ready' : 'not ready' }, isReady ? 200 : 503)
    })
  let internal: Apis['api'] = new Hono().route('/', health).all('*', () => notServing().getResponse())
  const internalServer = await listen((...args) => internal.fetch(...args), config.INTERNAL_PORT, config, log)
  const measured = metrics && new Hono().get('/metrics', metrics.serve(database.pool, probe))
  const metricsServer = measured && (await listen(measured.fetch, config.METRICS_PORT, config, log))
  const reported = new Set<string>()
  for (let problem = await probe.findProblem(); problem !== undefined; problem = await probe.findProblem()) {
    // Another reason may remain when the first has gone: a pooler, for example, may refuse what a connection needs.
    const reason = problem instanceof Error ? problem.message : ''
    if (!reported.has(reason))
      log.info({ err: problem }, `Waiting for the database and its migrations${poolerAdvice(problem)}`)
    reported.add(reason)
    await sleep(POLL_MS)
  }
  const apis = await start({ config, log, database, onStop: (callback) => callbacks.push(callback) })
  const apiServer = await listen(apis.api.fetch, config.PORT, config, log)
  const api = mount(apis.api.fetch, (c) => c.env)
  internal = new Hono<{ Bindings: HttpBindings }>()
    .route('/', health)
    .all('/api/*', api)
    .all('*', (c) => apis.internal?.fetch(c.req.raw, c.env) ?? c.json({ error: 'Not found' }, 404))
  state = 'serving'
  const ports = { port: apiServer.port, internalPort: internalServer.port, metricsPort: metricsServer?.port }
  log.info(ports, 'ready')
  log.flush()
  // Under load, V8 would decide that objects of requests live long, and collect the rows of lists late: 15 % of the CPU.
  // It compiles modules of Node again that are loaded with other flags, so this comes last. Threads share the flags.
  if (isMainThread) setFlagsFromString('--no-allocation-site-pretenuring')
  await stop.promise

  // Others keep calling until they have noticed.
  state = 'stopping'
  log.info('stopping')
  await Promise.all([apiServer.stop(), internalServer.stop(), metricsServer?.stop(), apis.stop?.()])
  for (const callback of callbacks) {
    await Promise.try(callback).catch((error: unknown) => {
      log.error({ err: error }, 'A function registered with onStop failed')
    })
  }
  await Promise.all([database.close(), probe.close()])
  await spans?.stop()
  log.info('stopped')
}

/** Starts to listen. `stop` resolves when all requests have finished. */
export async function listen(fetch: Fetch, port: number, config: BaseConfig, log: Log) {
  const { HOST, DRAIN_MS, SHUTDOWN_TIMEOUT_MS, MAX_UNSENT_BYTES } = config
  const server = createServer(LIMITS)
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  limitUnsent(server, MAX_UNSENT_BYTES, log)
  // Handles requests that never reach a route, because their target or Host header is not a valid URL.
  const errorHandler = (error: unknown) => {
    if (error instanceof RequestError) return Response.json({ error: 'Bad request' }, { status: 400 })
    log.error({ err: error }, 'Request failed before routing')
    return Response.json({ error: 'Internal server error' }, { status: 500 })
  }
  const listener = getRequestListener(fetch, { errorHandler })
  server.on('request', (request, response) => {
    if (!server.listening) response.shouldKeepAlive = false
    void listener(request, response)
  })
  server.listen(port, HOST)
  await once(server, 'listening')

  /** Serves until clients have noticed, then finishes open requests. */
  async function stop(): Promise<void> {
    await sleep(DRAIN_MS)
    // Waiting connections are accepted one per turn of the event loop. Closing would reset them.
    for (let before = -1; before !== accepted; await nextTurn()) before = accepted
    const closed = once(server, 'close')
    // The method of HTTP servers would reset connections on which a request is about to arrive.
    TcpServer.prototype.close.call(server)
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS).unref()
    // The gateway closes its idle connections first.
    await Promise.race([closed, sleep(DRAIN_MS)])
    const check = setInterval(() => server.closeIdleConnections(), POLL_MS)
    await closed
    clearInterval(check)
  }
  return { port: (server.address() as AddressInfo).port, stop }
}

/** Closes the connections on which responses have been waiting longest for their clients, when all take too much memory. */
function limitUnsent(server: Server, maxBytes: number, log: Log): void {
  /** Those with unsent bytes first, in the order in which they began to wait. */
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  setInterval(() => {
    let unsent = 0
    for (const socket of Array.from(open)) {
      unsent += socket.writableLength
      if (socket.writableLength === 0 && open.delete(socket)) open.add(socket)
    }
    for (const socket of open) {
      if (unsent <= maxBytes) return
      log.warn({ bytes: socket.writableLength }, 'Closed the connection of a slow client')
      unsent -= socket.writableLength
      socket.destroy()
    }
  }, POLL_MS).unref()
}
