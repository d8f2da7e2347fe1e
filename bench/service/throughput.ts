import { type Figure, median, round } from '../figures.ts'
import { processorTime } from '../processes.ts'
import { type Load, type LoadResult, putLoad, request } from './load-contract.ts'
import { type MeasuredPlatform, type MeasuredService, measuredPlatform } from './platform.ts'

const CONNECTIONS = 64
/** Rounds that begin when a service has just started. */
const FIRST_ROUNDS = 3
const FIRST_ROUND_MS = 10_000
const WARM_UP_MS = 120_000
/** Of each service, as all are under load at the same time; more than the pool has, so that requests queue for it. */
const WARM_UP_CONNECTIONS = 12
const ROUNDS = 21
const ROUND_MS = 1000
/** After a pause, in which connections to the database may have been closed. */
const RESUME_MS = 1000
const ROWS = 1000
/** The service under measurement has a core for itself; load, database and the services that it calls share the other. */
const SERVICE_CORE = 0
const OTHER_CORE = 1

/** One operation of a service. */
interface Operation {
  readonly what: string
  readonly service: string
  readonly requests: readonly Call[]
  readonly status: number
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const TWINS = ['generated', 'handWritten'] as const
type Twin = (typeof TWINS)[number]
type Twins<T> = Readonly<Record<Twin, T>>

interface Round extends LoadResult {
  /** Processor time of the service, in ms a request. */
  readonly processorMs: number
}

/** Compares generated services with hand-written ones: in their first seconds, and after two minutes of load. */
export async function measureThroughput(): Promise<Figure[]> {
  const platform = await measuredPlatform({ databaseCore: OTHER_CORE })
  try {
    const { id: owner, token } = await platform.token()
    const calls = {
      account: await platform.start('account', { core: OTHER_CORE }),
      place: await platform.start('place', { core: OTHER_CORE }),
    }
    const start = ({ service }: Operation, twin: Twin) =>
      platform.start(service, { core: SERVICE_CORE, calls, handWritten: twin === 'handWritten' })

    const races = []
    for (const operation of await operations(platform, owner)) {
      const first = await takeTurns(FIRST_ROUNDS, async (twin) => {
        const service = await start(operation, twin)
        const result = await put(service, operation, token, FIRST_ROUND_MS)
        await service.stop()
        return result
      })
      console.error(`  ${operation.what}: first ${FIRST_ROUND_MS / 1000} s measured`)
      const services = {
        generated: await start(operation, 'generated'),
        handWritten: await start(operation, 'handWritten'),
      }
      await expectSameResponse(services, operation, token)
      races.push({ operation, services, first })
    }

    console.error(`  All services under load for ${WARM_UP_MS / 1000} s`)
    await Promise.all(
      races.flatMap(({ operation, services }) =>
        TWINS.map((twin) => put(services[twin], operation, token, WARM_UP_MS, WARM_UP_CONNECTIONS)),
      ),
    )
    const figures: Figure[] = []
    for (const { operation, services, first } of races) {
      for (const twin of TWINS) await put(services[twin], operation, token, RESUME_MS)
      const later = await takeTurns(ROUNDS, (twin) => put(services[twin], operation, token, ROUND_MS))
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

/** Fills the database of things. Returns the read of one. */
export async function readOperation(platform: MeasuredPlatform, owner: string): Promise<Operation> {
  const things = await idsOf(platform.database('thing')`
    INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
    SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', n % 2 = 0
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`)
  return { what: 'read', service: 'thing', status: 200, requests: things.map((id) => get(`/thing/${id}`)) }
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
  const thing = {
    title: 'A thing to create',
    amount: 12,
    price: 3.5,
    due: '2026-05-04',
    startsAt: '2026-05-04T12:00:00+02:00',
    active: true,
  }
  return [
    await readOperation(platform, owner),
    { what: 'list of 100', service: 'thing', status: 200, requests: [get('/thing/all?limit=100')] },
    { what: 'create', service: 'thing', status: 201, requests: [post('/thing', thing)] },
    {
      what: 'create with two references',
      service: 'link',
      status: 201,
      requests: places.map((place) => post('/link', { title: 'A link', account: owner, place })),
    },
    {
      what: 'create with a hook in a transaction',
      service: 'step',
      status: 201,
      requests: steps.map((previous) => post('/step', { title: 'A step', previous })),
    },
  ]
}

/** Measures both twins in alternating rounds. Their order alternates too, because the second has a fuller table. */
async function takeTurns(
  rounds: number,
  measure: (twin: Twin) => Promise<Round>,
): Promise<Twins<readonly Round[]>> {
  const results: Twins<Round[]> = { generated: [], handWritten: [] }
  for (let turn = 0; turn < rounds; turn++)
    for (const twin of turn % 2 === 0 ? TWINS : TWINS.toReversed()) results[twin].push(await measure(twin))
  return results
}

/** Puts load on a service. */
export async function put(
  service: MeasuredService,
  { requests, status }: Operation,
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
  { what }: Operation,
  first: Twins<readonly Round[]>,
  later: Twins<readonly Round[]>,
): Figure[] {
  // Rounds are compared in pairs, because the speed of the machine changes more from one pair to the next than within one.
  const compare = (rounds: Twins<readonly Round[]>, value: (round: Round) => number, unit: string) => {
    const generated = rounds.generated.map(value)
    const handWritten = rounds.handWritten.map(value)
    return {
      value: median(generated.map((each, turn) => each / (handWritten[turn] ?? Number.NaN))),
      unit: 'x',
      detail: `${round(median(generated))} ${unit}, compared with ${round(median(handWritten))} ${unit}`,
    } as const
  }
  return [
    {
      what: `${what}, requests per second relative to hand-written`,
      must: { atLeast: 0.95 },
      ...compare(later, ({ perSecond }) => perSecond, 'per second'),
    },
    {
      what: `${what}, p99 relative to hand-written`,
      must: { atMost: 1.3 },
      ...compare(later, ({ p99Ms }) => p99Ms, 'ms'),
    },
    {
      what: `${what}, requests per second in the first ${FIRST_ROUND_MS / 1000} s relative to hand-written`,
      must: { atLeast: 0.9 },
      ...compare(first, ({ perSecond }) => perSecond, 'per second'),
    },
    // Without a limit. Unlike the others, this does not depend on how busy the machine is.
    {
      what: `${what}, CPU time per request relative to hand-written`,
      must: undefined,
      ...compare(later, ({ processorMs }) => processorMs * 1000, 'µs'),
    },
  ]
}

/** Throws unless both services respond alike: status, important headers and body, except new ids. */
async function expectSameResponse(
  services: Twins<MeasuredService>,
  { requests: [call], status }: Operation,
  token: string,
): Promise<void> {
  if (call === undefined) throw new Error('No request to compare')
  const responses = TWINS.map(async (twin) => {
    const response = await fetch(`http://127.0.0.1:${services[twin].port}${call.path}`, {
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
  const [ours, theirs] = await Promise.all(responses)
  if (ours !== theirs) throw new Error(`The services differ at ${call.path}:\n${ours}\n${theirs}`)
}
