import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../src/dev/postgres.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { freshDatabase, ownPostgres } from '../../postgres.ts'
import { platformOf } from '../platform.ts'
import { startService } from '../service-process.ts'

const discarded: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

test('a service whose database is killed answers 503, and works again when it is back', async () => {
  const files = emitProject(
    platformOf(
      'P: project {}\nThing: service { text: string; Part: struct { text: string; #enumerable; } #enumerable; }',
    ),
  )
  const server = await ownPostgres()
  discarded.push(() => server.discard())
  const { url } = await server.ensureDatabase('thing')
  const service = await startService(files, 'thing', { DATABASE_URL: url })
  discarded.push(() => service.discard())
  const body = JSON.stringify({ text: 'x' })
  const call = async (method: string, at: string) => {
    const sent = method === 'POST' || method === 'PUT' ? { body } : {}
    const response = await fetch(`${service.url}${at}`, { method, ...sent })
    return { status: response.status, json: (await response.json()) as { id?: string } }
  }
  const { json } = await call('POST', '/thing')
  const one = `/thing/${json.id}`
  const operations = [
    ['GET', one],
    ['PUT', one],
    ['DELETE', one],
    ['POST', '/thing'],
    ['GET', '/thing/all'],
    ['GET', '/thing/all?limit=1'],
    ['POST', `${one}/part`],
    ['GET', `${one}/part/all`],
  ] as const

  process.kill(server.pid, 'SIGKILL')
  await server.ended
  for (const [method, at] of operations) {
    const answer = await call(method, at)
    expect([method, at, answer.status, answer.json]).toEqual([
      method,
      at,
      503,
      { error: 'Thing is unavailable' },
    ])
  }
  // What is wrong in the request itself is still said.
  expect((await call('GET', '/thing/x')).status).toBe(400)

  const again = await startPostgres({ directory: path.resolve(server.directory), port: server.port })
  discarded.push(() => again.stop())
  await expect.poll(async () => (await call('GET', one)).status, { timeout: 15_000 }).toBe(200)
  for (const [method, at] of [...operations.slice(3), ...operations.slice(0, 3)]) {
    expect((await call(method, at)).status).toBeLessThan(300)
  }
  expect(service.output.text).not.toContain(new URL(url).password)
})

test('a statement on a frozen connection answers 503, and the next one gets a new connection', async () => {
  const { url, sql } = await freshDatabase()
  const files = emitProject(platformOf('P: project {}\nThing: service { text: string; #enumerable; }'))
  const environment = { DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_MS: '300' }
  const service = await startService(files, 'thing', environment)
  discarded.push(() => service.discard())
  const list = () => fetch(`${service.url}/thing/all`)
  expect((await list()).status).toBe(200)

  const frozen = await sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE '%from "thing"%' AND pid <> pg_backend_pid()`
  expect(frozen).toHaveLength(1)
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP')
  try {
    expect((await list()).status).toBe(503)
    expect((await list()).status).toBe(200)
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT')
  }
})
