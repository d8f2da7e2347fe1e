import { type Figure, round } from '../figures.ts'
import { putLoad, request } from './load-contract.ts'
import { type MeasuredPlatform, measuredPlatform } from './platform.ts'

const FEW = 1000
const MANY = 1_000_000
const WARM_UP_MS = 2000
const DURATION_MS = 3000

/** Pages of 20, each with one filter or one order. */
const QUERIES = ['status=open', 'weight=5', 'sort=weight', 'sort=-weight', 'sort=at', 'sort=-at']

/** Measures a filtered or sorted page of 20 out of 1,000,000 rows, relative to the same page out of 1,000. */
export async function measureLists(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    const { id: owner, token } = await platform.token()
    await fill(platform, owner, FEW)
    const service = await platform.start('ticket')
    const load = (query: string, durationMs: number) =>
      putLoad(
        {
          port: service.port,
          connections: 1,
          durationMs,
          pauseMs: 0,
          requests: [request('GET', `/ticket/all?${query}&limit=20`, token)],
        },
        '200',
      )
    const measured = async (): Promise<number[]> => {
      const times: number[] = []
      for (const query of QUERIES) {
        await load(query, WARM_UP_MS)
        times.push((await load(query, DURATION_MS)).p50Ms)
      }
      return times
    }
    const few = await measured()
    await fill(platform, owner, MANY - FEW)
    const many = await measured()
    return QUERIES.map((query, index) => {
      const [of1000 = 0, ofMillion = 0] = [few[index], many[index]]
      return {
        what: `list with ${query}, 20 of 1,000,000 rows relative to 20 of 1,000`,
        value: ofMillion / of1000,
        unit: 'x',
        must: { atMost: 2 },
        detail: `median of ${round(ofMillion)} and ${round(of1000)} ms`,
      }
    })
  } finally {
    await platform.stop()
  }
}

async function fill(platform: MeasuredPlatform, owner: string, rows: number): Promise<void> {
  const sql = platform.database('ticket')
  await sql`
    INSERT INTO ticket (id, _owner, title, status, weight, at)
    SELECT uuidv7(), ${owner}, 'Ticket number ' || n, (ARRAY['open', 'pending', 'closed'])[1 + n % 3],
      hashint4(n) & 31, timestamptz '2026-01-01' + (hashint4(n) & 65535) * interval '1 minute'
    FROM generate_series(1, ${rows}::int) n`
  await sql`VACUUM ANALYZE ticket`
}
