import type { Entry, Message } from '../../src/dev/explorer/messages.ts'
import type { Health } from '../../src/dev/events.ts'
import type { PlatformDescription } from '../../src/emit/explorer/description.ts'
import { createStore } from './store.ts'

/** What runs; `undefined` until it was read. */
export const platform = createStore<PlatformDescription | undefined>(undefined)
/** Counts up with every change of the platform. */
export const version = createStore(0)
/** What happened lately, the oldest first. */
export const entries = createStore<readonly Entry[]>([])
/** How services are, by directory. */
export const health = createStore<Readonly<Record<string, Health>>>({})
/** Whether news arrive. */
export const connection = createStore<'connecting' | 'open' | 'lost'>('connecting')

const MOST_ENTRIES = 300

/** Reads what runs, and follows what happens from now on where that can be. The browser connects again by itself. */
export async function followPlatform(): Promise<void> {
  await readPlatform().catch(() => {})
  if (platform.get()?.isLive !== false) follow()
}

function follow(): void {
  const source = new EventSource('/_explorer/events')
  let isFirst = true
  source.addEventListener('open', () => {
    isFirst = true
    connection.set('open')
  })
  source.addEventListener('error', () => connection.set('lost'))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Message
    // The first message of each connection tells everything: the platform may be another one by now.
    entries.set([...(isFirst ? [] : entries.get()), ...message.entries].slice(-MOST_ENTRIES))
    health.set(isFirst ? message.health : { ...health.get(), ...message.health })
    isFirst = false
    if (message.version === version.get()) return
    const isKnown = version.get() === 0
    version.set(message.version)
    // What the first message tells of was read when the page was opened.
    if (!isKnown || platform.get() === undefined) void readPlatform()
  })
}

async function readPlatform(): Promise<void> {
  const response = await fetch('/_explorer/platform.json', { credentials: 'same-origin' })
  if (!response.ok) return
  const description = (await response.json()) as PlatformDescription
  document.title = `${description.name} · API explorer`
  platform.set(description)
}
