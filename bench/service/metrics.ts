import { type Figure, median, round } from '../figures.ts'
import { measuredPlatform } from './platform.ts'
import { put, readOperation } from './throughput.ts'

/** One process can be faster than another with the same code for as long as it runs. */
const PROCESSES = 16
const WARM_UP_MS = 6000
/** Short and many, because the machine is faster in some seconds than in others. */
const ROUNDS = 4
const ROUND_MS = 1000
const SERVICE_CORE = 0

/** Compares reads of a service with `#metrics(prometheus)` with those of the same service without it. */
export async function measureMetrics(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    const { id: owner, token } = await platform.token()
    const read = await readOperation(platform, owner)
    const start = (metrics: boolean) => platform.start('thing', { core: SERVICE_CORE, metrics })
    const pairs: Record<'observed' | 'plain', Awaited<ReturnType<typeof put>>>[] = []
    for (let process = 0; process < PROCESSES; process++) {
      const [first, second] = [await start(process % 2 === 0), await start(process % 2 === 1)]
      const [observed, plain] = process % 2 === 0 ? [first, second] : [second, first]
      for (const service of [first, second]) await put(service, read, token, WARM_UP_MS)
      for (let turn = 0; turn < ROUNDS; turn++) {
        const earlier = await put(turn % 2 === 0 ? observed : plain, read, token, ROUND_MS)
        const later = await put(turn % 2 === 0 ? plain : observed, read, token, ROUND_MS)
        pairs.push(turn % 2 === 0 ? { observed: earlier, plain: later } : { observed: later, plain: earlier })
      }
      await Promise.all([observed.stop(), plain.stop()])
    }
    const compare = (key: 'perSecond' | 'processorMs', factor: number, unit: string) => {
      const of = (variant: 'observed' | 'plain') =>
        round(median(pairs.map((pair) => pair[variant][key] * factor)))
      return {
        value: median(pairs.map(({ observed, plain }) => observed[key] / plain[key])),
        unit: 'x',
        detail: `median of ${pairs.length} pairs; medians of ${of('observed')} and ${of('plain')} ${unit}`,
      } as const
    }
    return [
      {
        what: 'read, requests per second with metrics relative to without',
        must: { atLeast: 0.95 },
        ...compare('perSecond', 1, 'per second'),
      },
      {
        what: 'read, CPU time per request with metrics relative to without',
        must: undefined,
        ...compare('processorMs', 1000, 'µs'),
      },
    ]
  } finally {
    await platform.stop()
  }
}
