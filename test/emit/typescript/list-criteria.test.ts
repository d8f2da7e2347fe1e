import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { type Answer, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Desk: project { #authMethod(email); }
Member: service {
  name: string(20);
  limit: int = 7;
  after: date = now;
  sort: bool = false;
  total: Member?;
  #auth;
  #readable(by: all);
  #enumerable(sort: [name]);
}
Ticket: service {
  title: string(40);
  status: string(20);
  priority: int(5, 1);
  weight: float;
  share: float(precision: 4);
  open: bool;
  assignee: Member;
  openedAt: datetime @serverSet;
  day: date;
  at: time;
  secret: string @server;
  kind: enum(bug, idea);
  cost: decimal(max: 999.99, min: 0);
  note: string(20)?;
  due: date?;
  watcher: Member?;
  #enumerable(
    filter: [kind, cost, note, due, watcher, status, priority, weight, share, open, assignee, openedAt, day, at],
    sort: [weight, kind, cost, note, due, watcher, title, openedAt, priority, status, day, at, share, open, assignee],
  );
}
Shelf: service {
  name: string(20);
  Book: struct {
    genre: string(20); year: int; text: string(10k); lostOn: date?; note: string(9)?;
    #enumerable(filter: [genre, lostOn, note], sort: [year]);
  }
  #readable(by: all);
}
`

interface Ticket {
  readonly id: string
  readonly status: string
  readonly priority: number
  readonly openedAt: string
}

type Row = Ticket & Record<string, unknown>

const ROWS = 2500
const [anna, bob] = [newUser(), newUser()]
const [first, second] = [newUser(), newUser()]

let platform: RunningPlatform
let shelf: string
let all: Ticket[]

beforeAll(async () => {
  platform = await runPlatform(DEFINITION, {
    setup: {
      shelf: setupText(
        `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router) {
  env.hooks.book.beforeList((_env, input) => {
    input.sort ??= '-year'
    input.lostOn = 'null'
    if (input.genre === 'novel') input.limit = Math.min(input.limit ?? 300, 300)
  })
  router.get('/shelf/:id/novels', async (c) => {
    const books = await env.datastore.listBook({ parentId: c.req.param('id'), genre: 'novel', sort: 'year', limit: 3, note: null })
    return c.json(books.map(({ year }) => year))
  })
}
`,
        'list-criteria-shelf.go',
      ),
    },
  })
  await platform.sql('ticket')`
    insert into ticket (id, _owner, title, status, priority, weight, share, open, assignee, opened_at, day, at, secret,
      kind, note, due, watcher, cost)
    select uuidv7(), case when n % 5 = 0 then ${bob}::uuid else ${anna}::uuid end, 'T' || n % 17,
      (array['open', 'Pending', 'älter', 'a,b'])[1 + n % 4], 1 + n % 5, n / 8.0 + n % 7 * 1e-13, (n % 10) / 10.0, n % 2 = 0,
      case when n % 3 = 0 then ${first}::uuid else ${second}::uuid end,
      '2026-01-01T00:00:00Z'::timestamptz + (n * 7919 % 1000) * interval '1 hour 0.000001 seconds',
      '2026-01-01'::date + n % 30, '08:00:00'::time + (n % 100) * interval '1 minute', '',
      (array['bug', 'idea'])[1 + n % 2], case when n % 4 > 0 then 'n' || n % 3 end,
      case when n % 6 > 0 then '2026-02-01'::date + n % 9 end, case when n % 50 = 0 then ${first}::uuid end, n % 400 / 4.0
    from generate_series(1, ${ROWS}::int) n`
  const { json } = await platform.call('POST', '/shelf', { as: anna, body: { name: 'A' } })
  shelf = (json as { id: string }).id
  await platform.sql('shelf')`
    insert into book (id, _parent, genre, year, text, lost_on, note)
    select uuidv7(), ${shelf}, case when n % 2 = 0 then 'novel' else 'poem' end, n % 7, repeat('x', 9000),
      case when n = 2 then '2026-01-01'::date end, case when n = 1 then 'x' when n = 4 then 'null' end
    from generate_series(1, 1200) n`
  all = await list('')
})
afterAll(() => platform.stop())

const get = (query: string, as = anna): Promise<Answer> =>
  platform.call('GET', `/ticket/all?${query}`, { as })

async function list(query: string, as = anna): Promise<Ticket[]> {
  const { status, json, text } = await get(query, as)
  expect(status, text).toBe(200)
  return (json as { TicketList: Ticket[] }).TicketList
}

/** All pages of a list, by their links. */
async function pages<Entity>(path: string, key: string, as = anna): Promise<Entity[][]> {
  const found: Entity[][] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const { status, json, headers, text }: Answer = await platform.call('GET', next, { as })
    expect(status, text).toBe(200)
    found.push((json as Record<string, Entity[]>)[key] ?? [])
    next = /^<\/api(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return found
}

const ids = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id)

describe('filters', () => {
  test.each<[string, (ticket: Row) => boolean]>([
    ['status=open', ({ status }) => status === 'open'],
    ['status=%C3%A4lter', ({ status }) => status === 'älter'],
    ['status=', () => false],
    ["status=open'%20or%20'a'='a", () => false],
    ['status[in]=open,Pending', ({ status }) => status === 'open' || status === 'Pending'],
    ['status%5Bin%5D=open%2CPending', ({ status }) => status === 'open' || status === 'Pending'],
    ['priority=3', ({ priority }) => priority === 3],
    ['priority=3.0', ({ priority }) => priority === 3],
    ['priority[in]=1,2', ({ priority }) => priority < 3],
    ['priority[gt]=3', ({ priority }) => priority > 3],
    ['priority[gte]=3&priority[lt]=5', ({ priority }) => priority === 3 || priority === 4],
    ['priority[lte]=2&status=open', ({ priority, status }) => priority <= 2 && status === 'open'],
    ['priority=1&priority=2'.replace('&priority=2', '&priority[in]=1,2'), ({ priority }) => priority === 1],
    ['weight[lte]=1e1', ({ weight }) => Number(weight) <= 10],
    ['share=0.3', ({ share }) => share === 0.3],
    ['share[gt]=0.3', ({ share }) => Number(share) > 0.3],
    ['open=true', ({ open }) => open === true],
    ['open[in]=true,false', () => true],
    [`assignee=${first.toUpperCase()}`, ({ assignee }) => assignee === first],
    [`assignee[in]=${first},${newUser()}`, ({ assignee }) => assignee === first],
    ['openedAt[gte]=2026-01-10T01:00:00%2B01:00', ({ openedAt }) => openedAt >= '2026-01-10T00:00:00'],
    ['day=2026-01-05', ({ day }) => day === '2026-01-05'],
    ['day[lt]=2026-01-05', ({ day }) => JSON.stringify(day) < '"2026-01-05"'],
    ['cost=9.5', ({ cost }) => cost === '9.50'],
    ['cost[in]=9.5,10', ({ cost }) => cost === '9.50' || cost === '10.00'],
    ['cost[gte]=9.75', ({ cost }) => Number(cost) >= 9.75],
    ['kind=bug', ({ kind }) => kind === 'bug'],
    ['kind[in]=bug,idea', () => true],
    ['note=null', ({ note }) => note === null],
    ['note[in]=null,n1', ({ note }) => note === 'n1'],
    ['note=n1', ({ note }) => note === 'n1'],
    ['watcher=null', ({ watcher }) => watcher === null],
    [`watcher=${first}`, ({ watcher }) => watcher === first],
    ['due=null&kind=idea', ({ due, kind }) => due === null && kind === 'idea'],
    ['due[gt]=2026-02-05', ({ due }) => due !== null && JSON.stringify(due) > '"2026-02-05"'],
    ['at[gte]=09:00:00', ({ at }) => JSON.stringify(at) >= '"09:00:00"'],
  ])('%s', async (query, matches) => {
    const expected = ids(all.filter((ticket) => matches(ticket as Row)))
    expect(ids(await list(query))).toEqual(expected)
    const { headers } = await get(`${query}&total=true&limit=1`)
    expect(headers.get('x-total-count')).toBe(String(expected.length))
    expect(ids((await pages<Ticket>(`/ticket/all?${query}&limit=800`, 'TicketList')).flat())).toEqual(
      expected,
    )
  })

  test('see only what the caller may read', async () => {
    const [mine, other] = [await list('status=open'), await list('status=open', bob)]
    expect(mine.length + other.length).toBe(ROWS / 4)
    expect((await get('status=open&total=true', bob)).headers.get('x-total-count')).toBe(String(other.length))
    expect((await get('total=true', newUser())).headers.get('x-total-count')).toBe('0')
    expect((await get('total=false')).headers.get('x-total-count')).toBeNull()
  })

  test('of some ids, with filters, orders, pages and totals', async () => {
    const some = all.filter((_, index) => index % 41 === 0)
    const others = ids(await list('limit=20', bob))
    const asked = [...ids(some).toReversed(), ...others, newUser()].slice(-100)
    const query = `id[in]=${asked.join(',')}`
    const expected = some.filter(({ id }) => asked.includes(id))
    expect(ids(await list(query))).toEqual(ids(expected))
    const open = expected.filter(({ status }) => status === 'open' || status === 'Pending')
    expect(ids(await list(`${query}&status[in]=open,Pending`))).toEqual(ids(open))
    const { headers } = await get(`${query}&status[in]=open,Pending&total=true`)
    expect(headers.get('x-total-count')).toBe(String(open.length))
    const sorted = expected.toSorted((a, b) => b.priority - a.priority)
    for (const path of [`/ticket/all?${query}&sort=-priority`, `/ticket/all?${query}&sort=-priority&limit=7`])
      expect(ids((await pages<Ticket>(path, 'TicketList')).flat())).toEqual(ids(sorted))
    expect(ids((await pages<Ticket>(`/ticket/all?${query}&limit=9`, 'TicketList')).flat())).toEqual(
      ids(expected),
    )
  })

  test.each([
    ['id[in]=1', 'Invalid request parameter id[in]: must be a UUID'],
    [
      `id[in]=${Array.from({ length: 101 }, newUser).join()}`,
      'Invalid request parameter id[in]: must have at most 100 ids',
    ],
    ['id[gt]=1', 'Unknown query parameter id[gt]'],
    ['limit=2&other=1', 'Unknown query parameter other'],
    ['title=T1', 'Unknown query parameter title'],
    ['secret=', 'Unknown query parameter secret'],
    ['id=1', 'Unknown query parameter id'],
    ['constructor=1', 'Unknown query parameter constructor'],
    ['__proto__=1', 'Unknown query parameter __proto__'],
    ['status[gt]=a', 'Unknown query parameter status[gt]'],
    ['status[]=a', 'Unknown query parameter status[]'],
    ['_owner=1', 'Unknown query parameter _owner'],
    ['status=a&status=b', 'Invalid request parameter status: must not be repeated'],
    ['priority=6', 'Invalid request parameter priority: must be an integer from 1 to 5'],
    ['priority=%203', 'Invalid request parameter priority: must be an integer from 1 to 5'],
    ['priority=null', 'Invalid request parameter priority: must be an integer from 1 to 5'],
    ['priority[in]=1,x', 'Invalid request parameter priority[in]: must be an integer from 1 to 5'],
    ['priority[in]=', 'Invalid request parameter priority[in]: must be an integer from 1 to 5'],
    ['open=1', 'Invalid request parameter open: must be true or false'],
    ['status=%00', 'Invalid request parameter status: must not contain U+0000'],
    [`status=${'x'.repeat(21)}`, 'Invalid request parameter status: must have at most 20 characters'],
    ['assignee=null', 'Invalid request parameter assignee: must be a UUID'],
    ['day=2026-02-30', 'Invalid request parameter day: must be a valid date in the format YYYY-MM-DD'],
    [
      'cost[lt]=1e1',
      'Invalid request parameter cost[lt]: must be a decimal number with at most 36 digits before and 2 after the point',
    ],
    ['kind=other', 'Invalid request parameter kind: must be one of bug, idea'],
    ['due[in]=null', 'Invalid request parameter due[in]: must be a valid date in the format YYYY-MM-DD'],
    ['due[gt]=null', 'Invalid request parameter due[gt]: must be a valid date in the format YYYY-MM-DD'],
    ['total=1', 'Invalid request parameter total: must be true or false'],
    ['limit=0', 'Invalid request parameter limit: must be at least 1'],
    ['limit=-1', 'Invalid request parameter limit: must be at least 1'],
    ['after=x', 'Invalid request parameter after: must be a UUID'],
  ])('%s is refused', async (query, error) => {
    expect(await get(query)).toMatchObject({ status: 400, json: { error } })
  })
})

describe('orders', () => {
  const compare = (a: unknown, b: unknown): number =>
    typeof a === 'string' && typeof b === 'string'
      ? Buffer.compare(Buffer.from(a), Buffer.from(b))
      : Number(a) - Number(b)

  test.each([
    'kind',
    'note',
    'due',
    'watcher',
    'title',
    'openedAt',
    'priority',
    'status',
    'day',
    'at',
    'share',
    'weight',
    'open',
    'assignee',
    'cost',
  ])('by %s, in both directions, whole and in pages', async (attribute) => {
    for (const direction of [1, -1]) {
      const sort = direction === 1 ? attribute : `-${attribute}`
      const value = (ticket: object): unknown => {
        const found: unknown = new Map(Object.entries(ticket)).get(attribute)
        return attribute === 'cost' ? Number(found) : found
      }
      const missing = (ticket: object) => Number(value(ticket) === null)
      const expected = ids(
        all.toSorted((a, b) => missing(a) - missing(b) || direction * compare(value(a), value(b))),
      ).join('\n')
      expect(ids(await list(`sort=${sort}`)).join('\n')).toBe(expected)
      const found = await pages<Ticket>(`/ticket/all?sort=${sort}&limit=301`, 'TicketList')
      expect(ids(found.flat()).join('\n')).toBe(expected)
    }
  })

  test('with filters, which the links keep', async () => {
    const query = 'status[in]=open,Pending&sort=-priority&total=true'
    const expected = all
      .filter(({ status }) => status === 'open' || status === 'Pending')
      .toSorted((a, b) => b.priority - a.priority)
    expect(ids((await pages<Ticket>(`/ticket/all?${query}&limit=77`, 'TicketList')).flat())).toEqual(
      ids(expected),
    )
  })

  test('of entities whose attributes have the names of parameters', async () => {
    for (const name of ['C', 'B', 'A'])
      await platform.call('POST', '/member', { as: newUser(), body: { name } })
    const path = '/member/all?sort=name&limit=2&total=true'
    const found = await pages<{ name: string }>(path, 'MemberList')
    expect(found.map((page) => page.map(({ name }) => name))).toEqual([['A', 'B'], ['C']])
  })

  test('rows that are there all the time are on one page each, while others come and go', async () => {
    const user = newUser()
    const insert = (count: number, kind: string) => platform.sql('ticket')<{ id: string }[]>`
      insert into ticket (id, _owner, title, status, priority, weight, share, open, opened_at, day, at, secret, kind,
        assignee, due, cost)
      select uuidv7(), ${user}, 'T' || (random() * 5)::int, 'open', 1 + (random() * 4)::int, 0, 0, true,
        '2026-01-01T00:00:00Z'::timestamptz + (random() * 9)::int * interval '1 hour', '2026-01-01', '08:00', '',
        ${kind}, ${first}, case when random() > 0.3 then '2026-01-01'::date + (random() * 3)::int end, 0
      from generate_series(1, ${count}::int) returning id`
    const stable = ids(await insert(60, 'bug'))
    const passing = ids(await insert(40, 'idea'))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('title', 'openedAt', 'priority', 'due', 'status'),
        fc.boolean(),
        fc.integer({ min: 8, max: 40 }),
        async (attribute, isDescending, limit) => {
          const found: string[] = []
          let next: string | undefined =
            `/ticket/all?sort=${isDescending ? '-' : ''}${attribute}&limit=${limit}`
          while (next !== undefined) {
            const { json, headers }: Answer = await platform.call('GET', next, { as: user })
            found.push(...ids((json as { TicketList: Ticket[] }).TicketList))
            next = /^<\/api(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
            passing.push(...ids(await insert(2, 'idea')))
            const gone = passing.splice(0, 2)
            await platform.sql('ticket')`delete from ticket where id = any(${gone}::uuid[])`
          }
          const counts = Map.groupBy(found, (id) => id)
          expect(stable.filter((id) => counts.get(id)?.length !== 1)).toEqual([])
          expect([...counts.values()].filter(({ length }) => length > 1)).toEqual([])
        },
      ),
      { numRuns: 15 },
    )
  })

  test('a cursor belongs to its order', async () => {
    const { headers } = await get('sort=-openedAt&limit=2')
    const after = /after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    expect((await get(`sort=-openedAt&limit=2&after=${after}`)).status).toBe(200)
    const error = 'Invalid request parameter after: must come from a page in the same order'
    for (const sort of ['openedAt', 'priority'])
      expect(await get(`sort=${sort}&after=${after}`)).toMatchObject({ status: 400, json: { error } })
    expect((await get(`after=${after}`)).status).toBe(400)
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const id = newUser()
    for (const cursor of [
      'x',
      '',
      id,
      '%00',
      forged(null),
      forged(['-openedAt']),
      forged(['-openedAt', 'x', id]),
    ])
      expect(await get(`sort=-openedAt&after=${cursor}`)).toMatchObject({ status: 400, json: { error } })
    for (const value of [2 ** 53, 2 ** 31, 1.5, null, '1', {}, [1]])
      expect((await get(`sort=priority&after=${forged(['priority', value, id])}`)).status).toBe(400)
    for (const value of [1e39, '0', null])
      expect((await get(`sort=share&after=${forged(['share', value, id])}`)).status).toBe(400)
    expect((await get(`sort=status&after=${forged(['status', "' or 1=1 --", id])}`)).status).toBe(200)
    expect((await get(`sort=status&after=${forged(['status', '\0', id])}`)).status).toBe(400)
  })

  test.each(['sort=secret', 'sort=', 'sort=id', 'sort=--day', 'sort=day,at', 'sort=constructor'])(
    '%s is refused',
    async (query) => {
      expect(await get(query)).toMatchObject({
        status: 400,
        json: { error: /parameter sort: must be title, / },
      })
    },
  )
})

describe('lists of a struct', () => {
  test('of large entries, with an order that a hook sets', async () => {
    const path = `/shelf/${shelf}/book/all`
    const found = await pages<{ year: number }>(`${path}?genre=novel&limit=500`, 'BookList')
    expect(found.map(({ length }) => length)).toEqual([300, 299])
    const years = found.flat().map(({ year }) => year)
    expect(years).toEqual(years.toSorted((a, b) => b - a))
    const page = await platform.call('GET', `${path}?genre=novel&limit=500`, { as: bob })
    expect(page.headers.get('link')).toMatch(/all\?genre=novel&limit=300&after=[\w-]+>; rel="next"$/)
    const text = await platform.call('GET', `${path}?genre=poem&note=x`, { as: bob })
    expect(text.json).toMatchObject({ BookList: [{ note: 'x' }] })
    const { json, headers } = await platform.call('GET', `${path}?genre=poem&total=true&sort=year`, {
      as: bob,
    })
    expect((json as { BookList: unknown[] }).BookList).toHaveLength(600)
    expect(headers.get('x-total-count')).toBe('600')
    expect((await platform.call('GET', `${path}?parentId=${shelf}`, { as: bob })).status).toBe(400)
    expect((await platform.call('GET', `/shelf/${newUser()}/book/all?genre=poem`, { as: bob })).status).toBe(
      404,
    )
  })

  test("in the user's own code", async () => {
    const { json } = await platform.call('GET', `/shelf/${shelf}/novels`, { as: anna })
    expect(json).toEqual([0, 0, 0])
  })
})
