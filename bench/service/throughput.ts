import { type Figure, median, round } from '../figures.ts'
import { processorTime } from '../processes.ts'
import { type Load, type LoadResult, putLoad, request } from './load-contract.ts'
import { type MeasuredPlatform, type MeasuredService, measuredPlatform } from './platform.ts'

const CONNECTIONS = 64
const ROUNDS = 7
const ROUND_MS = 3000
const WARM_UP_MS = 2000
const ROWS = 1000
/** The service under measurement has a core for itself; load, database and the services that it calls share the other. */
const SERVICE_CORE = 0
const OTHER_CORE = 1

/** One operation on both twins. */
interface Race {
  readonly what: string
  readonly generated: MeasuredService
  readonly handWritten: MeasuredService
  readonly requests: readonly Call[]
  readonly token: string
  readonly status: number
}

interface Round extends LoadResult {
  /** Processor time of the service, in ms a request. */
  readonly processorMs: number
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Requests a second and p99 of generated services against hand-written ones, in rounds that take turns. */
export async function measureThroughput(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    return [...(await thing(platform)), ...(await link(platform))]
  } finally {
    await platform.stop()
  }
}

async function thing(platform: MeasuredPlatform): Promise<Figure[]> {
  const { id: owner, token } = await platform.token()
  const sql = platform.database('thing')
  const generated = await platform.start('thing', { core: SERVICE_CORE })
  const handWritten = await platform.start('thing', { core: SERVICE_CORE, handWritten: true })
  const fill = async (rows: number) => {
    await sql`TRUNCATE thing`
    await sql`
      INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
      SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', n % 2 = 0
      FROM generate_series(1, ${rows}::int) n`
    await sql`VACUUM ANALYZE thing`
    return (await sql<{ id: string }[]>`SELECT id FROM thing ORDER BY id`).map((row) => row.id)
  }
  const both = { generated, handWritten, token }
  const figures: Figure[] = []

  const ids = await fill(ROWS)
  const reads = ids.map((id) => ({ method: 'GET', path: `/thing/${id}` }))
  figures.push(...(await race({ what: 'read', ...both, requests: reads, status: 200 })))

  await fill(100)
  const lists = [{ method: 'GET', path: '/thing/all' }]
  figures.push(...(await race({ what: 'list of 100', ...both, requests: lists, status: 200 })))

  await fill(ROWS)
  const body = {
    title: 'A thing to create',
    amount: 12,
    price: 3.5,
    due: '2026-05-04',
    startsAt: '2026-05-04T12:00:00+02:00',
    active: true,
  }
  const creates = [{ method: 'POST', path: '/thing', body }]
  figures.push(...(await race({ what: 'create', ...both, requests: creates, status: 201 })))
  await Promise.all([generated.stop(), handWritten.stop()])
  return figures
}

async function link(platform: MeasuredPlatform): Promise<Figure[]> {
  const { id: owner, token } = await platform.token()
  await platform.database('account')`INSERT INTO account (id, name) VALUES (${owner}, 'One')`
  const places = await platform.database('place')<{ id: string }[]>`
    INSERT INTO place (id, _owner, name) SELECT uuidv7(), ${owner}, 'Place ' || n
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`
  const calls = {
    account: await platform.start('account', { core: OTHER_CORE }),
    place: await platform.start('place', { core: OTHER_CORE }),
  }
  const creates = places.map(({ id }) => ({
    method: 'POST',
    path: '/link',
    body: { title: 'A link', account: owner, place: id },
  }))
  return await race({
    what: 'create with two references',
    generated: await platform.start('link', { core: SERVICE_CORE, calls }),
    handWritten: await platform.start('link', { core: SERVICE_CORE, calls, handWritten: true }),
    requests: creates,
    token,
    status: 201,
  })
}

async function race({ what, generated, handWritten, requests, token, status }: Race): Promise<Figure[]> {
  await expectSameAnswer([generated, handWritten], requests[0], token, status)
  const texts = requests.map(({ method, path, body }) => request(method, path, token, body))
  const put = async (service: MeasuredService, durationMs: number): Promise<Round> => {
    const load: Load = {
      port: service.port,
      connections: CONNECTIONS,
      durationMs,
      pauseMs: 0,
      requests: texts,
    }
    const before = processorTime(service.pid)
    const result = await putLoad(load, String(status), OTHER_CORE)
    const answers = result.statuses[status] ?? 1
    return { ...result, processorMs: (processorTime(service.pid) - before) / answers }
  }
  await put(generated, WARM_UP_MS)
  await put(handWritten, WARM_UP_MS)
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    // Who goes first takes turns too: what comes second meets a fuller table.
    if (turn % 2 === 0) ours.push(await put(generated, ROUND_MS))
    theirs.push(await put(handWritten, ROUND_MS))
    if (turn % 2 === 1) ours.push(await put(generated, ROUND_MS))
  }
  console.error(`  ${what}: measured`)
  const perSecond = [median(ours.map((r) => r.perSecond)), median(theirs.map((r) => r.perSecond))] as const
  const processor = [
    median(ours.map((r) => r.processorMs * 1000)),
    median(theirs.map((r) => r.processorMs * 1000)),
  ] as const
  const p99 = [median(ours.map((r) => r.p99Ms)), median(theirs.map((r) => r.p99Ms))] as const
  return [
    {
      what: `${what}, requests a second against hand-written`,
      value: perSecond[0] / perSecond[1],
      unit: 'x',
      must: { atLeast: 0.95 },
      detail: `${round(perSecond[0])} against ${round(perSecond[1])} a second`,
    },
    {
      what: `${what}, p99 against hand-written`,
      value: p99[0] / p99[1],
      unit: 'x',
      must: { atMost: 1.1 },
      detail: `${round(p99[0])} ms against ${round(p99[1])} ms`,
    },
    // Without a bound: what a busy machine does to the other two, it does not do to this.
    {
      what: `${what}, processor time a request against hand-written`,
      value: processor[0] / processor[1],
      unit: 'x',
      must: undefined,
      detail: `${round(processor[0])} µs against ${round(processor[1])} µs`,
    },
  ]
}

/** Throws unless the twins answer alike: status, headers that matter and body, but for the id of what is new. */
async function expectSameAnswer(
  twins: readonly MeasuredService[],
  call: Call | undefined,
  token: string,
  status: number,
): Promise<void> {
  if (call === undefined) throw new Error('No request to compare')
  const answers = twins.map(async ({ port }) => {
    const answer = await fetch(`http://127.0.0.1:${port}${call.path}`, {
      method: call.method,
      headers: { authorization: `Bearer ${token}` },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    const text = await answer.text()
    if (answer.status !== status)
      throw new Error(`${call.method} ${call.path} gave ${answer.status}: ${text}`)
    const { id } = JSON.parse(text) as { id?: string }
    const said = [text, answer.headers.get('location'), answer.headers.get('cache-control')].join('\n')
    return call.method === 'POST' && id !== undefined ? said.replaceAll(id, '<id>') : said
  })
  const [ours, theirs] = await Promise.all(answers)
  if (ours !== theirs) throw new Error(`The twins of ${call.path} differ:\n${ours}\n${theirs}`)
}
