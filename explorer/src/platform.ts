import type { LogEntry, Message } from '../../src/dev/explorer/messages.ts'
import type { Health } from '../../src/dev/events.ts'
import type { PlatformDescription } from '../../src/emit/explorer/description.ts'
import { urlOf } from './base.ts'
import { createStore } from './store.ts'

/** The platform that runs; `undefined` until its description is loaded. */
export const platform = createStore<PlatformDescription | undefined>(undefined)
/** Increases with each change of the platform. */
export const version = createStore(0)
/** Recent log entries, oldest first. */
export const entries = createStore<readonly LogEntry[]>([])
/** The health of each service, by directory. */
export const health = createStore<Readonly<Record<string, Health>>>({})
/** The state of the event stream. */
export const connection = createStore<'connecting' | 'open' | 'lost'>('connecting')

const MAX_ENTRIES = 300

/** Loads the description of the platform, and subscribes to its events if it has any. The browser reconnects. */
export async function watchPlatform(): Promise<void> {
  await loadPlatform().catch(() => {})
  if (platform.get()?.isLive !== false) subscribe()
}

function subscribe(): void {
  const source = new EventSource(urlOf('/_explorer/events'))
  let isFirst = true
  let revision = 0
  source.addEventListener('open', () => {
    isFirst = true
    connection.set('open')
  })
  source.addEventListener('error', () => connection.set('lost'))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Message
    // The first message of each connection holds the whole state: the platform may have changed meanwhile.
    entries.set([...(isFirst ? [] : entries.get()), ...message.entries].slice(-MAX_ENTRIES))
    health.set(isFirst ? message.health : { ...health.get(), ...message.health })
    isFirst = false
    if (message.revision === revision) return
    const isKnown = revision === 0
    revision = message.revision
    if (message.version !== version.get()) version.set(message.version)
    // The platform of the first message was loaded when the page was opened.
    if (!isKnown || platform.get() === undefined) void loadPlatform()
  })
}

async function loadPlatform(): Promise<void> {
  const response = await fetch(urlOf('/_explorer/platform.json'), { credentials: 'same-origin' })
  if (!response.ok) return
  const description = (await response.json()) as PlatformDescription
  document.title = `${description.name} · API explorer`
  platform.set(description)
}
