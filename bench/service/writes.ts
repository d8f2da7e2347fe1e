import { type Figure, median, round } from '../figures.ts'
import { type MeasuredService, measuredPlatform, type Variant } from './platform.ts'
import { type Operation, put, readOperation, type Round, THING } from './throughput.ts'

/** One process can be faster than another with the same code for as long as it runs. */
const PROCESSES = 6
const WARM_UP_MS = 6000
/** Short and many, because the machine is faster in some seconds than in others. */
const ROUNDS = 6
const ROUND_MS = 1000
const SERVICE_CORE = 0
const OTHER_CORE = 1
const LANGUAGES: readonly Variant[] = ['typescript', 'go']

/** A service and what it is asked for. */
type Side = readonly [service: MeasuredService, operation: Operation]

/**
 * Compares creates with a before-hook that uses no database with those of the same service without hooks, and patches
 * of one attribute with updates of all.
 */
export async function measureWrites(): Promise<Figure[]> {
  const platform = await measuredPlatform({ databaseCore: OTHER_CORE, go: true })
  try {
    const { id: owner, token } = await platform.token()
    const { requests } = await readOperation(platform, owner)
    const operation = (method: string, body: unknown, status = 200): Operation => ({
      what: method,
      service: 'thing',
      status,
      requests: requests.map(({ path }) => ({ method, path: status === 201 ? '/thing' : path, body })),
      goMustReach: 1,
    })
    const create = operation('POST', THING, 201)
    const figures: Figure[] = []
    for (const variant of LANGUAGES) {
      const hooked: Pair[] = []
      const patched: Pair[] = []
      for (let process = 0; process < PROCESSES; process++) {
        const start = (environment: Readonly<Record<string, string>>) =>
          platform.start('thing', { core: SERVICE_CORE, variant, environment })
        const [withHook, plain] = [await start({ HOOKED: '1' }), await start({})]
        const sides = [
          [withHook, create],
          [plain, create],
        ] as const
        for (const [service] of sides) await put(service, create, token, WARM_UP_MS)
        hooked.push(...(await pairs(sides, token)))
        const updates = [
          [plain, operation('PATCH', { amount: 13 })],
          [plain, operation('PUT', THING)],
        ] as const
        for (const side of updates) await put(...side, token, WARM_UP_MS / 2)
        patched.push(...(await pairs(updates, token)))
        await Promise.all([withHook.stop(), plain.stop()])
      }
      const language = variant === 'go' ? ' in Go' : ''
      figures.push(
        ...compare(`create with a hook${language}`, 'relative to without', hooked, 0.93),
        ...compare(`PATCH of one attribute${language}`, 'relative to PUT', patched, 1 / 1.1),
      )
    }
    return figures
  } finally {
    await platform.stop()
  }
}

type Pair = readonly [Round, Round]

/** Measures two sides in alternating rounds. */
async function pairs([first, second]: readonly [Side, Side], token: string): Promise<Pair[]> {
  const found: Pair[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    if (turn % 2 === 0) {
      const one = await put(...first, token, ROUND_MS)
      found.push([one, await put(...second, token, ROUND_MS)])
    } else {
      const other = await put(...second, token, ROUND_MS)
      found.push([await put(...first, token, ROUND_MS), other])
    }
  }
  return found
}

function compare(what: string, relation: string, found: readonly Pair[], atLeast: number): Figure[] {
  const ratio = (key: 'perSecond' | 'processorMs', factor: number, unit: string) => {
    const of = (side: 0 | 1) => round(median(found.map((pair) => pair[side][key] * factor)))
    return {
      value: median(found.map(([one, other]) => one[key] / other[key])),
      unit: 'x',
      detail: `median of ${found.length} pairs; medians of ${of(0)} and ${of(1)} ${unit}`,
    } as const
  }
  return [
    {
      what: `${what}, requests per second ${relation}`,
      must: { atLeast },
      ...ratio('perSecond', 1, 'per second'),
    },
    {
      what: `${what}, CPU time per request ${relation}`,
      must: undefined,
      ...ratio('processorMs', 1000, 'µs'),
    },
  ]
}
