import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { typeErrors } from '../../compiler.ts'
import { JOBS } from '../setups/jobs.ts'
import { platformOf } from '../platform.ts'
import { writeFiles } from '../service-process.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

let platform: RunningPlatform
const call = (body: object) => platform.call('POST', '/invoice/act', { body })
const rows = () =>
  platform.sql('invoice')`SELECT name, payload, key, attempt, error, dead_at IS NOT NULL AS dead FROM _job
    WHERE schedule IS NULL ORDER BY id`
const effects = async () =>
  (await platform.sql('invoice')`SELECT text FROM effect ORDER BY id`).map(({ text }) => String(text))
const metrics = async () => (await fetch(`${platform.services.get('invoice')?.metricsUrl}/metrics`)).text()

beforeAll(async () => {
  platform = await runPlatform(JOBS.definition, { setup: { invoice: JOBS.setup } })
})
afterAll(() => platform.stop())

describe('a job', () => {
  test('runs at once in the replica that added it, with its payload as stored', async () => {
    const rate = { rate: '1.5', at: '2026-01-01T01:00:00+01:00', pdf: 'AAE=' }
    const response = await call({ add: { text: 'stored', later: 3600, ...rate } })
    expect([response.status, response.text]).toEqual([200, expect.stringMatching(/"\d+"/)])
    const [stored] = await rows()
    expect(stored).toMatchObject({
      name: 'remind',
      attempt: 0,
      payload: {
        text: 'stored',
        rate: '1.50',
        at: '2026-01-01T00:00:00Z',
        pdf: 'AAE=',
        note: null,
        kind: 'mail',
      },
    })
    await platform.sql('invoice')`UPDATE _job SET run_at = now() WHERE schedule IS NULL`
    const started = performance.now()
    await call({ add: { text: 'now', ...rate } })
    await expect.poll(effects, { interval: 20 }).toContain('now 1 2 1.50')
    expect(performance.now() - started).toBeLessThan(3000)
    await expect.poll(rows).toEqual([])
    for (const message of ['From the handler', 'job'])
      await expect
        .poll(() => platform.services.get('invoice')?.log())
        .toContainEqual(
          expect.objectContaining({
            message,
            job: 'remind',
            jobId: expect.stringMatching(/^\d+$/),
            attempt: 1,
          }),
        )
  })

  test('with a wrong payload is an error of the code that adds it', async () => {
    const response = await call({ add: { text: 'x'.repeat(501), rate: '1', at: '2026-01-01T00:00:00Z' } })
    expect(response.status).toBe(500)
    await expect
      .poll(() => platform.services.get('invoice')?.output.text)
      .toContain('Invalid payload of the job remind: text must have at most 500 characters')
    expect(await rows()).toEqual([])
  })

  test('is not stored if the transaction is rolled back', async () => {
    expect(
      (await call({ add: { text: 'rolled back', rate: '1', at: '2026-01-01T00:00:00Z' }, fail: true }))
        .status,
    ).toBe(409)
    expect(await rows()).toEqual([])
  })

  test('replaces one of its key, which can be canceled', async () => {
    const one = { rate: '1', at: '2026-01-01T00:00:00Z', later: 3600, key: 'k' }
    await call({ add: { text: 'first', ...one } })
    await call({ add: { text: 'second', ...one } })
    expect((await rows()).map(({ payload }) => payload.text)).toEqual(['second'])
    expect((await call({ cancel: 'k' })).text).toBe('true')
    expect((await call({ cancel: 'k' })).text).toBe('false')
    expect(await rows()).toEqual([])
  })

  test('that fails runs again later, until it is dead', async () => {
    await call({ add: { text: 'fail', rate: '1', at: '2026-01-01T00:00:00Z' } })
    await expect.poll(rows).toMatchObject([{ attempt: 1, error: 'RangeError', dead: false }])
    const sql = platform.sql('invoice')
    const [pause] =
      await sql`SELECT extract(epoch FROM run_at - now())::float AS seconds FROM _job WHERE attempt > 0`
    expect(pause?.['seconds']).toBeGreaterThan(2)
    expect(pause?.['seconds']).toBeLessThan(6)
    await sql`UPDATE _job SET attempt = 19, run_at = now() WHERE attempt > 0`
    await call({ add: { text: 'wakes the queue', rate: '1', at: '2026-01-01T00:00:00Z' } })
    await expect.poll(rows).toMatchObject([{ attempt: 20, dead: true }])
    await expect
      .poll(() => platform.services.get('invoice')?.log())
      .toContainEqual(
        expect.objectContaining({ level: 'error', message: 'A job is dead', job: 'remind', attempt: 20 }),
      )
    expect(platform.services.get('invoice')?.output.text).not.toContain('wakes the queue')
    const text = await metrics()
    expect(text).toMatch(/^invoice_jobs_total\{kind="remind",result="failure"\} 1$/m)
    expect(text).toMatch(/^invoice_jobs_total\{kind="remind",result="dead"\} 1$/m)
    expect(text).toMatch(/^invoice_jobs_total\{kind="mark_overdue",result="success"\} 0$/m)
    expect(text).toMatch(/^invoice_job_seconds_count\{kind="mark_overdue"\} 0$/m)
    expect(text).toMatch(/^invoice_jobs_dead\{kind="remind"\} 1$/m)
    expect(text).toMatch(/^invoice_jobs_waiting\{kind="mark_overdue"\} 1$/m)
    expect(text).toMatch(/^invoice_jobs_oldest_seconds\{kind="remind"\} 0$/m)
    await sql`DELETE FROM _job WHERE schedule IS NULL`
  })

  test('whose stored payload is not valid is not run', async () => {
    const sql = platform.sql('invoice')
    await sql`INSERT INTO _job (name, payload) VALUES ('remind', '{"text": 5}')`
    await call({ add: { text: 'another', rate: '1', at: '2026-01-01T00:00:00Z' } })
    await expect.poll(rows).toMatchObject([{ attempt: 1, error: 'TypeError' }])
    await sql`DELETE FROM _job WHERE schedule IS NULL`
  })

  test('with a schedule is one row, which its end replaces by the next time', async () => {
    const sql = platform.sql('invoice')
    const [before] = await sql`SELECT id, run_at FROM _job WHERE schedule = '0 3 * * *'`
    expect(before?.['run_at'].toISOString()).toMatch(/T03:00:00.000Z$/)
    await sql`UPDATE _job SET run_at = now() - interval '3 days' WHERE schedule IS NOT NULL`
    await call({ add: { text: 'wake', rate: '1', at: '2026-01-01T00:00:00Z' } })
    await expect.poll(effects).toContain('scheduled')
    await expect
      .poll(() => sql`SELECT run_at, attempt FROM _job WHERE schedule IS NOT NULL`)
      .toEqual([{ run_at: before?.['run_at'], attempt: 0 }])
    expect((await effects()).filter((text) => text === 'scheduled')).toHaveLength(1)
  })
})

describe('the types of jobs', () => {
  test('hold what is declared, and nothing else', async () => {
    const files = emitProject(platformOf(JOBS.definition))
    const place = await writeFiles(files, {
      'invoice/src/types.ts': `import type { Env } from './hooks.ts'
export function use(env: Env): void {
  env.jobs.remind.run(async (env, payload, job) => {
    const all: [string, string, Buffer | null, string | null, 'mail' | 'letter'] =
      [payload.rate, payload.at, payload.pdf, payload.note, payload.kind]
    const found = await job.finish(async (inner) => inner.datastore.readInvoice({ id: job.id }))
    env.log.info({ found: found?.id, all, aborted: job.signal.aborted, attempt: job.attempt.toFixed() })
  })
  void env.jobs.remind.add({ text: 'x', rate: '1', at: 'x' }, { at: new Date(), key: 'k' }).then((id) => id.length)
  void env.jobs.remind.cancel('k').then((had: boolean) => had)
  void env.jobs.ping.add({})
  env.jobs.markOverdue.run((_env, job) => job.id)
  // @ts-expect-error
  void env.jobs.remind.add({ text: 'x' })
  // @ts-expect-error
  void env.jobs.remind.add({ text: 5, rate: '1', at: 'x' })
  // @ts-expect-error
  void env.jobs.markOverdue.add({})
  // @ts-expect-error
  env.jobs.markOverdue.run((_env, payload) => payload.text)
}
`,
    })
    expect(await typeErrors(path.join(place, 'tsconfig.json'))).toBe('')
  }, 180_000)
})

test('a service does not start without a handler for each job', async () => {
  const setup = `import type { Env } from './hooks.ts'
export default function setup(env: Env): void { env.jobs.ping.run(() => {}) }
`
  await expect(
    runPlatform(`P: project {} Thing: service { name: string; Ping: job {} SendMail: job {} }`, {
      setup: { thing: setup },
    }),
  ).rejects.toThrow('Jobs without a handler: register them in setup.ts with env.jobs.sendMail.run(...)')
})

test('jobs take memory of the database for rows of their own', () => {
  const [memory, more] = ['', 'Ping: job {}'].map(
    (job) =>
      platformOf(`P: project {} Thing: service { file: data(5M); ${job} }`).services[0]?.rowMemory ?? 0,
  )
  expect(more).toBeGreaterThan(memory ?? 0)
})

test('a service without jobs has nothing of them', () => {
  const files = emitProject(
    platformOf('P: project {} Thing: service { name: string; Ping: job {} } Other: service {}'),
  )
  const other = files.filter((file) => file.path.startsWith('other') && file.owner !== 'user')
  expect(other.filter(({ content }) => /jobs?\b/i.test(content))).toEqual([])
  expect(files.find((file) => file.path === 'package.json')?.content).not.toContain('croner')
})
