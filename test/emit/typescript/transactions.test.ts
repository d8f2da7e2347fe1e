import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = 'Transactions: project {} Note: service { text: string; #enumerable; }'
const SETUP = `import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Env, HookError, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const late: unknown[] = []
  env.hooks.beforeCreate(async (hookEnv, request, input) => {
    if (request.text === 'hangs') await new Promise(() => {})
    if (request.text === 'takes its time') await sleep(500)
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
  router.get('/note/late', (c) => c.json(late))
}
`
let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { note: SETUP }, env: { DATABASE_POOL_SIZE: '1' } })
})
afterAll(() => platform.stop())

const create = (text: string) => platform.call('POST', '/note', { body: { text } })

test('what a hook does after the end of its transaction is part of no other one', async () => {
  expect((await create('fails early')).status).toBe(402)
  expect((await create('takes its time')).status).toBe(201)
  const late = async () => (await platform.call('GET', '/note/late')).json as string[]
  await expect.poll(late).toHaveLength(3)
  const ended = 'Error: The transaction has ended'
  expect((await late()).toSorted()).toEqual([ended, ended, 'done'])
  const rows = await platform.sql('note')`select text from note order by text`
  expect(rows.map(({ text }) => text as string)).toEqual(['of another transaction', 'takes its time'])
})

test('a hook that never ends gets 503, and its connection is replaced', async () => {
  const hanging = create('hangs')
  await sleep(100)
  expect((await hanging).status).toBe(503)
  expect((await create('next')).status).toBe(201)
}, 30_000)
