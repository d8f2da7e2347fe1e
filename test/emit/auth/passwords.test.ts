import { readdirSync, readFileSync } from 'node:fs'
import { compareSync } from 'bcryptjs'
import { afterAll, expect, test } from 'vitest'
import { createPasswords } from '../../../templates/typescript/auth/src/passwords.ts'

const passwords = createPasswords({ PASSWORD_THREADS: 2, PASSWORD_QUEUE: 4 })
afterAll(() => passwords.close())

const PASSWORD = 'correct horse'

/** `hashed`, or the status and Retry-After of the error response. */
async function outcomeOf(client: string, queued = passwords): Promise<string> {
  return queued
    .inTurn(client, ({ hash }) => hash(PASSWORD))
    .then(
      () => 'hashed',
      (error: { status: number; getResponse(): Response }) =>
        `${error.status} ${error.getResponse().headers.get('retry-after')}`,
    )
}

test('hashes are salted bcrypt of cost 10, and compared', async () => {
  const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  expect(one).toMatch(/^\$2[aby]\$10\$.{53}$/)
  expect(one).not.toBe(other)
  expect(compareSync(PASSWORD, one)).toBe(true)
  expect(await passwords.matches(PASSWORD, one)).toBe(true)
  expect(await passwords.matches(`${PASSWORD}!`, one)).toBe(false)
  expect(await passwords.matches(PASSWORD, undefined)).toBe(false)
})

test('the event loop goes on, and what exceeds the queue is refused', async () => {
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf('one')))
  clearInterval(turn)
  expect(turns).toBeGreaterThan(5)
  expect(outcomes.filter((outcome) => outcome === 'hashed')).toHaveLength(6)
  expect(new Set(outcomes)).toEqual(new Set(['hashed', '503 1']))
})

test('clients take turns, and one with many tasks gives way to the others', async () => {
  const single = createPasswords({ PASSWORD_THREADS: 1, PASSWORD_QUEUE: 4 })
  const order: string[] = []
  const record = (client: string) =>
    outcomeOf(client, single).then((outcome) => order.push(`${client} ${outcome}`))
  // One runs, four wait.
  await Promise.all([...Array.from({ length: 6 }, () => record('many')), record('few'), record('other')])
  expect(order).toEqual([
    ...Array.from({ length: 3 }, () => 'many 503 1'),
    'many hashed',
    'many hashed',
    'few hashed',
    'other hashed',
    'many hashed',
  ])
  await single.close()
})

test.runIf(process.platform === 'linux')('threads that hash let others go first', async () => {
  const work = Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  const niceness = () =>
    readdirSync('/proc/self/task')
      .map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'utf8'))
      // The 19th field of proc_pid_stat(5), where the second is in brackets and may hold spaces.
      .map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
  await expect.poll(() => niceness().filter((nice) => nice === 10 || nice === 19).length).toBeGreaterThan(1)
  await work
})
