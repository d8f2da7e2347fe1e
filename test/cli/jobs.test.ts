import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EmbeddedPlatform } from '../../src/dev/platform.ts'
import { createWorkplace, type Workplace } from '../dev/run-platform.ts'
import { run } from './harness.ts'

const DEFINITION = `Tiny: project {}
Invoice: service { Remind: job { text: string(9); } Sweep: job { #schedule("0 3 29 2 *"); } }
Home: service { beds: int; }
`

let place: Workplace
let platform: EmbeddedPlatform
let sql: postgres.Sql
const cwd = () => ({ cwd: place.directory })

beforeAll(async () => {
  place = await createWorkplace(DEFINITION)
  platform = await place.start()
  sql = postgres((await run(['db', 'invoice', '--url'], cwd())).stdout.trim())
})
afterAll(async () => {
  await sql.end()
  await place.close()
})

/** Stores a dead job of a kind that no service runs any more. Returns its id. */
async function addDead(name: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO _job (name, payload, attempt, error, dead_at) VALUES (${name}, '{}', 20, 'TypeError', '2026-01-02 03:04:05Z')
      RETURNING id`
  return String(row?.id)
}

const stored = async () =>
  (await sql`SELECT name, dead_at IS NOT NULL AS dead FROM _job WHERE schedule IS NULL ORDER BY id`).map(
    ({ name, dead }) => `${name} ${dead === true ? 'dead' : 'waits'}`,
  )

it('lists the jobs of each service with jobs, and lets the dead ones run again or deletes them', async () => {
  expect(platform.failed).toEqual([])
  // The queue stores it once the service runs.
  await expect.poll(() => sql`SELECT name FROM _job`).toEqual([{ name: 'sweep' }])
  await sql`INSERT INTO _job (name, payload, run_at) SELECT 'remind', '{}', '2999-01-01' FROM generate_series(1, 2)`
  await sql`INSERT INTO _job (name, payload, run_at) VALUES ('old', '{}', now() - interval '1 hour')`
  const [first, second] = [await addDead('old'), await addDead('old')]
  const other = await addDead('other')
  const list = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['jobs', ...args], cwd())
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout.replace(/due for 3[67]\d\d s/, 'due for an hour')
  }
  const listed = await list()
  const dead = (id: string) =>
    `    ${id}: 20 attempts until 2026-01-02T03:04:05Z, the last one failed with TypeError`
  expect(listed.split('\n')).toEqual([
    'invoice',
    '  old: 1 waiting, due for an hour, 2 dead',
    dead(first),
    dead(second),
    '  other: 0 waiting, 1 dead',
    dead(other),
    '  remind: 2 waiting, 0 dead',
    '  sweep: 1 waiting, 0 dead',
    '',
  ])
  expect(await list('list', 'Invoice', '-o', place.output)).toBe(listed)

  const jobs = async (...args: string[]) => (await run(['jobs', ...args], cwd())).stdout
  expect(await jobs('retry', 'invoice', first)).toBe('invoice\n  1 dead job will run again\n')
  expect((await stored()).filter((job) => job.endsWith('dead'))).toEqual(['old dead', 'other dead'])
  expect(await jobs('discard', 'invoice', 'other')).toBe('invoice\n  1 dead job discarded\n')
  expect(await jobs('discard', 'invoice', 'remind')).toBe('invoice\n  0 dead jobs discarded\n')
  expect(await stored()).toEqual(['remind waits', 'remind waits', 'old waits', 'old waits', 'old dead'])
  await addDead('old')
  expect(await jobs('retry')).toBe('invoice\n  2 dead jobs will run again\n')
  expect((await stored()).filter((job) => job.endsWith('dead'))).toEqual([])
  const [retried] = await sql`SELECT attempt, error, run_at <= now() AS is_due FROM _job WHERE id = ${first}`
  // A job that has not started yet could be replaced by one of its key.
  expect(retried).toEqual({ attempt: 1, error: null, is_due: true })
})

it('says which services have jobs, which actions there are, and that nothing runs', async () => {
  expect(await run(['jobs', 'list', 'invoices'], cwd())).toMatchObject({
    status: 2,
    stderr: 'error: Unknown service with jobs `invoices`\nhelp: did you mean `invoice`?\n',
  })
  expect(await run(['jobs', 'list', 'home'], cwd())).toMatchObject({
    status: 2,
    stderr: 'error: Unknown service with jobs `home`\nhelp: `invoice` has jobs\n',
  })
  expect(await run(['jobs', 'retyr'], cwd())).toMatchObject({ status: 2, stdout: '' })
  await platform.stop()
  expect(await run(['jobs'], cwd())).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('`portico dev` is not running'),
  })
})
