import { type Health, type PlatformEvent, reloadText } from '../events.ts'
import type { LogEntry, Message } from './messages.ts'

/** The recent events of a platform. */
export interface EventLog {
  readonly observe: (event: PlatformEvent) => void
  /** Tells subscribers that the platform has changed. */
  readonly platformChanged: () => void
  /** Calls the listener with the recent events, then with new ones, until the returned function is called. */
  readonly subscribe: (listener: (message: Message) => void) => () => void
}

/** The number of entries that are kept, and the most in one message. */
const MAX_ENTRIES = 300
/** The shortest time between two messages, in milliseconds. */
const INTERVAL_MS = 100

/** Creates an event log without entries. */
export function createEventLog(): EventLog {
  const listeners = new Set<(message: Message) => void>()
  const health = new Map<string, Health>()
  const changed = new Map<string, Health>()
  let entries: LogEntry[] = []
  let pending: LogEntry[] = []
  let count = 0
  let version = 1
  let revision = 1
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    const message = { entries: pending, health: Object.fromEntries(changed), version, revision }
    pending = []
    changed.clear()
    for (const listener of listeners) listener(message)
  }

  function schedule(): void {
    if (listeners.size > 0) timer ??= setTimeout(flush, INTERVAL_MS).unref()
  }

  function add(entry: LogEntry): void {
    entries.push(entry)
    if (entries.length > 2 * MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES)
    if (listeners.size === 0) return
    pending.push(entry)
    if (pending.length > 2 * MAX_ENTRIES) pending = pending.slice(-MAX_ENTRIES)
    schedule()
  }

  function base(service: string | undefined): { id: number; time: number; service: string | undefined } {
    count++
    return { id: count, time: Date.now(), service }
  }

  function observe(event: PlatformEvent): void {
    switch (event.kind) {
      case 'request': {
        const { method, path, status, milliseconds } = event.request
        return add({ ...base(serviceOf(path)), kind: 'request', method, path, status, milliseconds })
      }
      case 'line': {
        const { level, message, fields, frames } = event.line
        const text = [message, ...fields.map(([name, value]) => `${name}=${value}`), ...frames].join(' ')
        return add({ ...base(event.service), kind: 'text', level, text })
      }
      case 'problem':
        return add({ ...base(event.service), kind: 'text', level: 'error', text: event.text })
      case 'notice':
        return add({ ...base(event.service), kind: 'text', level: 'info', text: event.text })
      case 'health':
        health.set(event.service, event.health)
        changed.set(event.service, event.health)
        return schedule()
      case 'reloaded':
        revision++
        return add({ ...base(undefined), kind: 'text', level: 'info', text: reloadText(event) })
      case 'progress':
      case 'checked':
      case 'types':
        return undefined
      default:
        return event satisfies never
    }
  }

  return {
    observe,
    platformChanged: () => {
      version++
      revision++
      schedule()
    },
    subscribe: (listener) => {
      // Pending entries go to the current listeners only: the new one receives them below.
      if (timer !== undefined) {
        clearTimeout(timer)
        flush()
      }
      listener({
        entries: entries.slice(-MAX_ENTRIES),
        health: Object.fromEntries(health),
        version,
        revision,
      })
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the directory of the service that a path belongs to: `home` for `/api/home/1`. */
function serviceOf(path: string): string | undefined {
  return /^\/api\/([^/]+)/.exec(path)?.[1]
}
