import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { type Answer, idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Shop: project { #authMethod(email); #roles[clerk]; }

Person: service { name: string; #auth; }

Invoice: service {
  title: string(20);
  status: enum(draft, sent, paid, void) @transitions(draft: [sent, void], sent: [paid, void]);
  size: enum(2xl, xl) = xl @transitions(xl: 2xl);
  review: enum(none, asked, done) @serverSet @transitions(none: asked, asked: done);
  #timestamps;
  #readable(by: all);
  #writable(by: this);

  Line: struct {
    label: string;
    constructor: enum(open, closed) @transitions(open: closed, closed: open);
    state: enum(open, closed) @transitions(open: closed);
  }
}

Phase: service { phase: enum(a, b, c, d) @transitions(a: b, b: c, c: d, d: a); #readable(by: this); }
`

/** A hook that changes the status, and data access of the user's own. */
const SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeUpdate((_env, request, input) => {
    if (request.title === 'void it') input.status = 'void'
  })
  router.post('/invoice/:id/pay', async (c) =>
    c.json((await env.datastore.updateInvoice({ id: c.req.param('id'), status: 'paid' }))?.status ?? null),
  )
  router.post('/invoice/:id/review/:review', async (c) => {
    const review = c.req.param('review') === 'asked' ? 'asked' : 'done'
    return c.json((await env.datastore.updateInvoice({ id: c.req.param('id'), review }))?.review ?? null)
  })
  router.post('/invoice/import', async (c) => {
    const imported = { title: 'old', status: 'paid', size: 'xl', review: 'done' } as const
    return c.json((await env.datastore.createInvoice(imported, c.var.caller)).status)
  })
}
`,
  'transitions-invoice.go',
)

const OWNER = randomUUID()
const OTHER = randomUUID()

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { invoice: SETUP } })
})
afterAll(() => platform.stop())

const call = (method: string, path: string, body?: unknown, as = OWNER): Promise<Answer> =>
  platform.call(method, path, { as, body })

const rejection = (name: string, from: string, to: string) => ({
  status: 409,
  text: JSON.stringify({ error: `${name} cannot change from ${from} to ${to}` }),
})

/** A new invoice, changed step by step. */
async function createInvoice(...statuses: string[]): Promise<string> {
  const path = `/invoice/${idOf(await call('POST', '/invoice', { title: 'new' }))}`
  for (const status of statuses)
    expect(await call('PATCH', path, { status })).toMatchObject({ status: 200, json: { status } })
  return path
}

const statusOf = async (path: string) => ((await call('GET', path)).json as { status: string }).status

describe('a new entity', () => {
  test('has the default, or else the first value', async () => {
    const first = { status: 'draft', size: 'xl', review: 'none' }
    for (const given of [{}, { status: 'draft' }, { status: null, size: 'xl' }])
      expect(await call('POST', '/invoice', { title: 'x', ...given })).toMatchObject({
        status: 201,
        json: first,
      })
  })

  test('cannot have another one in a request', async () => {
    for (const [name, value, first] of [
      ['status', 'paid', 'draft'],
      ['size', '2xl', 'xl'],
    ] as const)
      expect(await call('POST', '/invoice', { title: 'x', [name]: value })).toMatchObject({
        status: 400,
        text: JSON.stringify({ error: `Invalid request parameter ${name}: must be ${first}` }),
      })
    expect((await call('POST', '/invoice', { title: 'x', status: 'lost' })).status).toBe(400)
  })

  test('can have any in the data access, for imports', async () => {
    expect((await call('POST', '/invoice/import')).json).toBe('paid')
  })
})

describe.each(['PUT', 'PATCH'])('a %s', (method) => {
  const send = (path: string, status: string, as = OWNER) =>
    call(method, path, method === 'PUT' ? { title: 'new', status } : { status }, as)

  test('changes a value only as declared', async () => {
    const values = ['draft', 'sent', 'paid', 'void']
    const paths = { draft: [], sent: ['sent'], paid: ['sent', 'paid'], void: ['void'] }
    const allowed = new Set(['draft sent', 'draft void', 'sent paid', 'sent void'])
    for (const [from, steps] of Object.entries(paths)) {
      const change = async (to: string) => {
        const path = await createInvoice(...steps)
        const answer = await send(path, to)
        if (from === to || allowed.has(`${from} ${to}`)) {
          expect(answer).toMatchObject({ status: 200, json: { status: to } })
        } else {
          expect(answer).toMatchObject(rejection('status', from, to))
          expect(await statusOf(path)).toBe(from)
        }
      }
      await Promise.all(values.map(change))
    }
  })

  test('of somebody else is 403 or 404, whatever it changes', async () => {
    const path = await createInvoice()
    for (const status of ['sent', 'paid'])
      expect(await send(path, status, OTHER)).toMatchObject({ status: 403 })
    expect(await send(`/invoice/${randomUUID()}`, 'sent')).toMatchObject({ status: 404 })
  })
})

test('a PUT without the value is one with the first', async () => {
  expect(await call('PUT', await createInvoice(), { title: 'x' })).toMatchObject({ status: 200 })
  expect(await call('PUT', await createInvoice('void'), { title: 'x' })).toMatchObject(
    rejection('status', 'void', 'draft'),
  )
})

test('a refused change stores nothing else', async () => {
  const path = await createInvoice('void')
  const before = await call('GET', path)
  expect(await call('PATCH', path, { title: 'other', status: 'sent' })).toMatchObject({ status: 409 })
  expect(await call('PATCH', path, { title: 'other', size: '2xl', status: 'sent' })).toMatchObject({
    status: 409,
  })
  expect((await call('GET', path)).json).toEqual(before.json)
  expect(await call('PATCH', path, { title: 'other', size: '2xl', status: 'void' })).toMatchObject({
    status: 200,
    json: { title: 'other', size: '2xl', status: 'void' },
  })
  expect(await call('PATCH', path, { size: 'xl' })).toMatchObject(rejection('size', '2xl', 'xl'))
  expect(await call('PATCH', path, {})).toMatchObject({ status: 200 })
})

test('a hook changes a value only as declared', async () => {
  expect(await call('PATCH', await createInvoice(), { title: 'void it' })).toMatchObject({
    status: 200,
    json: { status: 'void' },
  })
  const paid = await createInvoice('sent', 'paid')
  expect(await call('PATCH', paid, { title: 'void it' })).toMatchObject(rejection('status', 'paid', 'void'))
  expect((await call('GET', paid)).json).toMatchObject({ title: 'new', status: 'paid' })
})

test('so does the data access, also of what clients cannot send', async () => {
  const path = await createInvoice()
  expect(await call('POST', `${path}/pay`)).toMatchObject(rejection('status', 'draft', 'paid'))
  await call('PATCH', path, { status: 'sent' })
  expect((await call('POST', `${path}/pay`)).json).toBe('paid')
  expect((await call('POST', `/invoice/${randomUUID()}/pay`)).json).toBeNull()
  expect(await call('POST', `${path}/review/done`)).toMatchObject(rejection('review', 'none', 'done'))
  expect((await call('POST', `${path}/review/asked`)).json).toBe('asked')
  expect((await call('POST', `${path}/review/done`)).json).toBe('done')
  expect(await call('POST', `${path}/review/asked`)).toMatchObject(rejection('review', 'done', 'asked'))
})

test('an entry of a struct has transitions too', async () => {
  const path = `${await createInvoice()}/line`
  const line = `${path}/${idOf(await call('POST', path, { label: 'a' }))}`
  expect(await call('POST', path, { label: 'a', state: 'closed' })).toMatchObject({ status: 400 })
  expect(await call('PATCH', line, { constructor: 'closed' })).toMatchObject({ status: 200 })
  expect(await call('PATCH', line, { constructor: 'open', state: 'closed' })).toMatchObject({ status: 200 })
  expect(await call('PATCH', line, { label: 'b', state: 'open' })).toMatchObject(
    rejection('state', 'closed', 'open'),
  )
  expect(await call('PATCH', line, { label: 'b' }, OTHER)).toMatchObject({ status: 403 })
  expect(await call('PATCH', line, { state: 'open' }, OTHER)).toMatchObject({ status: 403 })
  expect(await call('GET', line)).toMatchObject({
    json: { label: 'a', constructor: 'open', state: 'closed' },
  })
})

describe('changes at the same moment', () => {
  test('to values that exclude each other: only one of them holds', async () => {
    for (let round = 0; round < 50; round++) {
      const path = await createInvoice('sent')
      const targets = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'paid' : 'void'))
      const answers = await Promise.all(targets.map((status) => call('PATCH', path, { status })))
      const stored = await statusOf(path)
      for (const [index, answer] of answers.entries()) {
        const status = targets[index] ?? ''
        expect(answer).toMatchObject(
          status === stored ? { status: 200, json: { status } } : rejection('status', stored, status),
        )
      }
    }
  })

  test('in a circle: each answer is that of a change that was possible', async () => {
    const path = `/phase/${idOf(await call('POST', '/phase', {}))}`
    const phases = ['a', 'b', 'c', 'd']
    const follows = (from: string, to: string) => phases[(phases.indexOf(from) + 1) % 4] === to
    let changes = 0
    for (let round = 0; round < 30; round++) {
      const targets = Array.from({ length: 6 }, () => phases[Math.floor(Math.random() * 4)] ?? 'a')
      const answers = await Promise.all(targets.map((phase) => call('PATCH', path, { phase })))
      for (const [index, { status, text }] of answers.entries()) {
        const to = targets[index] ?? ''
        if (status === 200) changes++
        else {
          const [, from = ''] = /^\{"error":"phase cannot change from (\w) to \w"\}$/.exec(text) ?? []
          expect([status, from !== to && !follows(from, to)]).toEqual([409, true])
        }
      }
    }
    expect(changes).toBeGreaterThan(0)
  })
})
