import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, type ExpectStatic, test } from 'vitest'
import { emitProject } from '../../src/emit/project.ts'
import { platformOf } from '../emit/platform.ts'
import { writeFiles } from '../emit/service-process.ts'
import { freshDatabase, type TestDatabase } from '../postgres.ts'
import { A, CASES, FIRST, type Step } from './runner-cases.ts'

/** The command of each language, in a project with the service `home`. */
const RUNNERS = {
  typescript: [process.execPath, 'lib/migrate.ts', 'home'],
  go: ['./home-service', 'migrate', 'home'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>
type RunnerLanguage = keyof typeof RUNNERS

interface Outcome {
  readonly out: string[]
  readonly error: string
  readonly status: number
}

/** A project with its own migrations and database. */
interface Place {
  readonly directory: string
  readonly database: TestDatabase
  /** The service whose `home-db/migrations` they are. */
  readonly write: (files: Step['files']) => Promise<void>
  readonly run: (language: RunnerLanguage, args?: readonly string[], url?: string) => Promise<Outcome>
}

let project: string

async function withPlace(use: (place: Place) => Promise<void>): Promise<void> {
  const database = await freshDatabase()
  // A service keeps the directory of its database.
  const name = `${database.name}-db`
  const directory = join(project, name, 'migrations')
  await mkdir(directory, { recursive: true })
  const asHome = (text: string) => text.replaceAll(name, 'home-db').replaceAll(/ in \d+ ms/g, ' in N ms')
  try {
    await use({
      directory,
      database,
      write: async (files = {}) => {
        for (const [file, content] of Object.entries(files)) {
          if (content === null) await rm(join(directory, `${file}.sql`))
          else await writeFile(join(directory, `${file}.sql`), content)
        }
      },
      run: (language, args = [], url = database.url) => {
        const [command, ...words] = RUNNERS[language]
        return new Promise((resolve) => {
          const options = { cwd: project, env: { DATABASE_URL: url } }
          execFile(command, [...words, name, ...args], options, (error, stdout, stderr) =>
            resolve({
              out: asHome(stdout).split('\n').slice(0, -1),
              error: asHome(stderr).trimEnd(),
              status: Number(error?.code ?? 0),
            }),
          )
        })
      },
    })
  } finally {
    await database.drop()
  }
}

async function take(
  step: Step,
  language: RunnerLanguage,
  { database, write, run }: Place,
  expect: ExpectStatic,
): Promise<void> {
  const { files, before, running, times = 1, args, out = [], error = '', rows } = step
  await write(files)
  if (before !== undefined) await database.sql.unsafe(before)
  const service = new Client({
    connectionString: database.url,
    application_name: `portico ${running?.slice(0, 32)}`,
  })
  if (running !== undefined) await service.connect()
  const outcomes = await Promise.all(Array.from({ length: times }, () => run(language, args)))
  await service.end()
  const isWaiting = (line: string) => line === 'Waiting for another process that applies migrations'
  expect(outcomes.flatMap((each) => each.out).filter((line) => !isWaiting(line))).toEqual(out)
  expect(outcomes.map((each) => [each.error, each.status])).toEqual(
    outcomes.map(() => [error, error === '' ? 0 : 1]),
  )
  if (rows === undefined) return
  const [query, ...values] = rows
  expect((await database.sql.unsafe(query).values()).map(([value]) => value)).toEqual(values)
}

/** Cases run at the same time, each with several processes. */
const TIMEOUT = { timeout: 180_000 }

/** Tests the runner of each language, also on the database that another one has migrated. */
export function testRunners(languages: readonly RunnerLanguage[]): void {
  const pairs = languages.flatMap((first) => languages.map((second) => [first, second] as const))

  beforeAll(async () => {
    project = await writeFiles(emitProject(platformOf(DEFINITION)))
    if (languages.includes('go')) await buildService(join(project, 'home-service'))
  })
  afterAll(() => rm(project, { recursive: true }))

  // Each accepts the database of the other.
  describe.concurrent.each(pairs)('a runner in %s, and then in %s', (first, second) => {
    test.for(CASES)('$name', TIMEOUT, ({ steps }, { expect }) =>
      withPlace(async (place) => {
        await place.write(FIRST)
        for (const [index, step] of steps.entries())
          await take(step, index % 2 === 0 ? first : second, place, expect)
      }),
    )
  })

  describe.concurrent.each(languages)('a runner in %s', (language) => {
    test('gives way to a transaction that uses its table, and runs after it', ({ expect }) =>
      withPlace(async ({ database: { sql }, write, run }) => {
        await write(FIRST)
        await run(language)
        await write({ '0002_b': `-- schema: ${A} -> ${A}\nALTER TABLE home ADD n int;` })
        const reads: number[] = []
        let outcome: Promise<Outcome> | undefined
        await sql.begin(async (transaction) => {
          await transaction`SELECT FROM home`
          outcome = run(language)
          const begun = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()`
          await expect.poll(() => sql.unsafe(begun)).toHaveLength(1)
          for (let i = 0; i < 4; i++) {
            await sleep(600)
            const began = performance.now()
            // A migration that waits in the database would make every other statement wait too.
            await sql`SELECT FROM home`
            reads.push(performance.now() - began)
          }
        })
        expect((await outcome)?.out).toContain(
          'home-db/migrations/0002_b.sql waits for a table that is in use',
        )
        expect(Math.max(...reads)).toBeLessThan(1500)
      }))

    test('waits for a server that answers late', ({ expect }) =>
      withPlace(async ({ database, write, run }) => {
        const { hostname, port } = new URL(database.url)
        const late = createServer((socket) => {
          socket.on('error', () => {})
          void sleep(2500).then(() => socket.pipe(connect(Number(port), hostname)).pipe(socket))
        })
        await once(late.listen(0, '127.0.0.1'), 'listening')
        const url = new URL(database.url)
        url.port = String((late.address() as AddressInfo).port)
        await write(FIRST)
        expect(await run(language, [], url.href)).toMatchObject({ error: '', status: 0 })
        late.close()
      }))

    test('needs a service', async ({ expect }) => {
      const [command, ...words] = RUNNERS[language]
      const stderr = await new Promise((resolve) => {
        execFile(command, words.slice(0, -1), { cwd: project }, (_error, _stdout, text) => resolve(text))
      })
      expect(stderr).toMatch(/^Missing service\. Usage: .+ <service> \[<service>-db\] \[--all\]\n$/)
    })
  })
}

const DEFINITION = 'P: project {} Home: service { name: string; }'

/** Builds the service in Go, which has the command. */
async function buildService(file: string): Promise<void> {
  const inGo = DEFINITION.replace('{}', '{ #language(go); }')
  const cwd = await writeFiles(emitProject(platformOf(inGo)))
  await promisify(execFile)('go', ['build', '-o', file, './home'], { cwd })
  await rm(cwd, { recursive: true })
}
