import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLanguage, setupText, testLanguage } from '../platform.ts'
import { idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION =
  'Transactions: project {} Note: service { text: string; #enumerable; } Memo: service { text: string; #enumerable; }'
const MEMO_SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const open = Promise.withResolvers<void>()
  env.hooks.beforeCreate(async (hookEnv, request) => {
    if (request.text === 'waits') await open.promise
    if (request.text === 'reads') await hookEnv.datastore.listMemo({ limit: 1 })
  })
  env.hooks.beforeUpdate(() => {})
  env.hooks.afterUpdate(() => {})
  router.post('/memo/open', (c) => {
    open.resolve()
    return c.json({})
  })
}
`,
  'transactions-memo.go',
)
const SETUP = setupText(
  `import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { type Env, HookError, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const late: unknown[] = []
  const committed: string[] = []
  const after: string[] = []
  let kept: Env | undefined
  env.hooks.beforeCreate(async (hookEnv, request, input) => {
    if (request.text === 'hangs') {
      await hookEnv.datastore.listNote({ limit: 1 })
      await new Promise(() => {})
    }
    if (request.text === 'takes its time') await sleep(500)
    if (request.text === 'fails slowly') {
      await sleep(500)
      throw new HookError(402, 'No credit')
    }
    if (request.text === 'writes after the commit')
      hookEnv.afterCommit(async () => {
        await sleep(200)
        await hookEnv.datastore.createNote({ text: 'written after the commit' }).then(
          () => after.push('done'),
          (error: Error) => after.push(String(error.cause ?? error)),
        )
      })
    if (request.text.startsWith('uses the outer env')) {
      await env.datastore.createNote({ text: 'a statement' })
      await env.transaction((tx) => tx.datastore.createNote({ text: 'a transaction' }))
      await env.datastore.db.transaction(async (tx) => {
        await tx.execute(sql\`insert into note (id, text) values (gen_random_uuid(), 'of Drizzle')\`)
        const inner = env.datastore.db.transaction(async (deeper) => {
          await deeper.execute(sql\`insert into note (id, text) values (gen_random_uuid(), 'undone')\`)
          throw new HookError(402, 'No credit')
        })
        await inner.catch(() => {})
        await env.datastore.createNote({ text: 'undone as well' })
        throw new HookError(402, 'No credit')
      }).catch(() => {})
      env.afterCommit(() => committed.push('by the outer env'))
    }
    if (request.text.includes('and another transaction'))
      await hookEnv.outside(async (outer) => {
        await outer.datastore.createNote({ text: 'outside' })
        await env.transaction(() => env.datastore.createNote({ text: 'outside' }))
      })
    if (request.text.endsWith('and fails')) throw new HookError(402, 'No credit')
    if (request.text !== 'fails early') return
    const write = async () => {
      await sleep(200)
      await hookEnv.datastore.createNote({ ...input, id: randomUUID(), text: 'written late' })
    }
    const register = async () => {
      await sleep(200)
      hookEnv.afterCommit(() => late.push('called'))
    }
    const begin = async () => {
      await sleep(200)
      await env.transaction((tx) => tx.datastore.createNote({ text: 'of another transaction' }))
    }
    for (const each of [write(), register(), begin()]) each.then(() => late.push('done'), (error: Error) => late.push(String(error.cause ?? error)))
    await sleep(10)
    throw new HookError(402, 'No credit')
  })
  env.hooks.afterCreate(async ({ datastore, afterCommit }, note) => {
    const fail = (db: { execute(query: SQL): unknown }) => db.execute(sql\`select 1 / 0\`)
    afterCommit(() => committed.push(note.text))
    if (note.text === 'catches') await Promise.try(fail, datastore.db).catch(() => {})
    if (note.text === 'does not wait') Promise.try(fail, datastore.db).catch(() => {})
    if (note.text === 'rolls back to a savepoint') await datastore.db.transaction(async (tx) => fail(tx)).catch(() => {})
  })
  router.get('/note/late', (c) => c.json(late))
  router.get('/note/after', (c) => c.json(after))
  router.post('/note/kept-elsewhere', async (c) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await env.transaction(async (tx) => { kept = tx })
    // Gets the connection of the transaction that has ended.
    const busy = env.transaction(() => promise)
    const other = env.transaction(async (tx) => {
      await tx.datastore.listNote()
      await kept?.datastore.createNote({ text: 'kept elsewhere' })
    })
    const [result] = await Promise.allSettled([other])
    resolve()
    await busy
    return c.json(result.status)
  })
  router.post('/note/nested', async (c) => {
    await env.transaction(async (tx) => {
      await env.transaction(async (inner) => {
        await inner.datastore.createNote({ text: 'inner' })
        await tx.datastore.createNote({ text: 'outer' })
      })
      await tx.datastore.createNote({ text: 'outer again' })
    })
    return c.json({})
  })
  router.post('/note/kept', async (c) => {
    const kept = await env.transaction(async (tx) => tx)
    return c.json(await kept.datastore.createNote({ text: 'kept' }))
  })
  router.get('/note/committed', (c) => c.json(committed))
}
`,
  'transactions.go',
)
/** What an error says of a transaction that has ended. */
const ENDED = inLanguage({
  typescript: 'TypeError: This code does not belong to an open transaction',
  go: 'the transaction has ended',
})
let platform: RunningPlatform
beforeAll(async () => {
  const setup = { note: SETUP, memo: MEMO_SETUP }
  platform = await runPlatform(DEFINITION, { setup, env: { DATABASE_POOL_SIZE: '1' } })
})
afterAll(() => platform.stop())

const create = (text: string) => platform.call('POST', '/note', { body: { text } })

test('what a hook does after the end of its transaction is part of no other one', async () => {
  expect((await create('fails early')).status).toBe(402)
  expect((await create('takes its time')).status).toBe(201)
  const late = async () => (await platform.call('GET', '/note/late')).json as string[]
  await expect.poll(late).toHaveLength(3)
  const ended = expect.stringMatching(
    /^Error: The transaction has ended$|^TypeError: This code does not belong to an open transaction$/,
  )
  // In Go, registering a function returns no error.
  expect((await late()).toSorted()).toEqual(
    inLanguage({ typescript: [ended, ended, 'done'], go: ['done', 'done', ENDED] }),
  )
  const rows = await platform.sql('note')`select text from note order by text`
  expect(rows.map(({ text }) => text as string)).toEqual(['of another transaction', 'takes its time'])
})

test('what runs after the commit is part of no other transaction', async () => {
  const writing = create('writes after the commit')
  await sleep(100)
  const failing = create('fails slowly')
  expect([(await writing).status, (await failing).status]).toEqual([201, 402])
  expect((await platform.call('GET', '/note/after')).json).toEqual([ENDED])
})

test('a route cannot use a transaction after its end', async () => {
  expect((await platform.call('POST', '/note/kept', { body: {} })).status).toBe(500)
})

test('a transaction cannot use one that has ended, nor its connection, which a third one has', async () => {
  const several = await runPlatform(DEFINITION, { setup: { note: SETUP } })
  expect((await several.call('POST', '/note/kept-elsewhere', { body: {} })).json).toBe('rejected')
  expect((await several.call('POST', '/note/nested', { body: {} })).status).toBe(200)
  const failing = await several.call('POST', '/note', {
    body: { text: 'uses the outer env and another transaction and fails' },
  })
  expect(failing.status).toBe(402)
  const rows = await several.sql('note')`select text from note order by text`
  expect(rows.map(({ text }) => text as string)).toEqual([
    'inner',
    'outer',
    'outer again',
    'outside',
    'outside',
  ])
  await several.stop()
})

test('statements of hooks join the transaction, whichever env they use, and need no second connection', async () => {
  const created = await Promise.all(Array.from({ length: 30 }, () => create('uses the outer env')))
  expect(created.map(({ status }) => status)).toEqual(Array(30).fill(201))
  expect((await create('uses the outer env and fails')).status).toBe(402)
  const texts = [
    'a statement',
    'a transaction',
    'of Drizzle',
    'of a savepoint',
    'undone',
    'undone as well',
    'uses the outer env',
  ]
  const rows = await platform.sql('note')`
    select text, count(*)::int from note where text in ${platform.sql('note')(texts)} group by text order by text`
  expect(rows.map(({ text, count }) => [text as string, count as number])).toEqual([
    ['a statement', 30],
    ['a transaction', 30],
    ['uses the outer env', 30],
  ])
  const committed = (await platform.call('GET', '/note/committed')).json as string[]
  expect(committed.filter((text) => text === 'by the outer env')).toHaveLength(30)
})

test('a hook that catches the error of a statement has nothing committed, except after a savepoint', async () => {
  expect((await create('catches')).status).toBe(500)
  // In Go, what a hook has started and not waited for may run after the commit.
  if (testLanguage() === 'typescript') expect((await create('does not wait')).status).toBe(500)
  expect((await create('rolls back to a savepoint')).status).toBe(201)
  expect((await platform.call('GET', '/note/committed')).json).not.toContain('catches')
  const rows = await platform.sql('note')`select text from note`
  const texts = rows.map(({ text }) => text as string)
  expect(texts).toContain('rolls back to a savepoint')
  expect(texts).not.toContain('catches')
  expect(texts).not.toContain('does not wait')
})

test('hooks that wait for something else than the database hold no connection', async () => {
  const memo = `/memo/${idOf(await platform.call('POST', '/memo', { body: { text: 'first' } }))}`
  let isDone = false
  const creating = Array.from({ length: 30 }, async () => {
    const { status } = await platform.call('POST', '/memo', { body: { text: 'waits' } })
    isDone = true
    return status
  })
  for (let count = 0; count < 20; count++) expect((await platform.call('GET', memo)).status).toBe(200)
  expect(isDone).toBe(false)
  await platform.call('POST', '/memo/open')
  expect(new Set(await Promise.all(creating))).toEqual(new Set([201]))
})

test('a write is one statement if hooks have sent none before it, and can send none after it', async () => {
  const memos = platform.sql('memo')
  // A deferred trigger runs at the end of a transaction, which COMMIT is only if BEGIN was sent.
  await memos.unsafe(`
    CREATE TABLE watched (query text);
    CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO watched VALUES (upper(split_part(current_query(), ' ', 1)));
      RETURN NULL;
    END
    $$;
    CREATE CONSTRAINT TRIGGER watch AFTER INSERT OR UPDATE ON memo
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION watch()`)
  const watched = async () =>
    (await memos`DELETE FROM watched RETURNING trim(query) AS query`).map(({ query }) => query)
  const alone = await platform.call('POST', '/memo', { body: { text: 'a' } })
  expect(await watched()).not.toContain('COMMIT')
  await platform.call('POST', '/memo', { body: { text: 'reads' } })
  expect(await watched()).toEqual(['COMMIT'])
  await platform.call('PATCH', `/memo/${idOf(alone)}`, { body: { text: 'b' } })
  expect(await watched()).toEqual(['COMMIT'])
})

test('a hook that never ends gets 503, and its connection is replaced', async () => {
  const hanging = create('hangs')
  await sleep(100)
  expect((await hanging).status).toBe(503)
  expect((await create('next')).status).toBe(201)
}, 30_000)
