import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compareSync } from 'bcryptjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeService } from '../service-process.ts'
import { authFiles } from './fixture.ts'

/** What passwords.ts exports. */
interface PasswordsModule {
  readonly createPasswords: (threads: number, maxWaiting: number) => Passwords
}
interface Passwords {
  hash(password: string): Promise<string>
  matches(password: string, hash: string | undefined): Promise<boolean>
  close(): Promise<void>
}

let passwords: Passwords

beforeAll(async () => {
  const directory = await writeService(authFiles, 'auth')
  const { createPasswords } = (await import(path.join(directory, 'src/passwords.ts'))) as PasswordsModule
  passwords = createPasswords(2, 4)
})
afterAll(() => passwords.close())

const PASSWORD = 'correct horse'

test('hashes are salted bcrypt of cost 10, and compared', async () => {
  const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  expect(one).toMatch(/^\$2[aby]\$10\$.{53}$/)
  expect(one).not.toBe(other)
  expect(compareSync(PASSWORD, one)).toBe(true)
  expect(await passwords.matches(PASSWORD, one)).toBe(true)
  expect(await passwords.matches(`${PASSWORD}!`, one)).toBe(false)
  expect(await passwords.matches(PASSWORD, undefined)).toBe(false)
})

test('the event loop goes on, and what comes on top of the queue is refused', async () => {
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      passwords.hash(PASSWORD).then(
        () => 'hashed',
        (error: { status: number; headers: unknown }) => `${error.status} ${JSON.stringify(error.headers)}`,
      ),
    ),
  )
  clearInterval(turn)
  expect(turns).toBeGreaterThan(5)
  expect(new Set(outcomes)).toEqual(new Set(['hashed', '503 {"Retry-After":"1"}']))
})

test.runIf(process.platform === 'linux')('threads that hash let others go first', async () => {
  const work = Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  const niceness = () =>
    readdirSync('/proc/self/task')
      .map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'utf8'))
      // The 19th field of proc_pid_stat(5), where the second is in brackets and may hold spaces.
      .map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
  await expect.poll(() => niceness().filter((nice) => nice === 10).length).toBe(2)
  await work
})
