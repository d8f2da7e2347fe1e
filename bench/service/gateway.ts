import { randomBytes } from 'node:crypto'
import { startEnvoy } from '../../test/gateway/envoy-process.ts'
import { type Figure, median, round } from '../figures.ts'
import { type Load, type LoadResult, putLoad, request } from './load-contract.ts'
import { measuredModel, measuredPlatform } from './platform.ts'

const ROUNDS = 7
const ROUND_MS = 3000
const WARM_UP_MS = 2000
const ROWS = 1000
/** How many entities a response of the saturated service lists. */
const LISTED = 100
/** The service is on one core, Envoy and the load on the other; the database, which is not pinned, on both. */
const SERVICE_CORE = 0
const OTHER_CORE = 1
/** Enough connections to saturate the service's core. */
const SATURATING = { connections: 64, pauseMs: 0 } as const
/** Few enough connections that no request waits, so that the latency of the gateway is measured. */
const CALM = { connections: 4, pauseMs: 5 } as const

/** Compares reads through Envoy with direct reads of a service, in alternating rounds. */
export async function measureGateway(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  const service = await platform.start('thing', { core: SERVICE_CORE })
  const envoy = await startEnvoy(measuredModel(), {
    services: { thing: [service.port] },
    secrets: [platform.secret, randomBytes(32).toString('base64url')],
    core: OTHER_CORE,
  })
  try {
    const { id: owner, token } = await platform.token()
    const things = await platform.database('thing')<{ id: string }[]>`
      INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
      SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', n % 2 = 0
      FROM generate_series(1, ${ROWS}::int) n RETURNING id`
    const reads = (prefix: string) => things.map(({ id }) => request('GET', `${prefix}/thing/${id}`, token))
    // Reads of one are too cheap: load, Envoy and database would fill their core before the service fills its own.
    const lists = (prefix: string) => [request('GET', `${prefix}/thing/all?limit=${LISTED}`, token)]
    const race = async (load: Pick<Load, 'connections' | 'pauseMs'>, requests: typeof reads) => {
      const ways = {
        direct: { port: service.port, requests: requests('') },
        gateway: { port: envoy.port, requests: requests('/api') },
      }
      const put = (way: keyof typeof ways, durationMs: number) =>
        putLoad({ ...ways[way], ...load, durationMs }, '200', OTHER_CORE)
      const rounds: Record<'direct' | 'gateway', LoadResult[]> = { direct: [], gateway: [] }
      for (const way of ['direct', 'gateway'] as const) await put(way, WARM_UP_MS)
      for (let turn = 0; turn < ROUNDS; turn++)
        for (const way of turn % 2 === 0
          ? (['direct', 'gateway'] as const)
          : (['gateway', 'direct'] as const))
          rounds[way].push(await put(way, ROUND_MS))
      return rounds
    }
    const saturated = await race(SATURATING, lists)
    const calm = await race(CALM, reads)
    return [
      {
        what: 'through Envoy, requests per second of a saturated service, relative to direct',
        value: perSecond(saturated.gateway) / perSecond(saturated.direct),
        unit: 'x',
        must: { atLeast: 0.8 },
        detail: `${round(perSecond(saturated.gateway))}, compared with ${round(perSecond(saturated.direct))} a second, lists of ${LISTED}; service on core ${SERVICE_CORE}, Envoy and load on core ${OTHER_CORE}, database on both`,
      },
      {
        what: 'through Envoy, p50 above direct',
        value: p50(calm.gateway) - p50(calm.direct),
        unit: 'ms',
        must: { atMost: 1 },
        detail: `${round(p50(calm.gateway))} ms, compared with ${round(p50(calm.direct))} ms at ${CALM.connections} clients; pinned alike`,
      },
    ]
  } finally {
    await envoy.stop()
    await platform.stop()
  }
}

function perSecond(rounds: readonly LoadResult[]): number {
  return median(rounds.map((result) => result.perSecond))
}

function p50(rounds: readonly LoadResult[]): number {
  return median(rounds.map((result) => result.p50Ms))
}
