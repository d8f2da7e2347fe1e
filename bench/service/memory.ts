import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '../../src/model/platform.ts'
import { type Figure, round } from '../figures.ts'
import { peakMemory, privateMemory, residentMemory } from '../processes.ts'
import { inContainer } from './container.ts'
import { putLoad, request } from './load-contract.ts'
import { measuredModel, type MeasuredPlatform, measuredPlatform } from './platform.ts'

const ROWS = 1_000_000
const WARM_UP_MS = 3000
const SAMPLE_MS = 50
/** How long a service idles before its memory is measured, so that garbage of the start is collected. */
const REST_MS = 5000
const UPLOADS = 40
/** What Document may hold. */
const CONTENT_BYTES = 15_000_000
/** How long a client waits after its upload was refused. */
const RETRY_MS = 1000

const LANGUAGES = [
  // Services share the pages of the Node binary.
  { language: 'typescript', suffix: '', idleMemory: privateMemory, idleMegabytes: 90 },
  { language: 'go', suffix: ' in Go', idleMemory: residentMemory, idleMegabytes: 25 },
] as const
type Measured = (typeof LANGUAGES)[number]

/** Starts a service with the settings of its container. */
function startAsInContainer(platform: MeasuredPlatform, directory: string, language: Language) {
  const service = measuredModel(language).services.find((candidate) => candidate.directory === directory)
  if (service === undefined) throw new Error(`measured.portico has no service ${directory}`)
  const { limit, environment } = inContainer(service)
  return { service, limit, started: platform.start(directory, { environment, variant: language }) }
}

/** Measures the memory of services: idle, while they receive their largest bodies, and while they send a long list. */
export async function measureMemory(): Promise<Figure[]> {
  const platform = await measuredPlatform({ go: true })
  try {
    const figures: Figure[] = []
    for (const measured of LANGUAGES) figures.push(await idle(platform, measured))
    for (const measured of LANGUAGES) figures.push(await uploads(platform, measured))
    for (const measured of LANGUAGES) figures.push(await list(platform, measured))
    return figures
  } finally {
    await platform.stop()
  }
}

async function idle(
  platform: MeasuredPlatform,
  { language, suffix, idleMemory, idleMegabytes }: Measured,
): Promise<Figure> {
  const { token } = await platform.token()
  const service = await startAsInContainer(platform, 'thing', language).started
  await putLoad(
    {
      port: service.port,
      connections: 1,
      durationMs: 1,
      pauseMs: 0,
      requests: [request('GET', '/thing/all', token)],
    },
    '200',
  )
  await sleep(REST_MS)
  const bytes = idleMemory(service.pid)
  await service.stop()
  return {
    what: `memory of an idle service${suffix}`,
    value: bytes / 1e6,
    unit: 'MB',
    must: { atMost: idleMegabytes },
    detail: `${REST_MS / 1000} s after its first request; ${language === 'go' ? 'with its binary' : 'without the Node binary, which services share'}`,
  }
}

/** All clients upload at the same time, again when they are refused, until each upload was accepted. */
async function uploads(platform: MeasuredPlatform, { language, suffix }: Measured): Promise<Figure> {
  const { service: document, limit, started } = startAsInContainer(platform, 'document', language)
  const service = await started
  const { token } = await platform.token()
  const content = Buffer.alloc(CONTENT_BYTES).toString('base64')
  const body = Buffer.from(JSON.stringify({ content }).padEnd(document.maxBodyBytes))
  let refused = 0
  const upload = async (): Promise<void> => {
    const options = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body }
    while (service.isRunning()) {
      // A service that refuses a body may close the connection before the client has sent all of it.
      const response = await fetch(`http://127.0.0.1:${service.port}/document`, options).catch(
        () => undefined,
      )
      await response?.body?.cancel()
      if (response?.status === 201) return
      if (response !== undefined && response.status !== 503)
        throw new Error(`An upload returned ${response.status}`)
      refused++
      await sleep(RETRY_MS)
    }
  }
  await Promise.all(Array.from({ length: UPLOADS }, upload))
  if (!service.isRunning()) throw new Error(`The service ended after ${refused} refused uploads`)
  const peak = peakMemory(service.pid)
  await service.stop()
  return {
    what: `${UPLOADS} uploads of the largest body, memory of the service${suffix} relative to its limit`,
    value: peak / limit,
    unit: 'x',
    must: { atMost: 1 },
    detail: `at most ${round(peak / 1e6)} of ${round(limit / 1e6)} MB; ${round(body.length / 1e6)} MB each, ${refused} refused and repeated`,
  }
}

async function list(platform: MeasuredPlatform, { language, suffix }: Measured): Promise<Figure> {
  const { id: owner, token } = await platform.token()
  const sql = platform.database('thing')
  const fill = (rows: number) => sql`
    INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
    SELECT uuidv7(), ${owner}, 'Thing number ' || n, n % 1000000, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', true
    FROM generate_series(1, ${rows}::int) n`
  await sql`TRUNCATE thing`
  await fill(1000)
  const service = await platform.start('thing', { variant: language })
  const load = {
    port: service.port,
    connections: 1,
    pauseMs: 0,
    requests: [request('GET', '/thing/all', token)],
  }
  // A service under load has allocated its working memory already.
  await putLoad({ ...load, durationMs: WARM_UP_MS }, '200')
  await fill(ROWS - 1000)
  const before = residentMemory(service.pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMemory(service.pid))
  }, SAMPLE_MS)
  const begin = performance.now()
  const { bytes } = await putLoad({ ...load, durationMs: 1 }, '200')
  clearInterval(timer)
  const seconds = (performance.now() - begin) / 1000
  await service.stop()
  return {
    what: `list of 1,000,000 rows, growth of resident memory${suffix}`,
    value: (peak - before) / 1e6,
    unit: 'MB',
    must: { atMost: 50 },
    detail: `from ${round(before / 1e6)} MB; ${round(bytes / 1e6)} MB read in ${round(seconds)} s`,
  }
}
