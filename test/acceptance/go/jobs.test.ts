import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { targetOf } from '../../../src/emit/targets.ts'
import { platformOf } from '../../emit/platform.ts'
import { type ServiceProcess, startService, writeFiles } from '../../emit/service-process.ts'
import { freshDatabase, postgresUrl, type TestDatabase } from '../../postgres.ts'
import { startPostgresProxy } from '../../postgres-proxy.ts'
import { goLinter, runGo } from './run-go.ts'

const DEFINITION = `Work: project { #language(go); #metrics(prometheus); }
Invoice: service {
  due: date;
  Remind: job {
    #was(Remember);
    text: string(80); level: enum(low, high) = low; when: datetime?; amount: decimal(scale: 2)?; file: data(10)?;
  }
  Sweep: job { #schedule("0 3 29 2 *"); }
}
`
const SETUP = readFileSync(path.join(import.meta.dirname, '../../emit/setups/jobs.go'), 'utf8')
const goFiles = emitProject(platformOf(DEFINITION))
const IN_TYPESCRIPT = platformOf(DEFINITION.replace('(go)', '(typescript)'))
/** How long jobs of other replicas may take to be found, in ms. */
const POLL = { timeout: 20_000 }
/** How long it takes until the job of a killed replica runs again, in ms. */
const LEASE = { timeout: 60_000 }

let database: TestDatabase
const running: ServiceProcess[] = []

beforeEach(async () => {
  database = await freshDatabase()
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.discard()))
  await database.drop()
})

/** Starts a replica of the service, the first of which runs no jobs: it creates the tables. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await startService(
    goFiles,
    'invoice',
    { DATABASE_URL: database.url, SHUTDOWN_TIMEOUT_MS: '300', ...env },
    { 'invoice/setup.go': SETUP },
  )
  expect(service.url, service.output.text).not.toBe('')
  running.push(service)
  return service
}

async function prepare(): Promise<ServiceProcess> {
  const first = await start({ JOBS: '0' })
  await database.sql`CREATE TABLE effect (job bigint, what text, who text)`
  return first
}

async function add(
  service: ServiceProcess,
  request: object,
): Promise<{ status: number; id: number; error?: string }> {
  const response = await fetch(`${service.url}/invoice/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return { status: response.status, ...((await response.json()) as { id: number }) }
}

const effects = async () => {
  const rows = await database.sql<{ what: string }[]>`SELECT what FROM effect ORDER BY what`
  return rows.map(({ what }) => what)
}
const jobs = () =>
  database.sql`SELECT name, payload, key, attempt, error, dead_at FROM _job WHERE schedule IS NULL ORDER BY id`
const until = (read: () => unknown, expected: unknown, options = POLL) =>
  expect.poll(read, options).toEqual(expected)

describe('one replica', () => {
  test('runs what is committed, once, at its time, with what is declared', async () => {
    await prepare()
    const service = await start()
    const began = performance.now()
    await add(service, { text: 'first' })
    await until(effects, ['first'], { timeout: 4000 })
    expect(performance.now() - began).toBeLessThan(4000)
    await add(service, { text: 'never', isRollback: true })
    await add(service, { text: 'later', after: 1500 })
    await add(service, { text: 'settings' })
    expect(await add(service, { text: 'x'.repeat(81) })).toMatchObject({
      status: 400,
      error: 'invalid payload of the job remind: text must have at most 80 characters',
    })
    await until(effects, ['1min', 'first', 'later'])
    expect(await jobs()).toEqual([])
    const lines = service.log().filter(({ job }) => job === 'remind')
    expect(lines.slice(0, 2)).toMatchObject([
      { message: 'in the handler', jobId: expect.stringMatching(/^\d+$/), attempt: 1 },
      { message: 'job', level: 'info', attempt: 1, durationMs: expect.any(Number) },
    ])
  })

  test('stores JSON that every language writes', async () => {
    const service = await prepare()
    const given = { text: 'é<', when: '2030-01-01T01:00:00+01:00', amount: '1.5', file: 'aGk=' }
    await add(service, given)
    expect(await jobs()).toMatchObject([
      { name: 'remind', payload: { ...given, level: 'low', when: '2030-01-01T00:00:00Z', amount: '1.50' } },
    ])
  })

  test('keeps one waiting job for a key', async () => {
    const service = await prepare()
    const first = await add(service, { text: 'old', key: 'a', after: 3_600_000 })
    const second = await add(service, { text: 'new', key: 'a' })
    expect(second.id).toBe(first.id)
    await add(service, { text: 'gone', key: 'b' })
    const cancel = async (key: string) =>
      (await fetch(`${service.url}/invoice/jobs/${key}`, { method: 'DELETE' })).json()
    expect([await cancel('b'), await cancel('b')]).toEqual([{ wasWaiting: true }, { wasWaiting: false }])
    await start()
    await until(effects, ['new'])
  })

  test('counts failures, and gives up after the last attempt', async () => {
    await prepare()
    await database.sql`INSERT INTO _job (name, payload, attempt) VALUES
      ('remind', '{"text": "fail", "level": "low"}', 19), ('remind', '{"text": "panic:secret", "level": "low"}', 0),
      ('remind', '{"text": 1}', 0), ('remind', '{"text": "killed"}', 20)`
    const service = await start()
    const state = async () =>
      (await jobs()).map((row) => [row['attempt'], row['error'], row['dead_at'] !== null])
    await until(state, [
      [20, 'Error', true],
      [1, 'Error', false],
      [1, 'Error', false],
      [21, 'Error', true],
    ])
    const levels = () =>
      service
        .log()
        .flatMap(({ level, message }) => (message.startsWith('A job') ? [`${level}: ${message}`] : []))
        .toSorted()
    await until(levels, [
      'error: A job is dead',
      'error: A job is dead',
      'warn: A job failed',
      'warn: A job failed',
    ])
    expect(service.output.text).not.toContain('secret')
    const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text()
    for (const line of [
      'invoice_jobs_total{kind="remind",result="dead"} 2',
      'invoice_jobs_total{kind="remind",result="failure"} 2',
      'invoice_jobs_total{kind="sweep",result="success"} 0',
      'invoice_job_seconds_count{kind="remind"} 4',
      'invoice_jobs_dead{kind="remind"} 2',
      'invoice_jobs_waiting{kind="remind"} 2',
      'invoice_jobs_waiting{kind="sweep"} 1',
      'invoice_jobs_oldest_seconds{kind="remind"} 0',
    ])
      expect(metrics.split('\n')).toContain(line)
  })

  test('runs jobs with former names, and forgets schedules that it does not know', async () => {
    await prepare()
    const payload = (text: string) => database.sql.json({ text, level: 'low' })
    await database.sql`INSERT INTO _job (name, payload, key, schedule, run_at) VALUES
      ('remember', ${payload('old')}, NULL, NULL, now()), ('remember', ${payload('kept')}, 'a', NULL, '2999-01-01'),
      ('remind', ${payload('new')}, 'a', NULL, '2999-01-01'), ('unknown', '{}', NULL, '* * * * *', now())`
    await start()
    await until(effects, ['old'])
    await database.sql`INSERT INTO _job (name, payload) VALUES ('remember', ${payload('of an old replica')})`
    await until(effects, ['of an old replica', 'old'])
    const rows = await database.sql`SELECT name, payload->>'text' AS text FROM _job ORDER BY id`
    expect(rows).toEqual([
      { name: 'remember', text: 'kept' },
      { name: 'remind', text: 'new' },
      { name: 'sweep', text: null },
    ])
  })

  test('takes jobs with a statement that is never prepared', async () => {
    await prepare()
    const proxy = await startPostgresProxy(new URL(database.url))
    const through = Object.assign(new URL(database.url), { port: String(proxy.port) })
    through.searchParams.set('sslmode', 'disable')
    const service = await start({ DATABASE_URL: through.href })
    const names = Array.from({ length: 10 }, (_, number) => `job ${number}`)
    for (const text of names) await add(service, { text })
    await until(effects, names, { timeout: 60_000 })
    const readsDueJobs = (query: string) => /SKIP LOCKED|ORDER BY run_at LIMIT/.test(query)
    expect(proxy.queries.filter((query) => query.includes('SKIP LOCKED'))).not.toEqual([])
    // Other statements are.
    expect(proxy.prepared).toContainEqual(expect.stringContaining('INSERT INTO _job'))
    expect(proxy.prepared.filter(readsDueJobs)).toEqual([])
    await proxy.close()
  })

  test('takes thousands of jobs that were added to an empty table', async () => {
    await prepare()
    await start()
    await database.sql`INSERT INTO _job (name, payload)
      SELECT 'remind', json_build_object('text', n::text, 'level', 'low') FROM generate_series(1, 3000) AS n`
    await until(async () => (await effects()).length, 3000, { timeout: 60_000 })
  })
})

describe('several replicas', () => {
  test('run what another one has left: killed, or stopped in the middle', async () => {
    await prepare()
    const [killed, stopped] = [await start(), await start()]
    for (const number of [1, 2, 3]) await add(killed, { text: `wait:killed ${number}` })
    await until(
      effects,
      [1, 2, 3].map((number) => `began wait:killed ${number}`),
    )
    await add(stopped, { text: 'wait:stopped' })
    await until(async () => (await effects()).length, 4)
    killed.signal('SIGKILL')
    await start()
    stopped.signal('SIGTERM')
    expect(await stopped.ended).toBe(0)
    expect(stopped.log().map(({ message }) => message)).toContain('A job was aborted')
    // Within the time in which replicas look, which is less than that of the lease.
    await until(async () => (await effects()).includes('wait:stopped'), true, { timeout: 15_000 })
    await until(
      effects,
      [
        ...[1, 2, 3].map((number) => `began wait:killed ${number}`),
        'began wait:stopped',
        ...[1, 2, 3].map((number) => `wait:killed ${number}`),
        'wait:stopped',
      ],
      LEASE,
    )
    expect(await jobs()).toEqual([])
  })

  test('commit nothing of a job that another one has taken over', async () => {
    await prepare()
    const first = await start()
    await add(first, { text: 'lose:a' })
    await until(effects, ['began lose:a'])
    // As if the first one had been frozen.
    await database.sql`UPDATE _job SET run_at = now() WHERE schedule IS NULL`
    await start()
    await until(effects, ['began lose:a', 'lose:a', 'lost lose:a'])
    expect(await jobs()).toEqual([])
  })

  test('run each time of a schedule once', async () => {
    await prepare()
    await Promise.all([start(), start()])
    const scheduled = () => database.sql`SELECT schedule, attempt, run_at > now() AS waits FROM _job`
    const one = [{ schedule: '0 3 29 2 *', attempt: 0, waits: true }]
    await until(scheduled, one)
    for (const round of [1, 2]) {
      await database.sql`UPDATE _job SET run_at = now() - interval '3 days'`
      await until(
        effects,
        Array.from({ length: round }, () => 'swept'),
      )
      await until(scheduled, one)
    }
  })

  test('in another language run the same jobs', { timeout: 120_000 }, async () => {
    await prepare()
    const typescript = await startService(
      emitProject(IN_TYPESCRIPT),
      'invoice',
      { DATABASE_URL: database.url },
      { 'invoice/src/setup.ts': TYPESCRIPT },
    )
    running.push(typescript)
    expect(typescript.url, typescript.output.text).not.toBe('')
    await start()
    const taken = async () => (await database.sql`SELECT FROM _job WHERE attempt > 0`).length
    await database.sql.begin(async (sql) => {
      // One of them could run all before the other one looks.
      await sql`LOCK TABLE effect IN SHARE MODE`
      await database.sql`INSERT INTO _job (name, payload)
        SELECT 'remind', json_build_object('text', n::text, 'level', 'low') FROM generate_series(1, 300) AS n`
      await until(taken, 10)
    })
    await until(async () => (await effects()).length, 300, { timeout: 60_000 })
    const counts = await database.sql`
      SELECT count(DISTINCT what)::int AS jobs, count(DISTINCT who)::int AS languages FROM effect`
    expect(counts).toEqual([{ jobs: 300, languages: 2 }])
    expect(await jobs()).toEqual([])
  })
})

const TYPESCRIPT = `import { sql } from 'drizzle-orm'
import type { Env } from './hooks.ts'

export default function setup(env: Env) {
  env.jobs.remind.run((_, { text }, job) =>
    job.finish(({ datastore: { db } }) =>
      db.execute(sql\`INSERT INTO effect (job, what, who) VALUES (\${job.id}, \${text}, 'typescript')\`),
    ),
  )
  env.jobs.sweep.run(() => {})
}
`

test('the command of an image that looks after jobs prints the same in all languages', async () => {
  await prepare()
  const env = { DATABASE_URL: database.url }
  const [place, typescriptPlace] = [await writeFiles(goFiles), await writeFiles(emitProject(IN_TYPESCRIPT))]
  const [service] = IN_TYPESCRIPT.services
  const inTypeScript = async (...words: string[]) => {
    const [, ...command] = service === undefined ? [] : targetOf(service).image.jobs(service)
    const options = { cwd: typescriptPlace, env: { ...process.env, ...env } }
    return (await promisify(execFile)(process.execPath, [...command, ...words], options)).stdout
  }
  // `/service` in an image.
  const inGo = (...words: string[]) => runGo('go', ['run', './invoice', 'jobs', ...words], place, env)
  const fill = () => database.sql`INSERT INTO _job (name, payload, attempt, error, dead_at, run_at) VALUES
    ('remind', '{}', 0, NULL, NULL, '2999-01-01'), ('old', '{}', 20, '40001', '2026-01-02 03:04:05Z', now()),
    ('old', '{}', 20, NULL, '2026-01-02 03:04:05Z', now()), ('other', '{}', 20, 'Error', '2026-01-02 03:04:05Z', now())`
  await fill()
  const listed = await inGo('list')
  expect(listed.split('\n')).toEqual([
    'old: 0 waiting, 2 dead',
    expect.stringMatching(
      /^ {2}\d+: 20 attempts until 2026-01-02T03:04:05Z, the last one failed with 40001$/,
    ),
    expect.stringMatching(/^ {2}\d+: 20 attempts until 2026-01-02T03:04:05Z, the last one failed with $/),
    'other: 0 waiting, 1 dead',
    expect.stringMatching(/^ {2}\d+: 20 attempts/),
    'remind: 1 waiting, 0 dead',
    '',
  ])
  expect(await inTypeScript('list')).toBe(listed)
  const states = () =>
    database.sql`SELECT name, attempt, dead_at IS NULL AS waits, error FROM _job ORDER BY id`
  const results: unknown[] = []
  for (const run of [inGo, inTypeScript]) {
    await database.sql`TRUNCATE _job`
    await fill()
    const output = [await run('retry', 'other'), await run('discard', 'old'), await run('discard')]
    results.push([output, await states()])
  }
  expect(results[0]).toEqual([
    ['1 dead job will run again\n', '2 dead jobs discarded\n', '0 dead jobs discarded\n'],
    [
      { name: 'remind', attempt: 0, waits: true, error: null },
      { name: 'other', attempt: 1, waits: true, error: null },
    ],
  ])
  expect(results[1]).toEqual(results[0])
})

test('a service whose job has no handler does not start', async () => {
  const service = await startService(
    goFiles,
    'invoice',
    { DATABASE_URL: database.url },
    { 'invoice/setup.go': SETUP.replace(/\tenv\.Jobs\.Sweep\.Run[\s\S]*?\n\t\}\)\n/, '') },
  )
  expect(await service.ended).toBe(1)
  expect(service.output.text).toContain(
    'jobs without a handler: register them in setup.go with env.Jobs.Sweep.Run(...)',
  )
})

const TEST = `package main

import (
	"context"
	"testing"

	"example.com/work/internal/platform"
	"example.com/work/internal/platform/platformtest"
)

func TestJobs(t *testing.T) {
	ctx := context.Background()
	parts, environment := platformtest.New(t, "invoice-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	if _, err := newAPI(ctx, env); err != nil {
		t.Fatal(err)
	}
	if _, err := env.DB.Exec(ctx, "CREATE TABLE effect (job bigint, what text, who text)"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a", "fail"} {
		if _, err := env.Jobs.Remind.Add(ctx, RemindRequest{Text: text}, platform.AddOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := env.queue.RunDue(ctx); err == nil || err.Error() != "it has failed" {
		t.Error(err)
	}
	count, err := env.DB.Exec(ctx, "DELETE FROM effect WHERE what = 'a'")
	if count != 1 || err != nil {
		t.Error(count, err)
	}
}
`

test('tests of a project run the jobs that are due', { timeout: 300_000 }, async () => {
  const place = await writeFiles(goFiles, { 'invoice/setup.go': SETUP, 'invoice/jobs_test.go': TEST })
  const env = { TEST_DATABASE_URL: await postgresUrl() }
  const output = await runGo('go', ['test', '-count=1', './invoice'], place, env)
  expect(output).toMatch(/^ok\s/)
})

test.each([
  { name: 'with everything', text: DEFINITION },
  { name: 'without metrics', text: DEFINITION.replace('#metrics(prometheus); ', '') },
  { name: 'without schedules', text: DEFINITION.replace(/ {2}Sweep.*\n/, '') },
  { name: 'without payloads', text: DEFINITION.replace(/ {2}Remind: job \{[^}]*\}/, '  Remind: job {}') },
])('a new project passes its tests, gofmt and linters $name', { timeout: 300_000 }, async ({ text }) => {
  const place = await writeFiles(emitProject(platformOf(text)))
  const packages = ['./invoice', './internal/...']
  expect(await runGo('gofmt', ['-l', '.'], place)).toBe('')
  expect(await runGo('go', ['vet', ...packages], place)).toBe('')
  expect(await runGo('go', ['mod', 'verify'], place)).toBe('all modules verified\n')
  for (const [linter, parameters] of [
    ['staticcheck', ['-checks', 'all']],
    ['errcheck', []],
    ['ineffassign', []],
  ] as const) {
    const output = await runGo(goLinter(linter), [...parameters, ...packages], place)
    expect(output.replace(/^\S+\/request\.go:\S+ var traceCall is unused \(U1000\)\n/m, ''), linter).toBe('')
  }
  const env = { TEST_DATABASE_URL: await postgresUrl() }
  expect(await runGo('go', ['test', '-count=1', './invoice'], place, env)).toMatch(/^ok\s/)
})
