import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { peakMemory } from '../../../bench/processes.ts'
import { inContainer } from '../../../bench/service/container.ts'
import { platformOf } from '../../emit/platform.ts'
import { type RunningPlatform, runPlatform } from '../../emit/typescript/running-platform.ts'

/** How long a client waits before it repeats what was refused. */
const RETRY_MS = 1000

let platform: RunningPlatform
afterEach(() => platform.stop())

/** Starts the only service of a definition with the heap, the pool and the limits of its container. */
async function start(definition: string, setup = '') {
  const [deployed] = platformOf(definition).services
  if (deployed === undefined) throw new Error('The definition has no service')
  const { limit, environment } = inContainer(deployed)
  const changed = setup === '' ? {} : { setup: { [deployed.directory]: setup } }
  platform = await runPlatform(definition, { env: environment, ...changed })
  const service = platform.services.get(deployed.directory)
  if (service === undefined) throw new Error('The service does not run')
  const usage = () => {
    const peak = peakMemory(service.pid)
    return { peak, text: `At most ${Math.round(peak / 1e6)} of ${Math.round(limit / 1e6)} MB.` }
  }
  return { url: service.url, maxBodyBytes: deployed.maxBodyBytes, limit, usage }
}

/** Repeats a request until it succeeds. Only requests that get 503 and broken connections are repeated. */
async function persist<T>(send: () => Promise<{ status: number; result: T }>, success: number): Promise<T> {
  for (;;) {
    const response = await send().catch(() => undefined)
    if (response?.status === success) return response.result
    if (response !== undefined) expect(response.status).toBe(503)
    // Fails if the service has ended.
    await fetch(platform.services.values().next().value?.internalUrl ?? '')
    await sleep(RETRY_MS)
  }
}

test('12 paused and 12 reading clients of a list with rows of 19 MB', async ({ annotate }) => {
  const clients = 12
  const rows = 4
  const rowBytes = 19_000_000
  const { url, limit, usage } = await start(
    'P: project {} Blob: service { content: data(19M); #enumerable; }',
  )
  await platform.sql('blob')`
    insert into blob (id, content)
    select uuidv7(), convert_to(repeat('x', ${rowBytes}), 'utf8') from generate_series(1, ${rows}::int)`

  for (let client = 0; client < clients; client++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /blob/all HTTP/1.1\r\nhost: x\r\n\r\n')
    const [begin] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(begin.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /)
  }

  const read = async () => {
    const response = await fetch(`${url}/blob/all`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return { status: response.status, result: bytes }
  }
  const sizes = await Promise.all(Array.from({ length: clients }, () => persist(read, 200)))
  for (const bytes of sizes) expect(bytes).toBeGreaterThan((rows * rowBytes * 4) / 3)
  const { peak, text } = usage()
  await annotate(text)
  expect(peak).toBeLessThan(limit)
})

test('3 readers of a list of 126 MB with a hook', async ({ annotate }) => {
  const { url, limit, usage } = await start(
    'P: project {} Text: service { content: string(20k); #enumerable; }',
    `import type { Env } from './hooks.ts'
export default function setup(env: Env): void {
  env.hooks.afterList((_env, texts) => {
    for (const text of texts) text.content = text.content.toUpperCase()
  })
}
`,
  )
  await platform.sql('text')`
    insert into text (id, content) select uuidv7(), repeat('x', 20000) from generate_series(1, 6300)`
  const read = async () => {
    const response = await fetch(`${url}/text/all`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return { status: response.status, result: bytes }
  }
  for (const bytes of await Promise.all([1, 2, 3].map(() => persist(read, 200))))
    expect(bytes).toBeGreaterThan(126_000_000)
  const { peak, text } = usage()
  await annotate(text)
  expect(peak).toBeLessThan(limit)
})

test('40 uploads of 20 MB, the largest body', async ({ annotate }) => {
  const { url, maxBodyBytes, limit, usage } = await start(
    'P: project {} Blob: service { content: data(15M); }',
  )
  const content = Buffer.alloc(15_000_000).toString('base64')
  const body = Buffer.from(JSON.stringify({ content }).padEnd(maxBodyBytes))
  const upload = async () => {
    const response = await fetch(`${url}/blob`, { method: 'POST', body })
    await response.body?.cancel()
    return { status: response.status, result: undefined }
  }
  await Promise.all(Array.from({ length: 40 }, () => persist(upload, 201)))
  const { peak, text } = usage()
  await annotate(text)
  expect(peak).toBeLessThan(limit)
})

test('24 paused and 16 reading clients of an entity of 19 MB', async ({ annotate }) => {
  const { url, limit, usage } = await start('P: project {} Blob: service { content: data(19M); }')
  const [row] = await platform.sql('blob')`
    insert into blob (id, content) values (uuidv7(), convert_to(repeat('x', 19000000), 'utf8')) returning id`
  const path = `/blob/${row?.['id']}`

  for (let client = 0; client < 24; client++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const [begin] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(begin.toString('latin1')).toMatch(/^HTTP\/1\.1 (?:200|503) /)
  }

  const read = async () => {
    const response = await fetch(`${url}${path}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return { status: response.status, result: bytes }
  }
  const sizes = await Promise.all(Array.from({ length: 16 }, () => persist(read, 200)))
  for (const bytes of sizes) expect(bytes).toBeGreaterThan((19_000_000 * 4) / 3)
  const { peak, text } = usage()
  await annotate(text)
  expect(peak).toBeLessThan(limit)
})
