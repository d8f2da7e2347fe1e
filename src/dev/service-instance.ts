import inspector from 'node:inspector'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Pool } from 'undici'
import { MOST_MEMORY_MB, watchMemory } from './memory-watch.ts'
import { readServiceLine, type ServiceLine } from './service-log.ts'
import type { HostMessage, ServiceWorkerData, WorkerMessage } from './worker/messages.ts'

/** A service that runs in a thread of its own. */
export interface ServiceInstance {
  /** Port of its second listener on 127.0.0.1. */
  readonly internalPort: number
  /** Its API. */
  readonly api: Pool
  /** Resolves when the thread has ended: with the reason, or `undefined` when it was told to. */
  readonly ended: Promise<string | undefined>
  /** Lets it finish what runs, for at most this long, and ends the thread. */
  stop(milliseconds: number): Promise<void>
}

/** Why a service did not start, with the first place of the user's files in it where there is one. */
export interface StartFailure {
  readonly failure: string
}

/** How to run a service. */
export interface InstanceOptions extends ServiceWorkerData {
  readonly onLine: (line: ServiceLine) => void
  /** It has not answered for a while (true), or does so again (false). */
  readonly onStall: (stalled: boolean) => void
}

/** What a start may take, in ms: `setup` included, which may wait for things of its own. */
const START_MS = 60_000
const HEARTBEAT_MS = 1000
/** Heartbeats missed before it is said that a service does not answer, and before its thread is ended. */
const STALLED_AFTER = 4
const HOPELESS_AFTER = 15
/**
 * Bounds of a thread's heap: a leak in one service ends that service and not the platform. The watch ends it long
 * before; Node ends the process where a heap is full and one more array does not fit.
 */
const RESOURCES = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 4 }
const TOO_MUCH_MEMORY = `it used more than ${MOST_MEMORY_MB} MB of memory; does its code keep what it no longer needs?`

/**
 * Starts a service in a new thread. Resolves when it serves, or with the reason why it does not; the signal
 * ends a start that is under way.
 */
export async function startInstance(
  options: InstanceOptions,
  signal: AbortSignal,
): Promise<ServiceInstance | StartFailure> {
  if (signal.aborted) return { failure: 'it was stopped' }
  const { directory, environment, compileCache, onLine } = options
  const worker = new Worker(new URL('./worker/service-worker.ts', import.meta.url), {
    workerData: { directory, environment, compileCache } satisfies ServiceWorkerData,
    name: directory,
    // Threads that the service starts itself inherit the options, and so find its dependencies too.
    execArgv: ['--import', new URL('./worker/dependencies.ts', import.meta.url).href],
    // What a deployment sees in its environment, a service sees here too; nothing of the developer's own.
    env: { ...environment },
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: RESOURCES,
  })
  readLines(worker.stdout, 'info', onLine)
  readLines(worker.stderr, 'error', onLine)

  let reason: string | undefined
  let isToldToEnd = false
  const unwatch = watchMemory(worker, () => {
    reason = TOO_MUCH_MEMORY
    void worker.terminate()
  })
  const ended = new Promise<string | undefined>((resolve) => {
    worker.on('error', (error) => (reason = describe(error, directory)))
    worker.once('exit', (code) => {
      unwatch()
      resolve(isToldToEnd ? undefined : (reason ?? `it ended itself (${code})`))
    })
  })
  async function terminate(): Promise<void> {
    isToldToEnd = true
    await worker.terminate()
  }

  const settled = new AbortController()
  const either = AbortSignal.any([signal, settled.signal])
  const outcome = await Promise.race([
    firstMessage(worker),
    ended,
    delay(START_MS, 'timeout' as const, { signal: either }).catch(() => undefined),
  ])
  settled.abort()
  if (typeof outcome !== 'object') {
    await terminate()
    if (outcome === 'timeout') return { failure: `it was not ready after ${START_MS / 1000} s` }
    return { failure: outcome ?? 'it was stopped' }
  }
  if (outcome.kind !== 'ready') {
    await terminate()
    return { failure: outcome.kind === 'failed' ? withPlace(outcome.message, outcome.stack, directory) : '' }
  }

  const api = new Pool(`http://127.0.0.1:${outcome.port}`, { connections: null, pipelining: 1 })
  const heartbeat = watchHeartbeat(worker, options.onStall, () => {
    reason = `it did not answer for ${HOPELESS_AFTER} s; is there an endless loop in its code?`
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
      isToldToEnd = true
      clearInterval(heartbeat)
      const stopped = new Promise<void>((resolve) => {
        worker.on('message', (message: WorkerMessage) => message.kind === 'stopped' && resolve())
      })
      const closed = api.close().catch(() => {})
      const impatience = new AbortController()
      await Promise.race([
        closed.then(() => worker.postMessage({ kind: 'stop' } satisfies HostMessage)).then(() => stopped),
        ended,
        delay(milliseconds, undefined, { signal: impatience.signal }).catch(() => {}),
      ])
      impatience.abort()
      await terminate()
    },
  }
}

function firstMessage(worker: Worker): Promise<WorkerMessage> {
  return new Promise((resolve) => {
    const listen = (message: WorkerMessage): void => {
      if (message.kind === 'pong') return
      worker.off('message', listen)
      resolve(message)
    }
    worker.on('message', listen)
  })
}

function watchHeartbeat(
  worker: Worker,
  onStall: (stalled: boolean) => void,
  onHopeless: () => void,
): NodeJS.Timeout {
  let missed = 0
  worker.on('message', ({ kind }: WorkerMessage) => {
    if (kind !== 'pong') return
    if (missed > STALLED_AFTER) onStall(false)
    missed = 0
  })
  return setInterval(() => {
    // Whoever stands at a breakpoint does not want to be thrown out.
    if (inspector.url() !== undefined) return
    missed++
    if (missed === STALLED_AFTER + 1) onStall(true)
    if (missed === HOPELESS_AFTER + 1) onHopeless()
    worker.postMessage({ kind: 'ping' } satisfies HostMessage)
  }, HEARTBEAT_MS).unref()
}

function readLines(stream: Readable, fallback: 'info' | 'error', onLine: (line: ServiceLine) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (text) => {
    const line = readServiceLine(text, fallback)
    if (line !== undefined) onLine(line)
  })
}

function describe(error: unknown, directory: string): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return TOO_MUCH_MEMORY
  return withPlace(`${error.name}: ${error.message}`, error.stack ?? '', directory)
}

/** Adds the place in the service's own files where it went wrong: `(src/setup.ts:12:5)`. */
function withPlace(message: string, stack: string, directory: string): string {
  const at = stack.indexOf(`${directory}/`)
  const place = at === -1 ? undefined : /^[^\s)]+:\d+/.exec(stack.slice(at + directory.length + 1))?.[0]
  return place === undefined ? message : `${message} (${place})`
}
