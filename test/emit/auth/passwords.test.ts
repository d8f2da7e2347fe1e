import { readdirSync, readFileSync } from 'node:fs'
import { compareSync, hashSync } from 'bcryptjs'
import { afterAll, expect, test, vi } from 'vitest'
import { createPasswords } from '../../../templates/typescript/auth/src/passwords.ts'

const SETTINGS = { BCRYPT_COST: 10, PASSWORD_QUEUE: 4, PASSWORD_QUEUE_TIMEOUT_MS: 30_000 }
const passwords = createPasswords({ ...SETTINGS, PASSWORD_THREADS: 2 })
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

test('hashes have the configured cost, and old ones match', async () => {
  const costly = createPasswords({ ...SETTINGS, BCRYPT_COST: 11, PASSWORD_THREADS: 1 })
  const [old, hash] = [await passwords.hash(PASSWORD), await costly.hash(PASSWORD)]
  expect(hash).toMatch(/^\$2[aby]\$11\$/)
  expect(await costly.matches(PASSWORD, old)).toBe(true)
  expect(await costly.matches(PASSWORD, hash)).toBe(true)
  expect(await costly.matches(PASSWORD, undefined)).toBe(false)
  await costly.close()
})

test('one password, typed on several systems, is the same', async () => {
  const [composed, decomposed] = ['Caf\u00e9 cr\u00e8me', 'Cafe\u0301\u3000cre\u0300me']
  const hash = await passwords.hash(decomposed)
  expect(compareSync(composed, hash)).toBe(true)
  expect(await passwords.matches(decomposed, hash)).toBe(true)
  expect(await passwords.matches(composed, hash)).toBe(true)
  // A hash from before passwords were normalized.
  const old = hashSync(decomposed, 4)
  expect(await passwords.matches(decomposed, old)).toBe(true)
  expect(await passwords.matches(composed, old)).toBe(false)
  expect(await passwords.matches(decomposed, undefined)).toBe(false)
})

test.each([
  ['addresses', '192.0.2.1', '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.3'],
  ['networks of IPv6', '2001:db8::1', '2001:DB8:0:0:1:2:3:4', '2001:db8:0:1::1', '2001:db9::'],
  ['what is no address', 'unknown', '192.0.2.1:80', '::1', '::1:0:0:0:1'],
])('%s take turns, and one with many tasks gives way to the others', async (_, many, same, few, other) => {
  const single = createPasswords({ ...SETTINGS, PASSWORD_THREADS: 1 })
  const order: string[] = []
  const record = (name: string, client: string) =>
    outcomeOf(client, single).then((outcome) => order.push(`${name} ${outcome}`))
  // One runs, four wait.
  await Promise.all([
    ...Array.from({ length: 6 }, (__, at) => record('many', at % 2 === 0 ? many : same)),
    record('few', few),
    record('other', other),
  ])
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

test('nobody waits longer than configured', async () => {
  const single = createPasswords({ ...SETTINGS, PASSWORD_THREADS: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const never = single.inTurn('192.0.2.1', () => new Promise(() => {}))
  const waiting = ['192.0.2.1', '192.0.2.2', '192.0.2.2'].map((client) => outcomeOf(client, single))
  vi.advanceTimersByTime(29_999)
  expect(await Promise.race([...waiting, Promise.resolve('still waiting')])).toBe('still waiting')
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  expect(await Promise.all(waiting)).toEqual(['503 1', '503 1', '503 1'])
  expect(never).toBeInstanceOf(Promise)
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
