import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../../dev/run-platform.ts'
import { EXAMPLES_TO_RUN, type RunningExample, startExample } from '../../examples/example.ts'

let running: RunningExample

/** Runs the example with this name for the tests of a block. */
function runExample(name: string, userFiles: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    const example = EXAMPLES_TO_RUN.find((each) => each.name === name)
    if (example === undefined) throw new Error(`Missing examples/${name}`)
    running = await startExample(example, userFiles)
  })
  afterAll(() => running.stop())
}

/** A user of the example. */
interface User {
  readonly token: string
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

const credentials = (): object => ({ email: `${randomUUID()}@example.org`, password: randomUUID() })

async function register(account = credentials()): Promise<User> {
  return userOf(await call(running, 'POST', '/api/auth/register', { body: account }))
}

function userOf({ body: { AccessToken } }: Answer): User {
  const token = String(AccessToken)
  return {
    token,
    send: (method, path, body) => call(running, method, `/api/${path}`, { token, body }),
  }
}

function rolesOf({ token }: User): unknown {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(claims) as { roles: unknown }).roles
}

/** The statuses of requests that were sent at the same time, in ascending order. */
function statuses(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

/** Creates an entity and returns its id. */
async function create(user: User, path: string, body: unknown): Promise<string> {
  const created = await user.send('POST', path, body)
  expect(created).toMatchObject({ status: 201 })
  return String(created.body['id'])
}

const ROOT = join(import.meta.dirname, '../../..')

/** The `setup.ts` of an example's service, with code at the end of its function. */
function extended(example: string, service: string, code: string): Record<string, string> {
  const file = `${service}/src/setup.ts`
  const text = readFileSync(join(ROOT, 'examples', example, 'platform', file), 'utf8')
  const changed = text.replace(/(?<=export default function setup[\s\S]*?\n)(?=\}\n)/, code)
  expect(changed).not.toBe(text)
  return { [file]: changed }
}

/** Code of a hook after the others, which takes long, so that requests at the same time meet. */
const slow = (hook: string): string =>
  `env.hooks.${hook}(() => new Promise((done) => setTimeout(done, 300)))\n`

/** After the hook that adds the job. */
const A_WEEK_PASSES = `env.hooks.afterUpdate(async (env, { subject }) => {
    const before = "UPDATE _job SET run_at = run_at - interval '1 week'"
    if (subject === 'A week later') await env.datastore.db.execute(before)
  })
`

describe('desk', () => {
  runExample('desk', {
    ...extended('desk', 'auth', slow('beforeRegister')),
    ...extended('desk', 'ticket', slow('beforeUpdate') + A_WEEK_PASSES),
  })

  let admin: User
  let agent: User
  let customer: User
  let agentId: string
  let customerId: string
  let organisation: string

  /** Waits until a change of a ticket is in its slow hook. */
  const halfway = () => new Promise((done) => setTimeout(done, 100))
  const openTicket = (): Promise<string> =>
    create(customer, 'ticket', { subject: 'It does not start', text: '' })
  const ticketAs = async (user: User, id: string) => (await user.send('GET', `ticket/${id}`)).body

  beforeAll(async () => {
    const accounts = Array.from({ length: 3 }, credentials)
    const users = await Promise.all(accounts.map(register))
    const [first, ...others] = users.filter((user) => JSON.stringify(rolesOf(user)) === '["admin"]')
    // Of accounts that register at the same time, one is the first.
    expect(others).toEqual([])
    if (first === undefined) throw new Error('Nobody is the admin')
    admin = first

    const account = credentials()
    agent = await register(account)
    agentId = await create(agent, 'member', { name: 'Agent' })
    expect(await admin.send('PUT', `auth/${agentId}/roles`, ['agent'])).toMatchObject({ status: 200 })
    agent = userOf(await call(running, 'POST', '/api/auth/login', { body: account }))
    customer = await register()
    customerId = await create(customer, 'member', { name: 'Customer' })
    organisation = await create(admin, 'organisation', { name: 'Acme', fee: '1200' })
  })

  test('an answer keeps what others change at the same time', async () => {
    const ticket = await openTicket()
    const edited = { subject: 'Edited', text: 'Edited', priority: 1 }
    const edit = customer.send('PUT', `ticket/${ticket}`, edited)
    await halfway()
    const answer = await agent.send('POST', `ticket/${ticket}/comment`, { text: 'Is it plugged in?' })
    expect([answer.status, (await edit).status]).toEqual([201, 200])
    const stored = await ticketAs(customer, ticket)
    expect(stored).toMatchObject(edited)
    expect(stored['answeredAt']).not.toBeNull()
  })

  test.each([
    ['open', 'pending'],
    ['solved', 'solved'],
    ['closed', 'closed'],
  ])('an answer to a ticket that is %s leaves it %s', async (status, after) => {
    const ticket = await openTicket()
    await agent.send('PUT', `ticket/${ticket}`, { subject: 'A', text: '', status })
    await agent.send('POST', `ticket/${ticket}/comment`, { text: 'Is it plugged in?' })
    expect(await ticketAs(customer, ticket)).toMatchObject({ status: after })
  })

  test('a job closes a ticket that is still solved after a week', async () => {
    const [solved, reopened] = [await openTicket(), await openTicket()]
    const set = (ticket: string, status: string, subject = 'A') =>
      customer.send('PUT', `ticket/${ticket}`, { subject, text: '', status })
    await set(reopened, 'solved')
    await set(reopened, 'open')
    await set(solved, 'solved')
    expect(await ticketAs(customer, solved)).toMatchObject({ status: 'solved' })
    await set(solved, 'solved', 'A week later')
    await expect.poll(() => ticketAs(customer, solved)).toMatchObject({ status: 'closed' })
    expect(await ticketAs(customer, reopened)).toMatchObject({ status: 'open' })
  })

  test('a customer does not undo an assignment at the same time', async () => {
    const ticket = await openTicket()
    const change = customer.send('PUT', `ticket/${ticket}`, { subject: 'B', text: '' })
    await halfway()
    const assign = agent.send('PUT', `ticket/${ticket}`, { subject: 'A', text: '', assignee: agentId })
    await halfway()
    const stale = { subject: 'C', text: '' }
    const overwrite = customer.send('PUT', `ticket/${ticket}`, stale)
    expect(await Promise.all([change, assign])).toMatchObject([{ status: 200 }, { status: 200 }])
    await overwrite
    expect(await ticketAs(customer, ticket)).toMatchObject({ assignee: agentId })
    expect(await customer.send('PUT', `ticket/${ticket}`, stale)).toMatchObject({ status: 403 })
  })

  test('a customer sees no notes, no drafts, no organisations and no other customers', async () => {
    const ticket = await openTicket()
    const note = await create(agent, 'note', { ticket, text: 'Same as last week' })
    const category = await create(agent, 'category', { name: randomUUID() })
    const article = await create(agent, 'article', { title: 'Draft', text: '', category })
    const somebody = await register()
    const other = await create(somebody, 'member', { name: 'Somebody' })
    for (const path of [
      `note/${note}`,
      `article/${article}`,
      `organisation/${organisation}`,
      `member/${other}`,
    ])
      expect([path, (await customer.send('GET', path)).status]).toEqual([path, 404])
    const lists = [
      'note/all?total=true',
      'article/all?total=true',
      'article/all?status=draft&total=true',
      'article/all?status[in]=draft&total=true',
      'organisation/all?total=true',
    ]
    for (const path of lists) {
      const response = await fetch(`http://${running.gateway}/api/${path}`, {
        headers: { authorization: `Bearer ${customer.token}` },
      })
      expect([path, response.headers.get('x-total-count')]).toEqual([path, '0'])
      expect(Object.values((await response.json()) as object)).toEqual([[]])
    }
    const { body } = await customer.send('GET', 'member/all')
    expect(body).toMatchObject({ MemberList: [{ id: customerId }] })
    expect(await agent.send('GET', `article/${article}`)).toMatchObject({ status: 200 })
  })

  test('a customer changes and deletes nothing that an agent has written', async () => {
    const ticket = await openTicket()
    const comment = await create(agent, `ticket/${ticket}/comment`, { text: 'Is it plugged in?' })
    const attachment = await create(agent, `ticket/${ticket}/attachment`, {
      name: 'manual',
      content: '',
      comment,
    })
    for (const path of [`comment/${comment}`, `attachment/${attachment}`])
      for (const method of ['PUT', 'DELETE'])
        expect(await customer.send(method, `ticket/${ticket}/${path}`, {})).toMatchObject({ status: 405 })
    expect(await customer.send('DELETE', `ticket/${ticket}`)).toMatchObject({ status: 405 })
  })

  test('only an admin says which organisation a member belongs to, and tickets belong to it', async () => {
    const wanted = { name: 'Customer', organisation }
    expect(await customer.send('PUT', `member/${customerId}`, wanted)).toMatchObject({ status: 400 })
    // Agents see organisations, so that it is the hook that rejects them.
    expect(await agent.send('PUT', `member/${agentId}`, { name: 'Agent', organisation })).toMatchObject({
      status: 403,
    })
    expect(await admin.send('PUT', `member/${customerId}`, wanted)).toMatchObject({ status: 200 })
    const forged = { subject: 'A', text: '', organisation: randomUUID() }
    const ticket = await create(customer, 'ticket', forged)
    expect(await ticketAs(customer, ticket)).toMatchObject({ organisation })
  })
})

describe('stays', () => {
  runExample('stays')

  let host: User
  let guest: User
  let home: string
  const days = (arrival: string, departure: string): object => ({
    home,
    arrival,
    departure,
    guests: 1,
    message: '',
  })

  beforeAll(async () => {
    host = await register()
    guest = await register()
    for (const user of [host, guest]) await create(user, 'host', { name: 'A' })
    home = await create(host, 'home', { address: '12 Lake Road', nightlyRate: 90, beds: 2 })
  })

  test('of bookings that overlap and come at the same time, one is accepted', async () => {
    const wanted = [
      days('2030-07-01', '2030-07-04'),
      days('2030-07-03', '2030-07-05'),
      days('2030-07-02', '2030-07-06'),
      days('2030-06-30', '2030-07-10'),
    ]
    const booked = await Promise.all(wanted.map((stay) => guest.send('POST', 'stay', stay)))
    expect(statuses(booked)).toEqual([201, 409, 409, 409])
  })

  test('a booking ends where the next begins, can be changed, and cannot move to days that are taken', async () => {
    const first = await create(guest, 'stay', days('2031-07-01', '2031-07-04'))
    await create(guest, 'stay', days('2031-07-04', '2031-07-06'))
    const move = (arrival: string, departure: string) =>
      guest.send('PUT', `stay/${first}`, days(arrival, departure))
    expect(await move('2031-07-02', '2031-07-04')).toMatchObject({ status: 200 })
    expect(await move('2031-07-02', '2031-07-05')).toMatchObject({ status: 409 })
  })

  test('only guests review a home, once each, in their own name', async () => {
    const review = { home, stars: 5, text: 'Lovely', author: randomUUID() }
    expect(await host.send('POST', 'review', review)).toMatchObject({ status: 403 })
    await create(guest, 'stay', days('2032-07-01', '2032-07-04'))
    const sent = await Promise.all([1, 2, 3].map(() => guest.send('POST', 'review', review)))
    expect(statuses(sent)).toEqual([201, 409, 409])
    const { body } = await guest.send('GET', 'review/all')
    const own = await guest.send('GET', 'host')
    expect(own.status).toBe(302)
    const [stored] = body['ReviewList'] as { id: string; author: string }[]
    expect(await guest.send('GET', `host/${stored?.author}`)).toMatchObject({ status: 200 })
    const elsewhere = await create(host, 'home', { address: '3 Elm Row', nightlyRate: 80, beds: 2 })
    expect(await guest.send('PUT', `review/${stored?.id}`, { ...review, home: elsewhere })).toMatchObject({
      status: 403,
    })
  })
})

describe('chat', () => {
  runExample('chat')

  test('authors exist, and react once with an emoji', async () => {
    const ada = await register()
    expect(await ada.send('POST', 'room', { title: 'Engines' })).toMatchObject({ status: 403 })
    await create(ada, 'person', { nickname: 'ada' })
    const room = await create(ada, 'room', { title: 'Engines' })
    const nobody = await register()
    expect(await nobody.send('POST', `room/${room}/message`, { text: 'Hello' })).toMatchObject({
      status: 403,
    })
    const message = await create(ada, `room/${room}/message`, { text: 'Hello' })
    const bob = await register()
    await create(bob, 'person', { nickname: 'bob' })
    const react = (user: User) =>
      user.send('POST', `room/${room}/reaction`, { message, emoji: '👋', author: randomUUID() })
    expect(await react(nobody)).toMatchObject({ status: 403 })
    const reactions = await Promise.all([react(ada), react(ada), react(ada)])
    expect(statuses(reactions)).toEqual([201, 409, 409])
    expect(await react(bob)).toMatchObject({ status: 201 })
  })
})

describe('booking', () => {
  runExample('booking')

  test('only who made a reservation can try its PIN, which is not part of a URL', async () => {
    const [ada, eve] = [await register(), await register()]
    const room = await create(ada, 'room', { name: 'Blue', seats: 6, hourlyRate: 12 })
    const wanted = { room, day: '2030-07-01', hour: 9, people: 4, pin: '4711' }
    const reservation = await create(ada, 'reservation', wanted)
    const open = (user: User, pin: string) => user.send('POST', `reservation/${reservation}/open`, { pin })
    expect(await open(eve, '4711')).toMatchObject({ status: 403 })
    expect(await open(ada, '0000')).toEqual({ status: 200, body: { open: false } })
    expect(await open(ada, '4711')).toEqual({ status: 200, body: { open: true } })
    expect(await ada.send('GET', `reservation/${reservation}/open?pin=4711`)).toMatchObject({ status: 405 })
  })

  test('the hour of a room is booked once, however its id is written', async () => {
    const ada = await register()
    const room = await create(ada, 'room', { name: 'Red', seats: 6, hourlyRate: 12 })
    const wanted = { day: '2030-07-01', hour: 9, people: 4, pin: '4711' }
    const sent = [room, room.toUpperCase()].map((id) =>
      ada.send('POST', 'reservation', { ...wanted, room: id }),
    )
    expect(statuses(await Promise.all(sent))).toEqual([201, 409])
  })
})
