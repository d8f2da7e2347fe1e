import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { createLog, describe } from '../../../templates/typescript/lib/log.ts'
import { freshDatabase } from '../../postgres.ts'

test('database errors are logged with codes and names, and with a message if it cannot contain values', async () => {
  const database = await freshDatabase('CREATE TABLE t (v text CONSTRAINT t_key UNIQUE, n int CHECK (n > 0))')
  const pool = new Pool({ connectionString: database.url, max: 1 })
  const db = drizzle({ client: pool })
  const fails = async (query: ReturnType<typeof sql>) => {
    const error: unknown = await db.execute(query).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DrizzleQueryError)
    const text = JSON.stringify(describe(error))
    expect(text).not.toContain('s3cret')
    return JSON.parse(text) as Record<string, unknown>
  }
  await db.execute(sql`INSERT INTO t VALUES (${'s3cret'}, 1)`)
  const duplicate = await fails(sql`INSERT INTO t VALUES (${'s3cret'}, 1)`)
  expect(duplicate).toMatchObject({ code: '23505', constraint: 't_key', table: 't' })
  expect(duplicate).not.toHaveProperty('message')
  expect(await fails(sql`INSERT INTO t VALUES (${'s3cret'}, 0)`)).toMatchObject({ code: '23514' })
  expect(await fails(sql`SELECT ${'s3cret'}::int`)).toMatchObject({ code: '22P02' })
  expect(await fails(sql`SELECT repeat(${'s3cret'}, 10)::json`)).toMatchObject({ code: '22P02' })
  expect(await fails(sql`SELECT ${'s3cret'} FROM missing`)).toMatchObject({
    code: '42P01',
    message: 'relation "missing" does not exist',
  })
  expect(await fails(sql`SET statement_timeout = 1`.append(sql`; SELECT pg_sleep(1)`))).toMatchObject({
    message: 'canceling statement due to statement timeout',
  })
  // Where the statement was sent from, without text of a value that looks like a frame.
  const { stack } = await fails(sql`SELECT ${'x\n    at s3cret\n'}::int`)
  expect(stack).toMatch(/log\.test\.ts/)
  await pool.end()
  await database.drop()
})

test('other errors keep their message and their stack frames, those of JSON.parse only the frames', () => {
  const plain = describe(new Error('Broken'))
  expect(plain).toMatchObject({ type: 'Error', message: 'Broken' })
  expect(JSON.stringify(plain)).toContain('log.test.ts')
  const error: unknown = (() => {
    try {
      return JSON.parse('{"password": s3cret}') as unknown
    } catch (caught) {
      return caught
    }
  })()
  expect(String(error)).toContain('s3cret')
  expect(JSON.stringify(describe(error))).not.toContain('s3cret')
  expect(describe('s3cret')).toEqual({ type: 'string' })
})

test('errors are logged without values, whatever they are called and where they come from', () => {
  const failure = new DrizzleQueryError('select $1', ['s3cret'], new Error('invalid input: s3cret'))
  const log = createLog('test')
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const symbol = Object.getOwnPropertySymbols(log).find(({ description }) => description === 'pino.stream')
  if (symbol !== undefined) Object.assign(log, { [symbol]: { write } })
  log.error(new DrizzleQueryError('select $1', ['s3cret']))
  log.error({ err: new DrizzleQueryError('select $1', ['s3cret']) })
  log.error({ error: new DrizzleQueryError('select $1', ['s3cret']) }, 'Failed')
  log.error({ reason: new DrizzleQueryError('select $1', ['s3cret']), attempt: 2 }, 'Failed')
  log.error({ err: new Error('Outer', { cause: new DrizzleQueryError('select $1', ['s3cret']) }) })
  log.error({ err: 's3cret' })
  expect(failure.message).toContain('s3cret')
  expect(lines).toHaveLength(6)
  expect(lines.join('')).not.toContain('s3cret')
  expect(lines[0]).toContain('"query":"select $1"')
  expect(lines[3]).toContain('"attempt":2')
  expect(lines[4]).toMatch(/"message":"Outer".*"cause":\{.*"query":"select \$1"/)
})

test('an error whose causes are circular is logged', () => {
  const outer = new Error('Outer')
  outer.cause = new Error('Inner', { cause: outer })
  expect(describe(outer)).toMatchObject({ message: 'Outer', cause: { message: 'Inner' } })
})
