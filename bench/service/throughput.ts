import { type Figure, median, round } from '../figures.ts'
import { processorTime } from '../processes.ts'
import { type Load, type LoadResult, putLoad, request } from './load-contract.ts'
import { type MeasuredPlatform, type MeasuredService, measuredPlatform, type Variant } from './platform.ts'

const CONNECTIONS = 64
/** Rounds that begin when a service has just started. */
const FIRST_ROUNDS = 3
const FIRST_ROUND_MS = 10_000
const WARM_UP_MS = 120_000
/** Of each service, as four are under load at the same time; more than the pool has, so that requests queue for it. */
export const WARM_UP_CONNECTIONS = 12
const ROUNDS = 21
const ROUND_MS = 1000
const ROWS = 1000
/** The service under measurement has a core for itself; load, database and what it calls share the other. */
export const SERVICE_CORE = 0
export const OTHER_CORE = 1

/** One operation of a service. */
export interface Operation extends Requests {
  readonly what: string
  readonly service: string
  /** Requests a second that a service in Go must reach, relative to the one in TypeScript. */
  readonly goMustReach: number
}

/** What is sent to a service, and the status that it must respond with. */
export interface Requests {
  readonly requests: readonly Call[]
  readonly status: number
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const VARIANTS: readonly Variant[] = ['typescript', 'typescript by hand', 'go', 'go by hand']
/** Those that are slower while their code is not compiled yet. */
const COMPILED_LATER: readonly Variant[] = ['typescript', 'typescript by hand']

/** The rounds of a turn. */
type Turn<Name> = ReadonlyMap<Name, Round>

export interface Round extends LoadResult {
  /** Processor time of the service, in ms a request. */
  readonly processorMs: number
}

/**
 * Compares generated services with hand-written ones, and those in Go with those in TypeScript: after two minutes of
 * load, and those in TypeScript in their first seconds too.
 */
export async function measureThroughput(): Promise<Figure[]> {
  const platform = await measuredPlatform({ databaseCore: OTHER_CORE, go: true })
  try {
    const { id: owner, token } = await platform.token()
    const references = await platform.start('references', { core: OTHER_CORE, variant: 'go by hand' })
    const calls = { account: references, place: references }
    const start = ({ service }: Operation, variant: Variant) =>
      platform.start(service, { core: SERVICE_CORE, calls, variant })

    const figures: Figure[] = []
    for (const operation of await operations(platform, owner)) {
      const first = await takeTurns(COMPILED_LATER, FIRST_ROUNDS, async (variant) => {
        const service = await start(operation, variant)
        const result = await put(service, operation, token, FIRST_ROUND_MS)
        await service.stop()
        return result
      })
      const services = {
        typescript: await start(operation, 'typescript'),
        'typescript by hand': await start(operation, 'typescript by hand'),
        go: await start(operation, 'go'),
        'go by hand': await start(operation, 'go by hand'),
      }
      const all = Object.values(services)
      await expectSameResponse(all, operation, token)
      await Promise.all(all.map((service) => put(service, operation, token, WARM_UP_MS, WARM_UP_CONNECTIONS)))
      const later = await takeTurns(VARIANTS, ROUNDS, (variant) =>
        put(services[variant], operation, token, ROUND_MS),
      )
      await Promise.all(all.map((service) => service.stop()))
      console.error(`  ${operation.what}: measured`)
      figures.push(...figuresOf(operation, first, later))
    }
    return figures
  } finally {
    await platform.stop()
  }
}

const get = (path: string): Call => ({ method: 'GET', path })
const post = (path: string, body: unknown): Call => ({ method: 'POST', path, body })

const idsOf = async (rows: Promise<readonly { id: string }[]>) => (await rows).map(({ id }) => id)

/** What creates a thing. */
export const THING = {
  title: 'A thing to create',
  amount: 12,
  price: 3.5,
  due: '2026-05-04',
  startsAt: '2026-05-04T12:00:00+02:00',
  active: true,
}

/** Fills the database of things. Returns the read of one. */
export async function readOperation(platform: MeasuredPlatform, owner: string): Promise<Operation> {
  const things = await idsOf(platform.database('thing')`
    INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
    SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', n % 2 = 0
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`)
  return {
    what: 'read',
    service: 'thing',
    status: 200,
    requests: things.map((id) => get(`/thing/${id}`)),
    goMustReach: 1.9,
  }
}

/** Fills the databases. Returns the operations to measure. */
async function operations(platform: MeasuredPlatform, owner: string): Promise<Operation[]> {
  await platform.database('account')`INSERT INTO account (id, name) VALUES (${owner}, 'One')`
  const places = await idsOf(platform.database('place')`
    INSERT INTO place (id, _owner, name) SELECT uuidv7(), ${owner}, 'Place ' || n
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`)
  const steps = await idsOf(platform.database('step')`
    INSERT INTO step (id, _owner, title, previous) SELECT uuidv7(), ${owner}, 'Step ' || n, uuidv7()
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`)
  return [
    await readOperation(platform, owner),
    {
      what: 'list of 100',
      service: 'thing',
      status: 200,
      requests: [get('/thing/all?limit=100')],
      goMustReach: 1.5,
    },
    { what: 'create', service: 'thing', status: 201, requests: [post('/thing', THING)], goMustReach: 1.4 },
    {
      what: 'create with two references',
      service: 'link',
      status: 201,
      requests: places.map((place) => post('/link', { title: 'A link', account: owner, place })),
      goMustReach: 1.4,
    },
    {
      what: 'create with a hook in a transaction',
      service: 'step',
      status: 201,
      requests: steps.map((previous) => post('/step', { title: 'A step', previous })),
      goMustReach: 1.4,
    },
  ]
}

/** Measures all variants in alternating rounds. Their order alternates too, because the later have a fuller table. */
export async function takeTurns<Name>(
  variants: readonly Name[],
  turns: number,
  measure: (variant: Name) => Promise<Round>,
): Promise<Turn<Name>[]> {
  const results: Turn<Name>[] = []
  for (let turn = 0; turn < turns; turn++) {
    const rounds = new Map<Name, Round>()
    for (const variant of turn % 2 === 0 ? variants : variants.toReversed())
      rounds.set(variant, await measure(variant))
    results.push(rounds)
  }
  return results
}

/** Puts load on a service. */
export async function put(
  service: Pick<MeasuredService, 'pid' | 'port'>,
  { requests, status }: Requests,
  token: string,
  durationMs: number,
  connections = CONNECTIONS,
): Promise<Round> {
  const load: Load = {
    port: service.port,
    connections,
    durationMs,
    pauseMs: 0,
    requests: requests.map(({ method, path, body }) => request(method, path, token, body)),
  }
  const before = processorTime(service.pid)
  const result = await putLoad(load, String(status), OTHER_CORE)
  const responses = result.statuses[status] ?? 1
  return { ...result, processorMs: (processorTime(service.pid) - before) / responses }
}

function figuresOf(
  { what, goMustReach }: Operation,
  first: readonly Turn<Variant>[],
  later: readonly Turn<Variant>[],
): Figure[] {
  const requests = [({ perSecond }: Round) => perSecond, 'per second'] as const
  const p99 = [({ p99Ms }: Round) => p99Ms, 'ms'] as const
  // Unlike the others, this depends little on how busy the machine is.
  const processor = [({ processorMs }: Round) => processorMs * 1000, 'µs'] as const
  const byHand = 'typescript by hand'
  return [
    {
      what: `${what}, requests per second relative to hand-written`,
      must: { atLeast: 0.95 },
      ...compare(later, 'typescript', byHand, ...requests),
    },
    {
      what: `${what}, p99 relative to hand-written`,
      must: { atMost: 1.3 },
      ...compare(later, 'typescript', byHand, ...p99),
    },
    {
      what: `${what}, requests per second in the first ${FIRST_ROUND_MS / 1000} s relative to hand-written`,
      must: { atLeast: 0.9 },
      ...compare(first, 'typescript', byHand, ...requests),
    },
    {
      what: `${what}, CPU time per request relative to hand-written`,
      must: undefined,
      ...compare(later, 'typescript', byHand, ...processor),
    },
    {
      what: `${what} in Go, requests per second relative to hand-written`,
      must: { atLeast: 0.95 },
      ...compare(later, 'go', 'go by hand', ...requests),
    },
    {
      what: `${what} in Go, p99 relative to hand-written`,
      must: { atMost: 1.3 },
      ...compare(later, 'go', 'go by hand', ...p99),
    },
    {
      what: `${what} in Go, CPU time per request relative to hand-written`,
      must: undefined,
      ...compare(later, 'go', 'go by hand', ...processor),
    },
    {
      what: `${what} in Go, requests per second relative to TypeScript`,
      must: { atLeast: goMustReach },
      ...compare(later, 'go', 'typescript', ...requests),
    },
    {
      what: `${what} in Go, CPU time per request relative to TypeScript`,
      must: undefined,
      ...compare(later, 'go', 'typescript', ...processor),
    },
  ]
}

/** Compares rounds of the same turn, because the speed of the machine changes more from one to the next than within one. */
export function compare<Name>(
  turns: readonly Turn<Name>[],
  variant: Name,
  other: Name,
  value: (round: Round) => number,
  unit: string,
) {
  const of = (turn: Turn<Name>, wanted: Name) => {
    const found = turn.get(wanted)
    return found === undefined ? Number.NaN : value(found)
  }
  const medianOf = (wanted: Name) => round(median(turns.map((turn) => of(turn, wanted))))
  return {
    value: median(turns.map((turn) => of(turn, variant) / of(turn, other))),
    unit: 'x',
    detail: `${medianOf(variant)} ${unit}, compared with ${medianOf(other)} ${unit}`,
  } as const
}

/** Throws unless all services respond alike: status, important headers and body, except new ids. */
async function expectSameResponse(
  services: readonly MeasuredService[],
  { requests: [call], status }: Operation,
  token: string,
): Promise<void> {
  if (call === undefined) throw new Error('No request to compare')
  const responses = services.map(async ({ port }) => {
    const response = await fetch(`http://127.0.0.1:${port}${call.path}`, {
      method: call.method,
      headers: { authorization: `Bearer ${token}` },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    const text = await response.text()
    if (response.status !== status)
      throw new Error(`${call.method} ${call.path} returned ${response.status}: ${text}`)
    const { id } = JSON.parse(text) as { id?: string }
    const headers = ['location', 'cache-control', 'link'].map((name) => response.headers.get(name))
    const said = [text, ...headers].join('\n')
    return call.method === 'POST' && id !== undefined ? said.replaceAll(id, '<id>') : said
  })
  const different = new Set(await Promise.all(responses))
  if (different.size > 1)
    throw new Error(`The services differ at ${call.path}:\n${[...different].join('\n')}`)
}
