import { afterAll, beforeAll, expect, test } from 'vitest'
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
const ann = newUser()

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION)
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
      .poll(() => sql`SELECT 1 FROM pg_locks WHERE NOT granted`, { timeout: 10_000 })
      .not.toHaveLength(0)
    await transaction.unsafe(wanted)
  })
  return await answer
}

test('deleting a parent while somebody holds one of its entries', async () => {
  const { parent, rooms, door } = await home()
  const answer = await cross(
    `SELECT 1 FROM door WHERE id = '${door}' FOR UPDATE`,
    `SELECT 1 FROM room WHERE id = '${rooms[1]}' FOR KEY SHARE`,
    () => platform.call('DELETE', parent, { as: ann }),
  )
  expect([answer?.status, answer?.json]).toEqual([200, {}])
})

test('taking a value of an entry that somebody deletes', async () => {
  const { parent, rooms, names } = await home()
  const answer = await cross(
    `DELETE FROM room WHERE id = '${rooms[1]}'`,
    `SELECT 1 FROM room WHERE id = '${rooms[0]}' FOR UPDATE`,
    () => platform.call('PUT', `${parent}/room/${rooms[0]}`, { as: ann, body: { name: names[1] } }),
  )
  expect([answer?.status, answer?.json]).toEqual([200, { id: rooms[0], name: names[1] }])
})
