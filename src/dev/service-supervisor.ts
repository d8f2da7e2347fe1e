import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Health } from './events.ts'
import type { ServiceInstance, StartFailure } from './service-instance.ts'

/** What a supervisor reports about its service. */
export interface SupervisorEvents {
  /** A message about a failure. */
  readonly onProblem: (text: string) => void
  /** The health has changed. */
  readonly onHealth?: (health: Health) => void
}

/** Starts a new instance of the service: its database, its dependencies and a thread. */
export type StartInstance = (signal: AbortSignal) => Promise<ServiceInstance | StartFailure>

/** Keeps one service running. */
export interface ServiceSupervisor {
  /** The API of the running instance; a promise while one starts; `undefined` if it is down. Starts an idle service. */
  service(): Dispatcher | Promise<Dispatcher | undefined> | undefined
  /** Resolves when no request is under way at the running instance, after at most this long (ms). */
  settle(milliseconds: number): Promise<void>
  /** The internal port, likewise. */
  internalPort(): Promise<number | undefined>
  /** Starts the service if it is idle. Returns whether it runs. The signal cancels the start, which is not reported. */
  start(signal?: AbortSignal): Promise<boolean>
  /**
   * Replaces the instance with a new one from the current files. The old instance serves until the new one is
   * ready, and stays if the new one does not start. An idle service stays idle. Returns whether it is up to date. The
   * signal cancels the start of the new one, which is not reported.
   */
  reload(signal?: AbortSignal): Promise<boolean>
  /**
   * Stops the service and starts it from the current files. Requests that come meanwhile wait for it. An idle service
   * stays idle. Returns whether it is up to date. The signal cancels the start, which is not reported.
   */
  restart(milliseconds: number, signal?: AbortSignal): Promise<boolean>
  /** Stops the service. Requests under way get at most this long (ms). The service is idle afterwards. */
  stop(milliseconds: number): Promise<void>
}

/** How long a replaced instance may take to finish what runs, in ms. */
const DRAIN_MS = 5000
/** The interval between checks whether requests are under way, in ms. */
const SETTLE_CHECK_MS = 10
/** Waits between restarts of a service that keeps crashing, and after how long it counts as healthy, in ms. */
const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 10_000
const HEALTHY_MS = 30_000

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly instance: Promise<ServiceInstance | undefined> }
  | { readonly kind: 'running'; readonly instance: ServiceInstance }
  /** It failed to start, or waits for its restart after a crash. */
  | { readonly kind: 'down' }

/** Creates a supervisor for an idle service. */
export function createServiceSupervisor(
  startInstance: StartInstance,
  events: SupervisorEvents,
): ServiceSupervisor {
  let state: State = { kind: 'idle' }
  let backoff = FIRST_BACKOFF_MS
  let restart: NodeJS.Timeout | undefined
  /** Cancels starts under way. */
  let starts = new AbortController()
  /** Reloads run one at a time, so the last one sees the newest files. */
  let reloads: Promise<unknown> = Promise.resolve()
  const retired = new Set<Promise<void>>()

  function enter(next: State): void {
    state = next
    events.onHealth?.(next.kind)
  }

  function begin(signal?: AbortSignal): Promise<ServiceInstance | undefined> {
    clearTimeout(restart)
    const starting: State = {
      kind: 'starting',
      instance: startInstance(cancelledBy(signal)).then((outcome) => {
        const isCurrent = state === starting
        if ('failure' in outcome) {
          if (isCurrent) {
            enter({ kind: 'down' })
            if (signal?.aborted !== true)
              events.onProblem(failed(outcome.failure, 'It restarts when its files change.'))
          }
          return undefined
        }
        // It was stopped during the start.
        if (!isCurrent) {
          retire(outcome, 0)
          return undefined
        }
        adopt(outcome)
        return outcome
      }),
    }
    enter(starting)
    return starting.instance
  }

  function cancelledBy(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? starts.signal : AbortSignal.any([starts.signal, signal])
  }

  function adopt(instance: ServiceInstance): void {
    enter({ kind: 'running', instance })
    const began = Date.now()
    void instance.ended.then((reason) => {
      if (state.kind !== 'running' || state.instance !== instance) return
      enter({ kind: 'down' })
      if (Date.now() - began > HEALTHY_MS) backoff = FIRST_BACKOFF_MS
      events.onProblem(`Stopped unexpectedly: ${sentence(reason ?? 'it was stopped')} Restarting.`)
      restart = setTimeout(() => void begin(), backoff)
      backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)
    })
  }

  function retire(instance: ServiceInstance, milliseconds: number): void {
    const done = instance.stop(milliseconds).finally(() => retired.delete(done))
    retired.add(done)
  }

  /** Reads the state after an `await`, which may have changed it. */
  function now(): State {
    return state
  }

  async function current(signal?: AbortSignal): Promise<ServiceInstance | undefined> {
    if (state.kind === 'running') return state.instance
    if (state.kind === 'starting') return state.instance
    return state.kind === 'idle' ? begin(signal) : undefined
  }

  async function replace(signal?: AbortSignal): Promise<boolean> {
    if (state.kind === 'starting') await state.instance
    const before = now()
    if (before.kind === 'idle') return true
    if (before.kind !== 'running') return (await begin(signal)) !== undefined
    const outcome = await startInstance(cancelledBy(signal))
    if ('failure' in outcome) {
      if (now().kind === 'idle') return true
      if (signal?.aborted === true) return false
      events.onProblem(failed(outcome.failure, 'The previous version keeps running.'))
      return false
    }
    // It was stopped meanwhile.
    if (now().kind === 'idle') {
      retire(outcome, 0)
      return true
    }
    clearTimeout(restart)
    backoff = FIRST_BACKOFF_MS
    adopt(outcome)
    retire(before.instance, DRAIN_MS)
    return true
  }

  async function stop(milliseconds: number): Promise<void> {
    clearTimeout(restart)
    const before = state
    enter({ kind: 'idle' })
    starts.abort()
    starts = new AbortController()
    if (before.kind === 'running') retire(before.instance, milliseconds)
    if (before.kind === 'starting') await before.instance
    await Promise.all([reloads, ...retired])
  }

  return {
    service: () => {
      if (state.kind === 'running') return state.instance.api
      return state.kind === 'down' ? undefined : current().then((instance) => instance?.api)
    },
    settle: async (milliseconds) => {
      const deadline = Date.now() + milliseconds
      while (state.kind === 'running' && state.instance.api.stats.size > 0 && Date.now() < deadline)
        await delay(SETTLE_CHECK_MS)
    },
    internalPort: async () => (await current())?.internalPort,
    start: async (signal) => (await current(signal)) !== undefined,
    reload: (signal) => {
      const next = reloads.then(() => replace(signal))
      reloads = next.catch(() => {})
      return next
    },
    restart: async (milliseconds, signal) => {
      if (state.kind === 'idle') return true
      const stopped = stop(milliseconds)
      const instance = await begin(signal)
      await stopped
      return instance !== undefined
    },
    stop,
  }
}

/** A failure to start, and what happens now, which comes after the lines of a compiler. */
function failed(failure: string, next: string): string {
  return failure.includes('\n')
    ? `Failed to start: ${failure}\n${next}`
    : `Failed to start: ${sentence(failure)} ${next}`
}

/** Adds a full stop, which messages from the user's code may already have. */
function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
