import type { Dispatcher } from 'undici'
import type { Health } from './events.ts'
import type { ServiceInstance, StartFailure } from './service-instance.ts'

/** What a host tells about its service. */
export interface HostEvents {
  /** A sentence about what went wrong, or is well again. */
  readonly onProblem: (text: string) => void
  /** How it is, after each change. */
  readonly onHealth?: (health: Health) => void
}

/** Starts the service anew each time it is called: with its database, dependencies and a thread. */
export type StartInstance = (signal: AbortSignal) => Promise<ServiceInstance | StartFailure>

/** Keeps one service running. */
export interface ServiceHost {
  /** Its API as it serves now; a promise while it starts; `undefined` when it is down. Starts it when it sleeps. */
  service(): Dispatcher | Promise<Dispatcher | undefined> | undefined
  /** Its second port, likewise. */
  internalPort(): Promise<number | undefined>
  /** Starts it where it does not run. Gives whether it runs then. */
  start(): Promise<boolean>
  /**
   * Replaces it by a new start of its present files. Until that serves, the old one does; where the new one
   * does not start, the old one stays. One that sleeps goes on sleeping. Gives whether it is up to date then.
   */
  reload(): Promise<boolean>
  /** Ends it, giving what runs at most this long (ms). It sleeps then. */
  stop(milliseconds: number): Promise<void>
}

/** How long a replaced instance may take to finish what runs, in ms. */
const DRAIN_MS = 5000
/** Waits between the restarts of a service that keeps crashing, in ms, and when it counts as well again. */
const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 10_000
const HEALTHY_MS = 30_000

type State =
  | { readonly kind: 'asleep' }
  | { readonly kind: 'starting'; readonly instance: Promise<ServiceInstance | undefined> }
  | { readonly kind: 'running'; readonly instance: ServiceInstance }
  /** It did not start, or waits for its next start after a crash. */
  | { readonly kind: 'down' }

/** A host whose service sleeps until it is started or asked for. */
export function createServiceHost(startInstance: StartInstance, events: HostEvents): ServiceHost {
  let state: State = { kind: 'asleep' }
  let backoff = FIRST_BACKOFF_MS
  let restart: NodeJS.Timeout | undefined
  /** Ends starts that are under way. */
  let starts = new AbortController()
  /** Reloads run one after the other; the last one asked for sees the newest files. */
  let reloads: Promise<unknown> = Promise.resolve()
  const retired = new Set<Promise<void>>()

  function enter(next: State): void {
    state = next
    events.onHealth?.(next.kind)
  }

  function begin(): Promise<ServiceInstance | undefined> {
    clearTimeout(restart)
    const starting: State = {
      kind: 'starting',
      instance: startInstance(starts.signal).then((outcome) => {
        const isCurrent = state === starting
        if ('failure' in outcome) {
          if (isCurrent) {
            enter({ kind: 'down' })
            events.onProblem(
              `did not start: ${sentence(outcome.failure)} It starts again when its files change.`,
            )
          }
          return undefined
        }
        // It was stopped while it started.
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

  function adopt(instance: ServiceInstance): void {
    enter({ kind: 'running', instance })
    const began = Date.now()
    void instance.ended.then((reason) => {
      if (state.kind !== 'running' || state.instance !== instance) return
      enter({ kind: 'down' })
      if (Date.now() - began > HEALTHY_MS) backoff = FIRST_BACKOFF_MS
      events.onProblem(`ended: ${sentence(reason ?? 'it was stopped')} It is started again.`)
      restart = setTimeout(() => void begin(), backoff)
      backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)
    })
  }

  function retire(instance: ServiceInstance, milliseconds: number): void {
    const done = instance.stop(milliseconds).finally(() => retired.delete(done))
    retired.add(done)
  }

  /** The state after something was waited for. */
  function now(): State {
    return state
  }

  async function current(): Promise<ServiceInstance | undefined> {
    if (state.kind === 'running') return state.instance
    if (state.kind === 'starting') return state.instance
    return state.kind === 'asleep' ? begin() : undefined
  }

  async function replace(): Promise<boolean> {
    if (state.kind === 'starting') await state.instance
    const before = now()
    if (before.kind === 'asleep') return true
    if (before.kind !== 'running') return (await begin()) !== undefined
    const outcome = await startInstance(starts.signal)
    if ('failure' in outcome) {
      if (now().kind === 'asleep') return true
      events.onProblem(`did not start: ${sentence(outcome.failure)} It runs on as it was before the change.`)
      return false
    }
    // It was stopped in the meantime.
    if (now().kind === 'asleep') {
      retire(outcome, 0)
      return true
    }
    clearTimeout(restart)
    backoff = FIRST_BACKOFF_MS
    adopt(outcome)
    retire(before.instance, DRAIN_MS)
    return true
  }

  return {
    service: () => {
      if (state.kind === 'running') return state.instance.api
      return state.kind === 'down' ? undefined : current().then((instance) => instance?.api)
    },
    internalPort: async () => (await current())?.internalPort,
    start: async () => (await current()) !== undefined,
    reload: () => {
      const next = reloads.then(replace)
      reloads = next.catch(() => {})
      return next
    },
    stop: async (milliseconds) => {
      clearTimeout(restart)
      const before = state
      enter({ kind: 'asleep' })
      starts.abort()
      starts = new AbortController()
      if (before.kind === 'running') retire(before.instance, milliseconds)
      if (before.kind === 'starting') await before.instance
      await Promise.all([reloads, ...retired])
    },
  }
}

/** With an end: what came from code of the user may have one. */
function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
