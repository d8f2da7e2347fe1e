import { type Health, type PlatformEvent, reloadText } from '../events.ts'
import type { Entry, Message } from './messages.ts'

/** What happened on a platform, for those who watch it and those who come later. */
export interface Journal {
  readonly observe: (event: PlatformEvent) => void
  /** The platform is another one from now on. */
  readonly renew: () => void
  /** Gives what is known at once, then what is new, until the function that it returns is called. */
  readonly follow: (listener: (message: Message) => void) => () => void
}

/** Entries that are kept, and that one message brings at most: nobody reads more. */
const MOST_ENTRIES = 300
/** Under load, messages come this often (ms). */
const INTERVAL_MS = 100

/** A journal without entries. */
export function createJournal(): Journal {
  const listeners = new Set<(message: Message) => void>()
  const known = new Map<string, Health>()
  const changed = new Map<string, Health>()
  let kept: Entry[] = []
  let fresh: Entry[] = []
  let count = 0
  let version = 1
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    const message = { entries: fresh, health: Object.fromEntries(changed), version }
    fresh = []
    changed.clear()
    for (const listener of listeners) listener(message)
  }

  function schedule(): void {
    if (listeners.size > 0) timer ??= setTimeout(flush, INTERVAL_MS).unref()
  }

  function add(entry: Entry): void {
    kept.push(entry)
    if (kept.length > 2 * MOST_ENTRIES) kept = kept.slice(-MOST_ENTRIES)
    if (listeners.size === 0) return
    fresh.push(entry)
    if (fresh.length > 2 * MOST_ENTRIES) fresh = fresh.slice(-MOST_ENTRIES)
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
        const { level, message, fields, places } = event.line
        const text = [message, ...fields.map(([name, value]) => `${name}=${value}`), ...places].join(' ')
        return add({ ...base(event.service), kind: 'text', level, text })
      }
      case 'problem':
        return add({ ...base(event.service), kind: 'text', level: 'error', text: event.text })
      case 'notice':
        return add({ ...base(event.service), kind: 'text', level: 'info', text: event.text })
      case 'health':
        known.set(event.service, event.health)
        changed.set(event.service, event.health)
        return schedule()
      case 'reloaded':
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
    renew: () => {
      version++
      schedule()
    },
    follow: (listener) => {
      // Those who listen already must not get twice what the new one gets now.
      if (timer !== undefined) {
        clearTimeout(timer)
        flush()
      }
      listener({ entries: kept.slice(-MOST_ENTRIES), health: Object.fromEntries(known), version })
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** `home` of `/api/home/1`: services lie in directories that are called like their paths. */
function serviceOf(path: string): string | undefined {
  return /^\/api\/([^/]+)/.exec(path)?.[1]
}
