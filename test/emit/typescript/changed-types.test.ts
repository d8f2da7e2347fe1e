import { afterAll, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { freshDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'
import { startService } from '../service-process.ts'

/** With a hook, updates run in a transaction. */
const SETUP = `import type { Env } from './hooks.ts'

export default function setup({ hooks }: Env): void {
  hooks.beforeUpdate(() => {})
}
`

const discarded: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

test('a running service goes on when a migration widens the type of a column', async () => {
  const database = await freshDatabase()
  discarded.push(() => database.drop())
  const files = emitProject(platformOf('P: project {}\nThing: service { size: int; #enumerable; }'))
  const service = await startService(
    files,
    'thing',
    { DATABASE_URL: database.url },
    { 'thing/src/setup.ts': SETUP },
  )
  discarded.push(() => service.discard())
  const body = JSON.stringify({ size: 7 })
  const call = async (method: string, at: string) => {
    const response = await fetch(`${service.url}${at}`, { method, ...(method === 'GET' ? {} : { body }) })
    return { status: response.status, json: (await response.json()) as { id?: string } }
  }
  const { json } = await call('POST', '/thing')
  const one = `/thing/${json.id}`
  const all = async () => {
    // Several at a time, for several connections.
    const operations = [
      ['POST', '/thing'],
      ['GET', one],
      ['PUT', one],
      ['GET', '/thing/all'],
    ] as const
    const answers = await Promise.all(
      operations.flatMap(([method, at]) => Array.from({ length: 4 }, () => call(method, at))),
    )
    return answers.map(({ status }) => status)
  }
  const before = await all()
  expect(new Set(before)).toEqual(new Set([200, 201]))
  await database.sql.unsafe('ALTER TABLE "thing" ALTER COLUMN "size" TYPE bigint')
  expect(await all()).toEqual(before)
  expect(await call('GET', one)).toMatchObject({ status: 200, json: { size: 7 } })
})
