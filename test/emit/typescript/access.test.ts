import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { idOf, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Access: project { #authMethod(email); #roles[clerk]; }

/// A private store of user metadata.
Person: service { name: string; #auth; }
/// Read by all, written by its creator.
Host: service { name: string; #auth; #readable(by: all); #enumerable; }
Diary: service {
  text: string;
  Page: struct { line: string; code: int @unique; #enumerable; }
  #enumerable;
}
Board: service {
  text: string;
  Pin: struct { line: string; next: Pin2; #enumerable; }
  Pin2: struct { line: string; }
  #readable(by: all);
  #enumerable;
}
Wiki: service {
  text: string;
  Edit: struct { line: string; }
  #readable(by: all);
  #writable(by: all);
}
Case: service {
  text: string(20);
  Step: struct { line: string; #enumerable; }
  #readable(by: [this, clerk]);
  #writable(by: this);
  #enumerable(filter: [text]);
}
Notice: service { text: string; #readable(by: all); #writable(by: clerk); }
`
/** What the service's own code sees and changes on behalf of somebody. */
const CASE_SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  router.post('/case/as', async (c) => {
    const { who, id, parentId, step } = await c.req.json()
    const cases = env.datastore.as(who ?? undefined)
    const refused = (error: { status: number }) => error.status
    const created = await cases.createCase({ text: 'new' }, { id: who?.id ?? id }).catch(refused)
    const entry = await cases.createStep({ parentId, line: 'new' }).catch(() => undefined)
    return c.json({
      read: (await cases.readCase({ id }))?.text ?? null,
      many: (await cases.readManyCase([id])).length,
      list: (await cases.listCase()).some((each) => each.id === id),
      filtered: (await cases.listCase({ text: 'case', total: true })).some((each) => each.id === id),
      updated: (await cases.updateCase({ id, text: 'case' })) !== undefined,
      created: typeof created === 'number' ? created : (await env.datastore.as(who).readCase(created))?.text,
      step: (await cases.readStep({ id: step, parentId }))?.line ?? null,
      steps: (await cases.listStep({ parentId })).some((each) => each.id === step),
      manySteps: (await cases.readManyStep(parentId, [step])).length,
      createdStep: entry !== undefined,
      updatedStep: (await cases.updateStep({ id: step, parentId, line: 'step' })) !== undefined,
      deletedStep: (await cases.deleteStep({ id: entry?.id ?? step, parentId })) !== undefined,
      deleted: (await cases.deleteCase({ id: parentId })) !== undefined,
    })
  })
}
`,
  'access-case.go',
)
const NOTICE_SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  router.post('/notice/as', async (c) => {
    const { who, id } = await c.req.json()
    const notices = env.datastore.as(who ?? undefined)
    const refused = (error: { status: number }) => error.status
    const created = await notices.createNotice({ text: 'new' }, { id: who?.id ?? id }).catch(refused)
    return c.json({
      created: typeof created === 'number' ? created : created.text,
      read: (await notices.readNotice({ id }))?.text ?? null,
      many: (await notices.readManyNotice([id])).length,
      list: (await notices.listNotice()).some((each) => each.id === id),
      updated: (await notices.updateNotice({ id, text: 'notice' })) !== undefined,
    })
  })
}
`,
  'access-notice.go',
)
const [ann, bob] = [newUser(), newUser()]

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { case: CASE_SETUP, notice: NOTICE_SETUP } })
})
afterAll(() => platform.stop())

/** Status and body of an answer. */
async function outcome(method: string, path: string, as: string | undefined, body?: unknown) {
  const { status, json } = await platform.call(method, path, { ...(as === undefined ? {} : { as }), body })
  return [status, json]
}
async function create(path: string, as: string, body: unknown): Promise<string> {
  return idOf(await platform.call('POST', path, { as, body }))
}

describe('a token', () => {
  test('is required for every path', async () => {
    for (const [method, path] of [
      ['POST', '/diary'],
      ['GET', '/diary/all'],
      ['GET', `/diary/${randomUUID()}`],
      ['GET', `/diary/malformed`],
      ['GET', '/person'],
      ['GET', `/diary/${randomUUID()}/page/all`],
      ['GET', '/diary/a/b/c/d/e'],
    ] as const) {
      const answer = await platform.call(method, path)
      expect([answer.status, answer.json]).toEqual([401, { error: 'Unauthorized' }])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('readable by this', () => {
  test('the creator reads, lists, updates and deletes; others find nothing', async () => {
    const id = await create('/diary', ann, { text: 'mine' })
    const entity = { id, text: 'mine' }
    const missing = [404, { error: `Diary not found: ${id}` }]
    expect(await outcome('GET', `/diary/${id}`, ann)).toEqual([200, entity])
    expect(await outcome('GET', '/diary/all', ann)).toEqual([200, { DiaryList: [entity] }])
    expect(await outcome('GET', '/diary/all', bob)).toEqual([200, { DiaryList: [] }])
    expect(await outcome('GET', `/diary/${id}`, bob)).toEqual(missing)
    expect(await outcome('PUT', `/diary/${id}`, bob, { text: 'his' })).toEqual(missing)
    expect(await outcome('DELETE', `/diary/${id}`, bob)).toEqual(missing)
    expect(await outcome('PUT', `/diary/${id}`, ann, { text: 'new' })).toEqual([200, { id, text: 'new' }])
    expect(await outcome('DELETE', `/diary/${id}`, ann)).toEqual([200, {}])
  })

  test('entries inherit it', async () => {
    const id = await create('/diary', ann, { text: 'mine' })
    const page = await create(`/diary/${id}/page`, ann, { line: 'one', code: 1 })
    const path = `/diary/${id}/page`
    const missing = [404, { error: `Diary not found: ${id}` }]
    const entry = { id: page, line: 'one', code: 1 }
    expect(await outcome('GET', `${path}/${page}`, ann)).toEqual([200, entry])
    for (const list of [`${path}/all`, `${path}/${randomUUID()}/all`]) {
      expect(await outcome('GET', list, ann)).toEqual([200, { PageList: [entry] }])
      expect(await outcome('GET', list, bob)).toEqual(missing)
    }
    expect(await outcome('GET', `${path}/x/all`, ann)).toEqual([400, { error: 'Invalid id: x' }])
    expect(await outcome('GET', `${path}/${page}`, bob)).toEqual(missing)
    expect(await outcome('POST', path, bob, { line: 'x', code: 2 })).toEqual(missing)
    expect(await outcome('PUT', `${path}/${page}`, bob, { line: 'x', code: 2 })).toEqual(missing)
    expect(await outcome('DELETE', `${path}/${page}`, bob)).toEqual(missing)
    expect(await outcome('PUT', `${path}/${page}`, ann, { line: 'x', code: 2 })).toEqual([
      200,
      { id: page, line: 'x', code: 2 },
    ])
  })

  test('an entry is found only under its own parent, and is deleted with it', async () => {
    const [first, second] = [
      await create('/diary', ann, { text: '1' }),
      await create('/diary', ann, { text: '2' }),
    ]
    const created = await platform.call('POST', `/diary/${first}/page`, {
      as: ann,
      body: { line: 'one', code: 77 },
    })
    const page = idOf(created)
    expect(created.headers.get('location')).toBe(`/api/diary/${first}/page/${page}`)
    const missing = [404, { error: `Page not found: ${page}` }]
    for (const [method, body] of [['GET'], ['PUT', { line: '', code: 3 }], ['DELETE']] as const) {
      expect(await outcome(method, `/diary/${second}/page/${page}`, ann, body)).toEqual(missing)
    }
    // Unique across all parents.
    expect(await outcome('POST', `/diary/${second}/page`, ann, { line: '', code: 77 })).toEqual([
      409,
      { error: 'Duplicate Page found' },
    ])
    await outcome('DELETE', `/diary/${first}`, ann)
    expect(await platform.sql('diary')`select from page where id = ${page}`).toHaveLength(0)
    expect(await outcome('GET', `/diary/${first}/page/${page}`, ann)).toEqual([
      404,
      { error: `Diary not found: ${first}` },
    ])
  })
})

describe('readable by all, writable by this', () => {
  test('everybody reads, others may not write', async () => {
    const id = await create('/board', ann, { text: 'ours' })
    expect(await outcome('GET', `/board/${id}`, bob)).toEqual([200, { id, text: 'ours' }])
    const forbidden = [403, { error: 'Forbidden' }]
    expect(await outcome('PUT', `/board/${id}`, bob, { text: 'his' })).toEqual(forbidden)
    expect(await outcome('DELETE', `/board/${id}`, bob)).toEqual(forbidden)
    const nobody = randomUUID()
    const missing = [404, { error: `Board not found: ${nobody}` }]
    expect(await outcome('PUT', `/board/${nobody}`, bob, { text: 'his' })).toEqual(missing)
    expect(await outcome('DELETE', `/board/${nobody}`, bob)).toEqual(missing)
    const { json } = await platform.call('GET', '/board/all', { as: bob })
    expect(json).toMatchObject({ BoardList: [{ id, text: 'ours' }] })
  })

  test('entries inherit it', async () => {
    const id = await create('/board', ann, { text: 'ours' })
    const other = await create(`/board/${id}/pin2`, ann, { line: 'target' })
    const body = { line: 'one', next: other }
    const pin = await create(`/board/${id}/pin`, ann, body)
    const forbidden = [403, { error: 'Forbidden' }]
    expect(await outcome('GET', `/board/${id}/pin/${pin}`, bob)).toEqual([200, { id: pin, ...body }])
    expect(await outcome('POST', `/board/${id}/pin`, bob, body)).toEqual(forbidden)
    expect(await outcome('PUT', `/board/${id}/pin/${pin}`, bob, body)).toEqual(forbidden)
    expect(await outcome('DELETE', `/board/${id}/pin/${pin}`, bob)).toEqual(forbidden)
    const nobody = randomUUID()
    const missing = [404, { error: `Board not found: ${nobody}` }]
    expect(await outcome('POST', `/board/${nobody}/pin`, bob, body)).toEqual(missing)
    expect(await outcome('GET', `/board/${nobody}/pin/all`, bob)).toEqual(missing)
    expect(await outcome('GET', `/board/${nobody}/pin/${pin}`, bob)).toEqual(missing)
  })

  test('a sibling reference holds under one parent, and what is referred to stays', async () => {
    const [id, elsewhere] = [
      await create('/board', ann, { text: '1' }),
      await create('/board', ann, { text: '2' }),
    ]
    const target = await create(`/board/${id}/pin2`, ann, { line: 'target' })
    const far = await create(`/board/${elsewhere}/pin2`, ann, { line: 'far' })
    const pin = await create(`/board/${id}/pin`, ann, { line: 'one', next: target })
    for (const unknown of [far, randomUUID()]) {
      const refused = [400, { error: `Unknown Pin2: ${unknown}` }]
      expect(await outcome('POST', `/board/${id}/pin`, ann, { line: 'x', next: unknown })).toEqual(refused)
      expect(await outcome('PUT', `/board/${id}/pin/${pin}`, ann, { line: 'x', next: unknown })).toEqual(
        refused,
      )
    }
    expect(await outcome('DELETE', `/board/${id}/pin2/${target}`, ann)).toEqual([
      409,
      { error: 'Pin2 is still referenced' },
    ])
    expect(await outcome('DELETE', `/board/${id}`, ann)).toEqual([200, {}])
  })
})

describe('writable by all', () => {
  test('every token writes', async () => {
    const id = await create('/wiki', ann, { text: 'ours' })
    expect(await outcome('PUT', `/wiki/${id}`, bob, { text: 'his' })).toEqual([200, { id, text: 'his' }])
    const edit = await create(`/wiki/${id}/edit`, bob, { line: 'x' })
    expect(await outcome('PUT', `/wiki/${id}/edit/${edit}`, ann, { line: 'y' })).toEqual([
      200,
      { id: edit, line: 'y' },
    ])
    expect(await outcome('DELETE', `/wiki/${id}`, bob)).toEqual([200, {}])
  })
})

describe('an #auth service', () => {
  test('holds one entity a token, whose id is the token’s', async () => {
    const user = newUser()
    expect(await outcome('GET', '/person', user)).toEqual([404, { error: `Person not found: ${user}` }])
    expect(await outcome('POST', '/person', user, { name: 'a' })).toEqual([201, { id: user, name: 'a' }])
    expect(await outcome('POST', '/person', user, { name: 'b' })).toEqual([
      409,
      { error: 'Duplicate Person found' },
    ])
    const identify = await platform.call('GET', '/person', { as: user })
    expect([identify.status, identify.headers.get('location'), identify.text]).toEqual([
      302,
      `/api/person/${user}`,
      '',
    ])
    expect(await outcome('GET', `/person/${user}`, bob)).toEqual([
      404,
      { error: `Person not found: ${user}` },
    ])
    expect(await outcome('DELETE', `/person/${user}`, user)).toEqual([200, {}])
    expect(await outcome('POST', '/person', user, { name: 'c' })).toEqual([201, { id: user, name: 'c' }])
  })

  test('readable by all shows itself to others, who may not write', async () => {
    const user = newUser()
    await outcome('POST', '/host', user, { name: 'a' })
    expect(await outcome('GET', `/host/${user}`, bob)).toEqual([200, { id: user, name: 'a' }])
    expect(await outcome('DELETE', `/host/${user}`, bob)).toEqual([403, { error: 'Forbidden' }])
    const list = await platform.call('GET', '/host/all', { as: bob })
    expect(list.json).toMatchObject({ HostList: expect.arrayContaining([{ id: user, name: 'a' }]) })
  })
})

describe("the service's own code on behalf of", () => {
  const as = (id: string, ...roles: readonly string[]) => ({ id, roles, token: '' })
  const [mine, theirs, nothing] = [
    { read: 'case', many: 1, list: true, filtered: true, step: 'step', steps: true, manySteps: 1 },
    { updated: true, createdStep: true, updatedStep: true, deletedStep: true, deleted: true },
    { read: null, many: 0, list: false, filtered: false, step: null, steps: false, manySteps: 0 },
  ]
  const unchanged = {
    updated: false,
    createdStep: false,
    updatedStep: false,
    deletedStep: false,
    deleted: false,
  }

  test.each([
    ['the creator', as(ann), { ...mine, ...theirs, created: 'new' }],
    ['a role that may read', as(bob, 'clerk'), { ...mine, ...unchanged, created: 'new' }],
    ['another user', as(bob), { ...nothing, ...unchanged, created: 'new' }],
    ['nobody', null, { ...nothing, ...unchanged, created: 403 }],
  ])('%s sees and changes what access rules allow, entries included', async (_, who, expected) => {
    const id = await create('/case', ann, { text: 'case' })
    // Another one, because it is deleted.
    const parentId = await create('/case', ann, { text: 'parent' })
    const step = await create(`/case/${parentId}/step`, ann, { line: 'step' })
    expect(await outcome('POST', '/case/as', ann, { who, id, parentId, step })).toEqual([200, expected])
  })

  test.each([
    ['a role', as(bob, 'clerk'), { created: 'new', read: 'notice', many: 1, list: true, updated: true }],
    ['a user', as(bob), { created: 403, read: 'notice', many: 1, list: true, updated: false }],
    ['nobody', null, { created: 403, read: null, many: 0, list: false, updated: false }],
  ])('%s sees what every user does, and changes what the role may', async (_, who, expected) => {
    const id = randomUUID()
    await platform.sql('notice')`insert into notice (id, _owner, text) values (${id}, ${ann}, 'notice')`
    expect(await outcome('POST', '/notice/as', ann, { who, id })).toEqual([200, expected])
  })
})

describe('many at once', () => {
  test('200 creates with one token leave one entity', async () => {
    const user = newUser()
    const body = { name: 'x' }
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => platform.call('POST', '/person', { as: user, body })),
    )
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 199 }, () => 409)])
    expect(await platform.sql('person')`select from person where id = ${user}`).toHaveLength(1)
  })

  // The transaction of the test holds the lock for which the later request waits.
  test.each([
    ['before', 'for key share', 201],
    ['after', 'for update', 404],
  ])('entries that arrive %s the deletion of their parent leave no orphan', async (order, lock, status) => {
    const sql = platform.sql('diary')
    const id = await create('/diary', ann, { text: 'short' })
    const createEntries = () =>
      Array.from({ length: 5 }, (_, code) =>
        platform.call('POST', `/diary/${id}/page`, { as: ann, body: { line: 'x', code: 1000 + code } }),
      )
    const remove = () => platform.call('DELETE', `/diary/${id}`, { as: ann })
    const isWaiting = (count: number) =>
      expect
        .poll(
          () =>
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        .toHaveLength(count)
    const { deletion, creations } = await sql.begin(async (transaction) => {
      await transaction`select from diary where id = ${id} ${transaction.unsafe(lock)}`
      if (order === 'before') {
        const created = createEntries()
        await Promise.all(created)
        const deleted = remove()
        await isWaiting(1)
        return { deletion: deleted, creations: created }
      }
      const deleted = remove()
      await isWaiting(1)
      const created = createEntries()
      await isWaiting(6)
      return { deletion: deleted, creations: created }
    })
    expect((await deletion).status).toBe(200)
    expect((await Promise.all(creations)).map((answer) => answer.status)).toEqual(Array(5).fill(status))
    expect(await sql`select from page where _parent = ${id}`).toHaveLength(0)
  })
})
