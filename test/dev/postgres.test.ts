import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removePostgresData, startPostgres } from '../../src/dev/postgres.ts'
import { databaseDirectory, freshDatabase } from '../postgres.ts'

let directory: string

beforeAll(async () => {
  directory = await databaseDirectory()
})

afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1 })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test('data survive a restart, a stale lock does no harm, and no role reaches the database of another', async () => {
  const place = path.join(directory, 'restart')
  const first = await startPostgres({ directory: place })
  const home = await first.ensureDatabase('home')
  const host = await first.ensureDatabase('user')
  expect([home.created, host.created]).toEqual([true, true])
  await query(home.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)')
  await expect(query(home.url.replace(/\/[^/]*$/, '/user'), 'SELECT 1')).rejects.toThrow(/permission denied/)
  await expect(startPostgres({ directory: place })).rejects.toThrow(/in use by process \d+/)
  await first.stop()

  await writeFile(path.join(first.directory, 'postmaster.pid'), `${process.pid}\n${first.directory}\n`)
  const second = await startPostgres({ directory: place })
  const again = await second.ensureDatabase('home')
  expect(again.created).toBe(false)
  expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await expect(query(home.url.replace(/:\d+\//, `:${second.port}/`), 'SELECT 1')).rejects.toThrow(/password/)
  await second.dropDatabase('home')
  expect((await second.ensureDatabase('home')).created).toBe(true)
  await second.stop()
})

test('data that were copied by another account are taken over', async () => {
  const place = path.join(directory, 'copied')
  const first = await startPostgres({ directory: place })
  const home = await first.ensureDatabase('home')
  await query(home.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)')
  await first.stop()
  // What `cp -r` of a project leaves: the copies are of whoever copies.
  const copy = path.join(directory, 'copy')
  await cp(first.directory, copy, { recursive: true })
  const second = await startPostgres({ directory: copy })
  const { url } = await second.ensureDatabase('home')
  expect(await query(url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await second.stop()
})

test('a directory of another version, and one that is no database, are said in a sentence', async () => {
  const place = path.join(directory, 'version')
  const server = await startPostgres({ directory: place })
  await server.stop()
  await writeFile(path.join(server.directory, 'PG_VERSION'), '15\n')
  await expect(startPostgres({ directory: place })).rejects.toThrow(
    /is of Postgres 15.*this is Postgres 18.*--fresh/,
  )
  await rm(path.join(server.directory, 'PG_VERSION'))
  await expect(startPostgres({ directory: place })).rejects.toThrow(/holds no database.*--fresh/)
  await removePostgresData(place)
  const fresh = await startPostgres({ directory: place })
  await fresh.stop()
})

test('a taken port is said in a sentence', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  await expect(startPostgres({ directory: path.join(directory, 'port'), port })).rejects.toThrow(
    `Port ${port} is taken`,
  )
  taken.close()
})

test('the server goes when its parent is killed', async () => {
  const place = path.join(directory, 'orphan')
  const module = path.resolve('src/dev/postgres.ts')
  const script = `import { startPostgres } from ${JSON.stringify(module)}
    const server = await startPostgres({ directory: ${JSON.stringify(place)} })
    console.log(server.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script])
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())))
  })
  expect(await readFile(`/proc/${pid}/comm`, 'utf8')).toBe('postgres\n')
  parent.kill('SIGKILL')
  await expect
    .poll(() => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'gone'), { timeout: 10_000 })
    .toBe('gone')
})

test('the database of the test run belongs to an unprivileged role', async () => {
  const database = await freshDatabase('CREATE TABLE t (n int)')
  const [row] =
    await database.sql`SELECT current_user AS name, rolsuper FROM pg_roles WHERE rolname = current_user`
  expect(row).toEqual({ name: database.name, rolsuper: false })
  await database.drop()
})

test('a server that was killed is started again at once, on the same port, with its data', async () => {
  const place = path.join(directory, 'killed')
  const first = await startPostgres({ directory: place })
  const home = await first.ensureDatabase('home')
  const busy = postgres(home.url, { max: 3, onnotice: () => {} })
  await busy`CREATE TABLE kept (n int)`
  const lost = Promise.all([1, 2, 3].map(() => busy`SELECT pg_sleep(60)`.catch(() => 'lost')))
  process.kill(first.pid, 'SIGKILL')
  await first.ended
  const second = await startPostgres({ directory: place, port: first.port })
  expect(await lost).toEqual(['lost', 'lost', 'lost'])
  expect(await query(home.url, 'SELECT * FROM kept')).toEqual([])
  await busy.end({ timeout: 1 })
  await second.stop()
})

test.runIf(process.getuid?.() === 0)(
  'files lie where the account can reach them, and go when they are removed',
  async () => {
    const closed = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
    const place = path.join(closed, 'database')
    const server = await startPostgres({ directory: place })
    await server.stop()
    expect(server.directory).not.toContain(closed)
    expect(await readFile(`${place}.location`, 'utf8')).toBe(`${server.directory}\n`)
    await removePostgresData(place)
    expect(existsSync(server.directory)).toBe(false)
    expect(existsSync(`${place}.location`)).toBe(false)
    await rm(closed, { recursive: true })
  },
)
