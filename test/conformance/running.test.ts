import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Client } from '../../src/conformance/client.ts'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import { resultLines } from '../../src/conformance/report.ts'
import { runChecks } from '../../src/conformance/run.ts'
import type { Check, RunSummary } from '../../src/conformance/check.ts'
import { startTestPlatform, type TestPlatform } from './platform.ts'

const DEFINITION = `
Shared: project { #authMethod(email); }
Person: service { name: string(20, 1); #auth; #readable(by: all); #enumerable; }
Note: service {
  text: string(50);
  stars: int(3, 1) @unique;
  author: Person;
  noted: datetime @serverSet;
  Line: struct { text: string(9); #enumerable; }
  #enumerable;
  #readable(by: all);
  #public[x];
}
`

/** The user's code in Note. */
const SETUP = `import { HookError, type Env, type Router } from './hooks.ts'
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (_env, _request, input, user) => {
    if (!(await env.comm.person.exists(user.id, user))) throw new HookError(403, 'Create a person first')
    input.noted = '2024-02-29T12:30:00Z'
  })
  env.hooks.line.beforeDelete(() => {
    throw new HookError(402, 'Deleting costs extra')
  })
  router.post('/note/:id', (c) => c.json({}))
  router.post('/note/:parentId/line/:id', (c) => c.var.fail(404, \`Line not found: \${c.req.param('id')}\`))
}
`

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform(DEFINITION)
})

beforeEach(() => platform.change({}))

afterAll(async () => {
  await platform?.stop()
})

/** Checks the platform like one in use, with unknown hooks and data. */
async function checkRunning(): Promise<RunSummary> {
  const target = { ...platform.target, isolated: false }
  return runChecks(platform.platform, deriveChecks(platform.platform), target)
}

test('checking a running platform leaves no data', { timeout: 120_000 }, async () => {
  const { results } = await checkRunning()
  expect(resultLines(results, PAINT, true)).toEqual([])
  const client = new Client(platform.target.gateway, 1)
  try {
    const register = { email: 'user@example.com', password: 'correct horse' }
    const { response } = await client.send({
      method: 'POST',
      path: '/api/auth/register',
      body: JSON.stringify(register),
    })
    const as = {
      name: 'Somebody',
      id: '',
      token: (JSON.parse(response.text) as { AccessToken: string }).AccessToken,
    }
    const left = ['note', 'person'].map(
      async (name) => (await client.send({ method: 'GET', path: `/api/${name}/all`, as })).response.text,
    )
    expect(await Promise.all(left)).toEqual(['{"NoteList":[]}', '{"PersonList":[]}'])
  } finally {
    await client.close()
  }
})

test('values of a small range that another user holds are not touched', async () => {
  const id = '018f6d1e-0000-7000-8000-000000000000'
  await platform.sql(
    'note',
    `INSERT INTO note (id, _owner, text, stars, author, noted)
     VALUES ('${id}', '${id}', 'mine', 2, '${id}', '2024-01-01T00:00:00Z')`,
  )
  const { results } = await checkRunning()
  await platform.sql('note', `DELETE FROM note WHERE id = '${id}'`)
  expect(resultLines(results, PAINT, true)).toEqual([])
})

test('a check that a hook prevents is skipped, with the message of the hook', {
  timeout: 120_000,
}, async () => {
  await platform.change({ 'note/src/setup.ts': () => SETUP })
  const { results } = await checkRunning()
  await platform.sql('note', 'TRUNCATE note CASCADE')
  expect(resultLines(results, PAINT, true)).toEqual([])
  const deletes = results.find(
    ({ group, title }) => group === 'Note.Line' && title.startsWith('delete returns 200'),
  )
  expect(deletes?.reason?.replaceAll(/[0-9a-f-]{36}/g, '<id>')).toBe(
    'a hook responds to DELETE /api/note/<id>/line/<id> with 402 "Deleting costs extra"',
  )
})

test('a conflict of a hook is not taken for a value in use', async () => {
  const setup = SETUP.replace(
    'input.noted',
    "if (input.text !== '') throw new HookError(409, 'Busy')\n    $&",
  )
  await platform.change({ 'note/src/setup.ts': () => setup })
  const checks = deriveChecks(platform.platform).filter(
    ({ group, title }) => group.startsWith('Note') && title.startsWith('create returns 201'),
  )
  const { results } = await runChecks(platform.platform, checks, { ...platform.target, isolated: false })
  const reasons = new Set(results.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(['a hook responds to POST /api/note with 409 "Busy"']))
})

test('checks that sign tokens are skipped without a credential', async () => {
  const checks = deriveChecks(platform.platform).filter(({ title }) => title.includes('are expired'))
  const target = { ...platform.target, isolated: false, credential: undefined }
  const { results } = await runChecks(platform.platform, checks, target)
  expect(new Set(results.map(({ reason }) => reason))).toEqual(
    new Set(['signing such tokens requires `--credentials`']),
  )
})

test('a stopped run returns the results so far', async () => {
  const checks = deriveChecks(platform.platform)
  const stopping = new AbortController()
  const { results } = await runChecks(platform.platform, checks, platform.target, {
    signal: stopping.signal,
    onSequence: () => stopping.abort(),
  })
  expect(results.length).toBeGreaterThan(0)
  expect(results.length).toBeLessThan(checks.length)
})

test('an #auth service that refers to another, entries that clients cannot create, and repeated creates', async () => {
  const other = await startTestPlatform(`
    Other: project { #authMethod(email); #roles[clerk]; }
    Member: service { city: City; #auth; }
    City: service { name: string(9); #readable(by: all); #omit[update, delete]; }
    Invoice: service {
      number: int;
      Payment: struct { amount: int; #enumerable; #omit[create, update, delete]; }
      #readable(by: [this, clerk]);
      #writable(by: clerk);
    }
    Seat: service { row: int(3, 1) @unique; #readable(by: all); #idempotent; }
  `)
  try {
    const checksOf = (name: string): Check[] =>
      deriveChecks(other.platform).filter(({ group }) => group === name)
    const target = { ...other.target, isolated: false }
    const cities = await runChecks(other.platform, checksOf('City'), target)
    expect(cities.results.length).toBeGreaterThan(10)
    expect(resultLines(cities.results, PAINT, true)).toEqual([])
    // Their parents take a role to create.
    const payments = await runChecks(other.platform, checksOf('Invoice.Payment'), other.target)
    expect(payments.results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(4)
    expect(resultLines(payments.results, PAINT, true)).toEqual([])
    // Each attempt to find a free value has a key of its own.
    const id = '018f6d1e-0000-7000-8000-000000000000'
    await other.sql('seat', `INSERT INTO seat (id, _owner, row) VALUES ('${id}', '${id}', 1)`)
    const repeated = checksOf('Seat').filter(({ title }) => title.includes('Idempotency-Key'))
    const seats = await runChecks(other.platform, repeated, target)
    expect(resultLines(seats.results, PAINT, true)).toEqual([])
    expect(seats.results.some(({ outcome }) => outcome === 'passed')).toBe(true)
  } finally {
    await other.stop()
  }
})
