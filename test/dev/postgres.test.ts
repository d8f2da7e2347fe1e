import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, link, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabases } from '../../src/dev/databases.ts'
import {
  CONNECTION,
  type RunningPostgres,
  removePostgresData,
  startPostgres,
} from '../../src/dev/postgres.ts'
import { changeOwner, reachableDirectory, unprivilegedUser } from '../../src/dev/system-user.ts'
import { databases as databasesOf } from '../../src/emit/database/databases.ts'
import { schemaScript } from '../../src/emit/database/sql.ts'
import { databaseName, tableName } from '../../src/naming.ts'
import { platformOf } from '../emit/platform.ts'
import { databaseDirectory, freshDatabase } from '../postgres.ts'

let directory: string
let reserved: Promise<RunningPostgres> | undefined

beforeAll(async () => {
  directory = await databaseDirectory()
})

afterAll(async () => {
  await (await reserved)?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { ...CONNECTION, max: 1 })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test('data survives a restart, a stale lock is ignored, and roles cannot access the databases of others', async () => {
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

test.each(['Public', 'None', 'Postgres', 'Template0', 'Template1', 'InformationSchema', 'PgClass'])(
  'the database of a service %s, whose name Postgres reserves, is like all others',
  async (service) => {
    const server = await (reserved ??= startPostgres({ directory: path.join(directory, 'reserved') }))
    const { url, created } = await server.ensureDatabase(databaseName(service))
    expect(created).toBe(true)
    const [{ tables } = { tables: [] }] = databasesOf(
      platformOf(`P: project {}\n${service}: service { xmin: int; }`),
    )
    await query(url, schemaScript(tables))
    const table = `"${tableName(service)}"`
    await query(url, `INSERT INTO ${table} ("id", "_xmin") VALUES (gen_random_uuid(), 7)`)
    expect(await query(url, `SELECT "_xmin" AS n FROM ${table}`)).toEqual([{ n: 7 }])
    expect(await query(server.superuserUrl(), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
)

test('connections of Portico do not read types first', async () => {
  const statements: string[] = []
  const server = await startPostgres({
    directory: path.join(directory, 'types'),
    settings: { log_statement: 'all' },
    onLog: (line) => statements.push(line),
  })
  const databases = openDatabases(server)
  const project = { folders: [], isRunning: false }
  expect(await databases.changed([], project)).toEqual({ databases: [], notices: [] })
  await server.ensureDatabase('home')
  // A database with another record is not one of an interrupted run, which would be deleted.
  await query(server.superuserUrl(), `COMMENT ON DATABASE home IS '{"tables":[]}'`)
  const schema = {
    service: 'home',
    name: 'Home',
    database: 'home',
    migrations: 'home-db/migrations',
    tables: [],
    hash: '',
  }
  await expect(databases.changed([schema], project)).rejects.toThrow(
    'Could not read the schema of the database `home`',
  )
  // It has a new password.
  await query(await databases.ensure(schema), 'SELECT 1')
  await databases.close()
  await server.stop()
  expect(statements.join('\n')).toContain('CREATE DATABASE')
  expect(statements.join('\n')).not.toContain('pg_type')
})

test('data copied by another account changes its owner', async () => {
  const place = path.join(directory, 'copied')
  const first = await startPostgres({ directory: place })
  const home = await first.ensureDatabase('home')
  await query(home.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)')
  await first.stop()
  // `cp -r` of a project makes the current user the owner of the copies.
  const copy = path.join(directory, 'copy')
  await cp(first.directory, copy, { recursive: true })
  const second = await startPostgres({ directory: copy })
  const { url } = await second.ensureDatabase('home')
  expect(await query(url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await second.stop()
})

test('a directory of another version, and one that is not a database, are reported', async () => {
  const place = path.join(directory, 'version')
  const server = await startPostgres({ directory: place })
  await server.stop()
  await writeFile(path.join(server.directory, 'PG_VERSION'), '15\n')
  await expect(startPostgres({ directory: place })).rejects.toThrow(
    /was created by Postgres 15, but this is Postgres 18$/,
  )
  await rm(path.join(server.directory, 'PG_VERSION'))
  await expect(startPostgres({ directory: place })).rejects.toThrow(/is not a database directory$/)
  await removePostgresData(place)
  const fresh = await startPostgres({ directory: place })
  await fresh.stop()
})

test('a port in use is reported', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  await expect(startPostgres({ directory: path.join(directory, 'port'), port })).rejects.toThrow(
    `Port ${port}, which the database needs, is already in use`,
  )
  taken.close()
})

test('the server ends when its parent is killed', async () => {
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

test('a killed server can be restarted at once, on the same port, with its data', async () => {
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
  'files are created where the account can reach them, and can be removed',
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

const account = unprivilegedUser()
/** An account of nobody's. */
const OTHER_USER = 54_321

test.runIf(account !== undefined)('root follows no links and gives no files away', async () => {
  if (account === undefined) return
  const victim = path.join(directory, 'victim')
  await mkdir(victim)
  await writeFile(path.join(victim, 'secret'), '')
  const ownerOf = async (file: string) => (await lstat(file)).uid

  const linked = path.join(directory, 'linked')
  await symlink(victim, linked)
  await expect(changeOwner(linked, account)).rejects.toThrow(`\`${linked}\` is not a directory`)
  await expect(startPostgres({ directory: linked })).rejects.toThrow(/is not a directory/)

  const foreign = path.join(directory, 'foreign')
  await mkdir(foreign)
  await chown(foreign, OTHER_USER, OTHER_USER)
  await expect(changeOwner(foreign, account)).rejects.toThrow(`\`${foreign}\` belongs to another user`)

  const mixed = path.join(directory, 'mixed')
  await mkdir(mixed)
  await symlink(victim, path.join(mixed, 'directory'))
  await changeOwner(mixed, account)
  expect(await ownerOf(mixed)).toBe(account.uid)
  await chown(mixed, 0, 0)
  await link(path.join(victim, 'secret'), path.join(mixed, 'second-name'))
  await expect(changeOwner(mixed, account)).rejects.toThrow(/second-name` is not a file of this database/)
  expect([await ownerOf(victim), await ownerOf(path.join(victim, 'secret'))]).toEqual([0, 0])
})

test.runIf(account !== undefined)('root uses no place that another user controls', async () => {
  const closed = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  const reach = (root: string) => () => reachableDirectory(path.join(closed, 'database'), account, root)
  const fallback = path.join(directory, 'fallback')
  const victim = path.join(directory, 'not-a-location')
  await writeFile(victim, 'mine')
  await symlink(victim, path.join(closed, 'database.location'))
  expect(reach(fallback)()).toContain(fallback)
  expect(await readFile(victim, 'utf8')).toBe('mine')
  expect(await readFile(path.join(closed, 'database.location'), 'utf8')).toContain(fallback)
  await chown(fallback, OTHER_USER, OTHER_USER)
  expect(reach(fallback)).toThrow(`\`${fallback}\` belongs to another user`)
  const linked = path.join(directory, 'fallback-link')
  await symlink(closed, linked)
  expect(reach(linked)).toThrow(`\`${linked}\` is not a directory`)
  await rm(closed, { recursive: true })
})
