import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Client } from '../../src/conformance/client.ts'
import { derive } from '../../src/conformance/derive.ts'
import { resultLines } from '../../src/conformance/report.ts'
import { runChecks } from '../../src/conformance/run.ts'
import type { Summary } from '../../src/conformance/check.ts'
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
}
`

/** The user's code of Note. */
const SETUP = `import { HookError, type Env, type Router } from './hooks.ts'
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (_env, _request, input, caller) => {
    if (!(await env.comm.person.exists(caller.id, caller))) throw new HookError(403, 'Say who you are first')
    input.noted = '2024-02-29T12:30:00Z'
  })
  env.hooks.line.beforeDelete(() => {
    throw new HookError(402, 'Deleting costs extra')
  })
  router.patch('/note/:id', (c) => c.json({}))
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

/** Checks the platform as one that belongs to somebody: nothing is known of its hooks or its data. */
async function checkRunning(): Promise<Summary> {
  const target = { ...platform.target, pristine: false }
  return runChecks(platform.platform, derive(platform.platform), target)
}

test('a platform that runs is left as it was found', async () => {
  const { results } = await checkRunning()
  expect(resultLines(results, PAINT, true)).toEqual([])
  const client = new Client(platform.target.gateway, 1)
  try {
    const register = { email: 'somebody@example.com', password: 'correct horse' }
    const { answer } = await client.send({
      method: 'POST',
      path: '/api/auth/register',
      body: JSON.stringify(register),
    })
    const as = {
      name: 'Somebody',
      id: '',
      token: (JSON.parse(answer.text) as { AccessToken: string }).AccessToken,
    }
    const left = ['note', 'person'].map(
      async (name) => (await client.send({ method: 'GET', path: `/api/${name}/all`, as })).answer.text,
    )
    expect(await Promise.all(left)).toEqual(['{"NoteList":[]}', '{"PersonList":[]}'])
  } finally {
    await client.close()
  }
})

test('values of a small range that somebody holds are left to them', async () => {
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

test('what a hook refuses is skipped, with what it says', async () => {
  await platform.change({ 'note/src/setup.ts': () => SETUP })
  const { results } = await checkRunning()
  await platform.sql('note', 'TRUNCATE note CASCADE')
  expect(resultLines(results, PAINT, true)).toEqual([])
  const deletes = results.find(
    ({ group, sentence }) => group === 'Note.Line' && sentence.startsWith('delete answers 200'),
  )
  expect(deletes?.reason?.replaceAll(/[0-9a-f-]{36}/g, '<id>')).toBe(
    'a hook answers DELETE /api/note/<id>/line/<id> with 402 "Deleting costs extra"',
  )
})

test('tokens that only a credential can make are not tried without one', async () => {
  const checks = derive(platform.platform).filter(({ sentence }) => sentence.includes('is expired'))
  const target = { ...platform.target, pristine: false, credential: undefined }
  const { results } = await runChecks(platform.platform, checks, target)
  expect(new Set(results.map(({ reason }) => reason))).toEqual(
    new Set(['it takes the credential of the gateway to sign such tokens (--credentials)']),
  )
})

test('a run that is told to stop ends with what it has', async () => {
  const checks = derive(platform.platform)
  const stopping = new AbortController()
  const { results } = await runChecks(platform.platform, checks, platform.target, {
    signal: stopping.signal,
    onSequence: () => stopping.abort(),
  })
  expect(results.length).toBeGreaterThan(0)
  expect(results.length).toBeLessThan(checks.length)
})

test('an #auth service whose entities refer to another service', async () => {
  const referring = await startTestPlatform(`
    Referring: project { #authMethod(email); }
    Member: service { city: City; #auth; }
    City: service { name: string(9); #readable(by: all); #omit[update, delete]; }
  `)
  try {
    const target = { ...referring.target, pristine: false }
    const checks = derive(referring.platform).filter(({ group }) => group === 'City')
    const { results } = await runChecks(referring.platform, checks, target)
    expect(results.length).toBeGreaterThan(10)
    expect(resultLines(results, PAINT, true)).toEqual([])
  } finally {
    await referring.stop()
  }
})
