import inspector from 'node:inspector'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Pool } from 'undici'
import { MAX_MEMORY_MB, watchMemory } from './memory-watch.ts'
import { type LogLine, parseOutputLine } from './service-log.ts'
import type { SupervisorMessage, ServiceWorkerData, WorkerMessage } from './worker/messages.ts'

/** A service running in a thread of its own. */
export interface ServiceInstance {
  /** Port of its internal listener on 127.0.0.1. */
  readonly internalPort: number
  /** Its API. */
  readonly api: Pool
  /** Resolves when the thread has ended: with the reason, or `undefined` after `stop`. */
  readonly ended: Promise<string | undefined>
  /** Lets requests under way finish, for at most this long, and ends the thread. */
  stop(milliseconds: number): Promise<void>
}

/** Why a service did not start, with the position in the user's files if known. */
export interface StartFailure {
  readonly failure: string
}

/** How to run an instance. */
export interface InstanceOptions extends ServiceWorkerData {
  /** Its environment variables. */
  readonly environment: Readonly<Record<string, string>>
  readonly onLine: (line: LogLine) => void
  /** The service stopped responding (true), or responds again (false). */
  readonly onStall: (stalled: boolean) => void
}

/** How long a start may take, `setup` included, in ms. */
const START_MS = 60_000
const HEARTBEAT_MS = 1000
/** Missed heartbeats before a service is reported as not responding, and before its thread is terminated. */
const STALLED_AFTER = 4
const TERMINATED_AFTER = 15
/**
 * Limits of a thread's heap. `watchMemory` terminates a thread long before it reaches them: Node ends the whole
 * process if an array does not fit into a full heap.
 */
const RESOURCES = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 4 }
const TOO_MUCH_MEMORY = `it used more than ${MAX_MEMORY_MB} MB of memory, possibly because of a memory leak`

/**
 * Starts a service in a new thread. Resolves when it is ready, or with the reason why it failed. The signal cancels
 * the start.
 */
export async function startInstance(
  options: InstanceOptions,
  signal: AbortSignal,
): Promise<ServiceInstance | StartFailure> {
  if (signal.aborted) return { failure: 'it was stopped' }
  const { output, service, compileCache, corsOrigins } = options
  const directory = path.join(output, service)
  const url = `${pathToFileURL(directory).href}/`
  const worker = new Worker(new URL('./worker/service-worker.ts', import.meta.url), {
    workerData: { output, service, compileCache, corsOrigins } satisfies ServiceWorkerData,
    name: service,
    // Threads that the service starts inherit these options, so they find its dependencies too.
    execArgv: ['--import', new URL('./worker/dependencies.ts', import.meta.url).href],
    env: options.environment,
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: RESOURCES,
  })
  let reason: string | undefined
  let isStopping = false

  function read(text: string, fallback: 'info' | 'error'): void {
    const message = parseOutputLine(text, fallback, url)
    if (message.kind === 'line') options.onLine(message.line)
    else if (message.kind === 'fatal') reason = withPosition(message.message, message.stack, directory)
  }

  const unwatch = watchMemory(worker, () => {
    reason = TOO_MUCH_MEMORY
    void worker.terminate()
  })
  const ended = endOf(worker, [
    readLines(worker.stdout, (text) => read(text, 'info')),
    readLines(worker.stderr, (text) => read(text, 'error')),
  ]).then((code) => {
    unwatch()
    return isStopping ? undefined : (reason ?? `it exited with code ${code}`)
  })
  worker.on('error', (error) => (reason = describe(error, directory)))
  async function terminate(): Promise<void> {
    isStopping = true
    await worker.terminate()
  }

  const settled = new AbortController()
  const either = AbortSignal.any([signal, settled.signal])
  const outcome = await Promise.race([
    firstMessage(worker),
    ended.then((failure = 'it was stopped') => ({ failure })),
    delay(START_MS, { failure: `it was not ready after ${START_MS / 1000} s` }, { signal: either }).catch(
      () => ({ failure: 'it was stopped' }),
    ),
  ])
  settled.abort()
  if ('failure' in outcome) {
    await terminate()
    return outcome
  }
  if (outcome.kind === 'failed') {
    await terminate()
    return { failure: withPosition(outcome.message, outcome.stack, directory) }
  }

  const api = new Pool(`http://127.0.0.1:${outcome.port}`, { connections: null, pipelining: 1 })
  const heartbeat = watchHeartbeat(worker, options.onStall, () => {
    reason = `it did not respond for ${TERMINATED_AFTER} s, possibly because of an infinite loop`
    void worker.terminate()
  })
  void ended.then(() => {
    clearInterval(heartbeat)
    api.destroy().catch(() => {})
  })
  return {
    internalPort: outcome.internalPort,
    api,
    ended,
    stop: async (milliseconds) => {
      isStopping = true
      clearInterval(heartbeat)
      const closed = api.close().catch(() => {})
      const timeout = new AbortController()
      await Promise.race([
        closed.then(() => worker.postMessage({ kind: 'stop' } satisfies SupervisorMessage)).then(() => ended),
        ended,
        delay(milliseconds, undefined, { signal: timeout.signal }).catch(() => {}),
      ])
      timeout.abort()
      await terminate()
    },
  }
}

/** Resolves when the service is ready or could not be loaded. */
function firstMessage(worker: Worker): Promise<Exclude<WorkerMessage, { kind: 'pong' }>> {
  return new Promise((resolve) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind !== 'pong') resolve(message)
    })
  })
}

/** Resolves with the exit code once the thread has ended and its output has been read. */
async function endOf(worker: Worker, outputs: readonly Promise<void>[]): Promise<number> {
  const code = await new Promise<number>((resolve) => worker.once('exit', resolve))
  await Promise.all(outputs)
  return code
}

function watchHeartbeat(
  worker: Worker,
  onStall: (stalled: boolean) => void,
  onTimeout: () => void,
): NodeJS.Timeout {
  let missed = 0
  worker.on('message', ({ kind }: WorkerMessage) => {
    if (kind !== 'pong') return
    if (missed > STALLED_AFTER) onStall(false)
    missed = 0
  })
  return setInterval(() => {
    // A debugger may have paused the thread at a breakpoint.
    if (inspector.url() !== undefined) return
    missed++
    if (missed === STALLED_AFTER + 1) onStall(true)
    if (missed === TERMINATED_AFTER + 1) onTimeout()
    worker.postMessage({ kind: 'ping' } satisfies SupervisorMessage)
  }, HEARTBEAT_MS).unref()
}

/** Reads each line. Resolves at the end of the stream. */
function readLines(stream: Readable, onLine: (text: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
  return new Promise((resolve) => {
    lines.once('close', resolve)
  })
}

function describe(error: unknown, directory: string): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return TOO_MUCH_MEMORY
  return withPosition(`${error.name}: ${error.message}`, error.stack ?? '', directory)
}

/** Adds the position of the error in the service's own files: `(src/setup.ts:12:5)`. */
function withPosition(message: string, stack: string, directory: string): string {
  const at = stack.indexOf(`${directory}/`)
  const position = at === -1 ? undefined : /^[^\s)]+:\d+/.exec(stack.slice(at + directory.length + 1))?.[0]
  return position === undefined ? message : `${message} (${position})`
}
