import { type Figure, round } from '../figures.ts'
import { residentMemory } from '../processes.ts'
import { putLoad, request } from './load-contract.ts'
import { measuredPlatform } from './platform.ts'

const ROWS = 1_000_000
const WARM_UP_MS = 3000
const SAMPLE_MS = 50

/** How much the memory of a service grows while it answers with a list of a million rows, read whole. */
export async function measureMemory(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    const { id: owner, token } = await platform.token()
    const sql = platform.database('thing')
    const fill = (rows: number) => sql`
      INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
      SELECT uuidv7(), ${owner}, 'Thing number ' || n, n % 1000000, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', true
      FROM generate_series(1, ${rows}::int) n`
    await fill(1000)
    const service = await platform.start('thing')
    const list = {
      port: service.port,
      connections: 1,
      pauseMs: 0,
      requests: [request('GET', '/thing/all', token)],
    }
    // A service that has answered for a while has its working memory already.
    await putLoad({ ...list, durationMs: WARM_UP_MS }, '200')
    await fill(ROWS - 1000)
    const before = residentMemory(service.pid)
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMemory(service.pid))
    }, SAMPLE_MS)
    const begin = performance.now()
    const { bytes } = await putLoad({ ...list, durationMs: 1 }, '200')
    clearInterval(timer)
    const seconds = (performance.now() - begin) / 1000
    return [
      {
        what: 'list of 1,000,000 rows, growth of resident memory',
        value: (peak - before) / 1e6,
        unit: 'MB',
        must: { atMost: 50 },
        detail: `from ${round(before / 1e6)} MB; ${round(bytes / 1e6)} MB read in ${round(seconds)} s`,
      },
    ]
  } finally {
    await platform.stop()
  }
}
