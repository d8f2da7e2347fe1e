import { type Figure, median, round } from '../figures.ts'
import { putLoad, request } from './load-contract.ts'
import { measuredPlatform } from './platform.ts'

const ROUNDS = 5
const ROUND_MS = 4000
const READERS = 8
const READ_PAUSE_MS = 20
const REGISTRATIONS_AT_ONCE = 4

/** Compares the latency of reads during registrations with that without. */
export async function measureRegistrations(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    const { id: owner, token } = await platform.token()
    const sql = platform.database('thing')
    const rows = await sql<{ id: string }[]>`
      INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
      SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', true
      FROM generate_series(1, 1000) n RETURNING id`
    const thing = await platform.start('thing')
    const auth = await platform.start('auth')
    const reads = {
      port: thing.port,
      connections: READERS,
      durationMs: ROUND_MS,
      pauseMs: READ_PAUSE_MS,
      requests: rows.map(({ id }) => request('GET', `/thing/${id}`, token)),
    }
    await putLoad(reads, '200')
    const idle: number[] = []
    const busy: number[] = []
    let registered = 0
    for (let turn = 0; turn < ROUNDS; turn++) {
      idle.push((await putLoad(reads, '200')).p99Ms)
      const begin = Date.now()
      const registering = Array.from({ length: REGISTRATIONS_AT_ONCE }, async (_, line) => {
        for (let count = 0; Date.now() - begin < ROUND_MS; count++) {
          const response = await fetch(`http://127.0.0.1:${auth.port}/auth/register`, {
            method: 'POST',
            body: JSON.stringify({
              email: `${turn}-${line}-${count}@example.org`,
              password: 'correct horse battery',
            }),
          })
          if (response.status !== 201)
            throw new Error(`Registration returned ${response.status}: ${await response.text()}`)
          await response.body?.cancel()
          registered++
        }
      })
      busy.push((await putLoad(reads, '200')).p99Ms)
      await Promise.all(registering)
    }
    const perSecond = registered / ((ROUNDS * ROUND_MS) / 1000)
    return [
      {
        what: 'p99 of reads during registrations, relative to idle',
        value: median(busy) / median(idle),
        unit: 'x',
        must: { atMost: 2 },
        detail: `${round(median(busy))} ms, compared with ${round(median(idle))} ms, ${round(perSecond)} registrations per second`,
      },
    ]
  } finally {
    await platform.stop()
  }
}
