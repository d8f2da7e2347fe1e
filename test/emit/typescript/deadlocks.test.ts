import { afterAll, beforeAll, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { idOf, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Deadlocks: project { #authMethod(email); }
Owner: service { name: string; #auth; }
Home: service {
  name: string;

  Room: struct { name: string @unique; }
  Door: struct { from: Room; }
}
`
const SETUP = setupText(
  `import { sql } from 'drizzle-orm'
import type { Env, Router } from './hooks.ts'

const runs: string[] = []

export default function setup(env: Env, router: Router): void {
  async function lockFirstRoom({ datastore, afterCommit }: Env, parentId: string, name: string): Promise<void> {
    runs.push('run ' + name)
    afterCommit(() => runs.push('committed ' + name))
    await datastore.db.execute(sql\`SELECT FROM room WHERE _parent = \${parentId} ORDER BY id LIMIT 1 FOR UPDATE\`)
  }

  env.hooks.room.beforeCreate((hookEnv, _request, { parentId, name }) => lockFirstRoom(hookEnv, parentId, name))
  router.post('/home/:id/locked-room', async (c) => {
    const parentId = c.req.param('id')
    const { name } = await c.req.json<{ name: string }>()
    const room = await env.transaction(async (tx) => {
      await lockFirstRoom(tx, parentId, name)
      return tx.datastore.createRoom({ parentId, name })
    })
    return c.json({ name: room?.name }, 201)
  })
  router.post('/home/:id/conflicts/:count', async (c) => {
    const { id, count } = c.req.param()
    let run = 0
    await env.transaction(async (tx) => {
      run++
      runs.push('run ' + id)
      await tx.datastore.db.execute(sql\`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ\`)
      await tx.datastore.readHome({ id })
      if (run <= Number(count)) await env.outside((outer) => outer.datastore.updateHome({ id, name: 'changed elsewhere' }))
      await tx.datastore.updateHome({ id, name: 'changed ' + run })
    })
    return c.json({})
  })
  router.get('/home/all/runs', (c) => c.json(runs))
}
`,
  'deadlocks.go',
)
const ann = newUser()

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { home: SETUP } })
})
afterAll(() => platform.stop())

/** A home with two rooms and a door of the first one. */
async function home() {
  const parent = `/home/${idOf(await platform.call('POST', '/home', { as: ann, body: { name: 'Mill' } }))}`
  async function entry(struct: string, body: unknown): Promise<string> {
    return idOf(await platform.call('POST', `${parent}/${struct}`, { as: ann, body }))
  }
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  const rooms = [await entry('room', { name: first }), await entry('room', { name: second })] as const
  return { parent, rooms, names: [first, second] as const, door: await entry('door', { from: rooms[0] }) }
}

/**
 * Sends a request that comes to wait for the row that `held` locks, then asks for the lock of `wanted`, which the
 * request holds by then. Postgres ends one of the two after a second: the request's statement, which waited first.
 */
async function cross(held: string, wanted: string, request: () => ReturnType<RunningPlatform['call']>) {
  const sql = platform.sql('home')
  let answer: ReturnType<RunningPlatform['call']> | undefined
  await sql.begin(async (transaction) => {
    await transaction.unsafe(held)
    answer = request()
    await expect
      .poll(
        () =>
          sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      .not.toHaveLength(0)
    await transaction.unsafe(wanted)
  })
  return await answer
}

/** On a busy machine, the second may pass before the other statement waits. Postgres then ends that one. */
const CROSSING = { retry: 3 }

test('deleting a parent while somebody holds one of its entries', CROSSING, async () => {
  const { parent, rooms, door } = await home()
  const answer = await cross(
    `SELECT 1 FROM door WHERE id = '${door}' FOR UPDATE`,
    `SELECT 1 FROM room WHERE id = '${rooms[1]}' FOR KEY SHARE`,
    () => platform.call('DELETE', parent, { as: ann }),
  )
  expect([answer?.status, answer?.json]).toEqual([200, {}])
})

test('taking a value of an entry that somebody deletes', CROSSING, async () => {
  const { parent, rooms, names } = await home()
  const answer = await cross(
    `DELETE FROM room WHERE id = '${rooms[1]}'`,
    `SELECT 1 FROM room WHERE id = '${rooms[0]}' FOR UPDATE`,
    () => platform.call('PUT', `${parent}/room/${rooms[0]}`, { as: ann, body: { name: names[1] } }),
  )
  expect([answer?.status, answer?.json]).toEqual([200, { id: rooms[0], name: names[1] }])
})

/** What ran for the name of a room or the id of a home. */
async function runs(of: string): Promise<string[]> {
  const { json } = await platform.call('GET', '/home/all/runs', { as: ann })
  return (json as string[]).filter((run) => run.endsWith(of)).map((run) => run.replace(` ${of}`, ''))
}

test.each([
  ['hooks', 'room'],
  ['a transaction of a route', 'locked-room'],
])('%s, once more after a deadlock', CROSSING, async (_what, path) => {
  const { parent, rooms, names } = await home()
  const [kept, taken] = names
  const before = (await runs(taken)).length
  const answer = await cross(
    `DELETE FROM room WHERE id = '${rooms[1]}'`,
    `SELECT 1 FROM room WHERE id = '${rooms[0]}' FOR UPDATE`,
    () => platform.call('POST', `${parent}/${path}`, { as: ann, body: { name: taken } }),
  )
  expect([answer?.status, answer?.json]).toMatchObject([201, { name: taken }])
  expect((await runs(taken)).slice(before)).toEqual(['run', 'run', 'committed'])
  const rows = await platform.sql('home')<{ name: string }[]>`
    SELECT name FROM room WHERE _parent = ${parent.slice('/home/'.length)} ORDER BY id`
  expect(rows.map(({ name }) => name)).toEqual([kept, taken])
})

test('a transaction of a route, once more after a serialization failure', async () => {
  const { parent } = await home()
  const answer = await platform.call('POST', `${parent}/conflicts/1`, { as: ann })
  expect([answer.status, answer.json]).toEqual([200, {}])
  expect((await platform.call('GET', parent, { as: ann })).json).toMatchObject({ name: 'changed 2' })
})

test('no transaction more than twice', async () => {
  const { parent } = await home()
  const answer = await platform.call('POST', `${parent}/conflicts/2`, { as: ann })
  expect([answer.status, answer.json]).toEqual([503, { error: 'Home is unavailable' }])
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await runs(parent.slice('/home/'.length))).toEqual(['run', 'run'])
  expect((await platform.call('GET', parent, { as: ann })).json).toMatchObject({ name: 'changed elsewhere' })
})
