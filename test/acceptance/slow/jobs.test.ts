import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf, setupPath } from '../../emit/platform.ts'
import { JOBS } from '../../emit/setups/jobs.ts'
import { startService, writeFiles } from '../../emit/service-process.ts'
import { freshDatabase, postgresUrl } from '../../postgres.ts'
import { startPostgresProxy } from '../../postgres-proxy.ts'

const files = emitProject(platformOf(JOBS.definition))
const discarded: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

/** A database, and what starts replicas of the service of `JOBS` on it. */
async function service() {
  const database = await freshDatabase()
  discarded.push(() => database.drop())
  const { sql, url } = database
  const payload = (text: string) => ({ text, rate: '1', at: '2026-01-01T00:00:00Z' })
  return {
    sql,
    url,
    payload,
    start: async (env: Record<string, string> = {}) => {
      const changes = { [setupPath('invoice')]: JOBS.setup }
      const replica = await startService(files, 'invoice', { DATABASE_URL: url, ...env }, changes)
      if (replica.url === '') throw new Error(replica.output.text)
      discarded.push(() => replica.discard())
      const act = (body: object) =>
        fetch(`${replica.url}/invoice/act`, { method: 'POST', body: JSON.stringify(body) })
      return {
        ...replica,
        async add(text: string, more: object = {}) {
          const response = await act({ add: { ...payload(text), ...more } })
          if (response.status !== 200) throw new Error(await response.text())
        },
      }
    },
    effects: async () => (await sql`SELECT text FROM effect ORDER BY id`).map(({ text }) => String(text)),
    /** Makes the scheduled job due, once a replica has stored it. */
    makeScheduledDue: async () => {
      while (
        (await sql`UPDATE _job SET run_at = now() - interval '2 days' WHERE schedule IS NOT NULL`).count === 0
      )
        await sleep(50)
    },
    jobs: () => sql`SELECT name, key, attempt, error FROM _job WHERE schedule IS NULL ORDER BY id`,
  }
}

describe.concurrent('jobs', () => {
  test('run again within 30 s when their replica is killed', async ({ expect }) => {
    const { start, effects, jobs } = await service()
    const first = await start()
    for (const name of ['a', 'b', 'c']) await first.add(`sleep 600000 ${name}`)
    await expect.poll(effects).toHaveLength(3)
    await start()
    const killed = performance.now()
    first.signal('SIGKILL')
    await expect.poll(effects, { timeout: 60_000 }).toHaveLength(6)
    const seconds = (performance.now() - killed) / 1000
    expect(seconds).toBeLessThan(36)
    expect((await effects()).toSorted().slice(0, 2)).toEqual([
      'begin sleep 600000 a 1',
      'begin sleep 600000 a 2',
    ])
    expect(await jobs()).toMatchObject([{ attempt: 2, error: null }, { attempt: 2 }, { attempt: 2 }])
  })

  test('that do not finish in time when the service stops run at once in another replica', async ({
    expect,
  }) => {
    const { start, effects, jobs } = await service()
    const first = await start({ SHUTDOWN_TIMEOUT_MS: '1500' })
    await first.add('sleep 600000 a')
    await first.add('sleep 900 b')
    await expect.poll(effects).toHaveLength(2)
    const stopped = performance.now()
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(performance.now() - stopped).toBeLessThan(10_000)
    expect(await effects()).toContain('sleep 900 b 1 0 1.00')
    expect(await jobs()).toMatchObject([{ attempt: 1, error: null }])
    await start()
    await expect.poll(effects, { timeout: 10_000 }).toContain('begin sleep 600000 a 2')
  })

  test('with a schedule run once for all replicas', async ({ expect }) => {
    const { start, effects, sql, makeScheduledDue } = await service()
    await start()
    await start()
    for (let round = 1; round <= 3; round++) {
      await makeScheduledDue()
      await expect.poll(effects, { timeout: 20_000 }).toHaveLength(round)
      await sleep(6500)
      expect(await effects()).toHaveLength(round)
    }
    expect(await sql`SELECT name, attempt FROM _job`).toEqual([{ name: 'mark_overdue', attempt: 0 }])
  })

  test('with a schedule cannot be ended by an earlier run that has lost its lease', async ({ expect }) => {
    const { start, effects, sql, makeScheduledDue } = await service()
    const replica = await start()
    const begin = async () => {
      await makeScheduledDue()
      await replica.add('wake')
    }
    const hold = async (name: string) => {
      await sql`INSERT INTO effect (text) VALUES (${`hold ${name}`})`
      await begin()
      await expect.poll(effects).not.toContain(`hold ${name}`)
    }
    await hold('first')
    // Its lease is over. What takes the job over ends it, and the next run has begun when the first one ends.
    await begin()
    await expect.poll(effects).toContain('scheduled')
    await hold('second')
    await expect.poll(effects).toContain('scheduled hold second')
    expect(await effects()).not.toContain('scheduled hold first')
    expect(replica.output.text).toContain('another replica has taken it over')
  })

  test('are finished exactly once, even by a replica that lost its lease', async ({ expect }) => {
    const { start, effects, sql, jobs } = await service()
    const replica = await start()
    await replica.add('late 4000')
    await expect.poll(effects).toEqual(['begin late 4000 1'])
    // Its lease is over.
    await sql`UPDATE _job SET run_at = now() WHERE attempt = 1`
    await replica.add('wake')
    await expect.poll(effects).toContain('late 4000 2 0 1.00')
    await sleep(5000)
    expect((await effects()).filter((text) => text.startsWith('late'))).toEqual(['late 4000 2 0 1.00'])
    expect(replica.output.text).toContain('another replica has taken it over')
    expect(await jobs()).toEqual([])
  })

  test('that run are not replaced by one with their key', async ({ expect }) => {
    const { start, effects } = await service()
    const replica = await start()
    await replica.add('sleep 2000 a', { key: 'k' })
    await expect.poll(effects).toHaveLength(1)
    await replica.add('b', { key: 'k' })
    await expect.poll(effects).toEqual(['begin sleep 2000 a 1', 'b 1 0 1.00', 'sleep 2000 a 1 0 1.00'])
  })

  test('that wait with a former name run, and schedules that are gone do not', async ({ expect }) => {
    const { start, effects, sql, payload, jobs } = await service()
    const idle = await start({ JOBS: '0' })
    await idle.add('new', { key: 'k' })
    for (const key of ['k', 'other', null])
      await sql`INSERT INTO _job (name, key, payload) VALUES ('nudge', ${key}, ${sql.json(payload(`old ${key}`))})`
    await sql`INSERT INTO _job (name, payload, schedule) VALUES ('gone', '{}', '* * * * *')`
    await sleep(1000)
    expect(await jobs()).toHaveLength(4)
    await start()
    await expect
      .poll(async () => (await effects()).toSorted())
      .toEqual(['new 1 0 1.00', 'old k 1 0 1.00', 'old null 1 0 1.00', 'old other 1 0 1.00'])
    expect(await sql`SELECT name FROM _job`).toEqual([{ name: 'mark_overdue' }])
    await sql`INSERT INTO _job (name, payload) VALUES ('nudge', ${sql.json(payload('former'))})`
    await expect.poll(effects, { timeout: 10_000 }).toContain('former 1 0 1.00')
  })

  test('have connections of their own, and a minute for a statement', async ({ expect }) => {
    const { start, effects } = await service()
    const replica = await start({ DATABASE_POOL_SIZE: '1' })
    for (const name of 'abcde') await replica.add(`query 6 ${name}`)
    const started = performance.now()
    while (performance.now() < started + 4000) {
      // Would be 503 if a job had the connection.
      await replica.add('another', { later: 3600 })
      await sleep(200)
    }
    await expect.poll(effects, { timeout: 20_000 }).toHaveLength(5)
  })

  test('are taken by a statement that is never prepared', async ({ expect }) => {
    const { start, effects, url } = await service()
    const proxy = await startPostgresProxy(new URL(url))
    discarded.push(() => proxy.close())
    const through = Object.assign(new URL(url), { port: String(proxy.port) })
    through.searchParams.set('sslmode', 'disable')
    const replica = await start({ DATABASE_URL: through.href })
    for (let count = 0; count < 10; count++) await replica.add(`job ${count}`)
    await expect.poll(effects).toHaveLength(10)
    const ofTheQueue = (query: string) => /\b_job\b/.test(query)
    expect(proxy.queries.filter((query) => query.includes('SKIP LOCKED'))).not.toEqual([])
    expect(proxy.prepared.filter(ofTheQueue)).toEqual([])
  })

  test('are all taken within seconds after the table was empty, each once', async ({ expect }) => {
    const { start, effects, sql, payload } = await service()
    const replica = await start()
    await start()
    // Postgres keeps the plan of a statement that was prepared after some executions.
    for (let count = 0; count < 20; count++) await replica.add(`before ${count}`)
    await expect.poll(effects).toHaveLength(20)
    await sql`INSERT INTO _job (name, payload)
      SELECT 'remind', ${sql.json(payload('x'))}::jsonb || jsonb_build_object('text', 'many ' || n) FROM generate_series(1, 3000) AS n`
    await replica.add('wake')
    await expect.poll(effects, { timeout: 60_000, interval: 200 }).toHaveLength(3021)
    expect(new Set(await effects()).size).toBe(3021)
  })
})

test('tests run the jobs that are due', async ({ expect }) => {
  const first = files.find((file) => file.path === 'invoice/test/invoice.test.ts')?.content ?? ''
  const own = first
    .replace(
      "import { createApp } from '../src/app.ts'",
      "import { runJobs } from '#lib/run-jobs.ts'\nimport { createApp, createEnv } from '../src/app.ts'",
    )
    .replace('const app = await createApp({', 'const dependencies = {')
    .replace(
      / {2}setup,\n\}\)/,
      '  setup,\n}\nconst env = createEnv(dependencies)\nconst app = await createApp(dependencies, env)',
    )
  expect(own).toContain('createApp(dependencies, env)')
  const place = await writeFiles(files, {
    [setupPath('invoice')]: JOBS.setup,
    'invoice/test/invoice.test.ts': `${own}
test('Jobs run when the test says so', async () => {
  const payload = { text: 'x', rate: '1', at: '2026-01-01T00:00:00Z' }
  const add = (text: string) => env.jobs.remind.add({ ...payload, text })
  const effects = async () => (await database.pool.query('SELECT text FROM effect ORDER BY id')).rows.map(({ text }) => text)
  await add('a')
  await env.transaction((inner) => inner.jobs.remind.add({ ...payload, text: 'b' }))
  await env.jobs.remind.add({ ...payload, text: 'later' }, { at: new Date(Date.now() + 60_000) })
  assert.deepEqual(await effects(), [])
  await runJobs(env, database)
  assert.deepEqual(await effects(), ['a 1 0 1.00', 'b 1 0 1.00'])
  await add('fail')
  await assert.rejects(runJobs(env, database), /It fails/)
})
`,
  })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './lib/testing-postgres.ts', '--test', 'invoice/test/invoice.test.ts'],
    { cwd: place, env: { ...process.env, TEST_DATABASE_URL: await postgresUrl() } },
  ).catch((error: unknown) => {
    throw new Error(String(Object(error)['stdout']), { cause: error })
  })
  expect(stdout).toMatch(/fail 0/)
})
