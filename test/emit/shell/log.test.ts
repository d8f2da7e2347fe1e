import { DrizzleQueryError, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { connect } from '../../../templates/typescript/src/database.ts'
import { createLog, errorFields, type LogLevel } from '../../../templates/typescript/src/log.ts'
import { freshDatabase } from '../../postgres.ts'

function capture(level: LogLevel = 'debug') {
  const writes: string[] = []
  return { log: createLog('home', level, (lines) => writes.push(lines)), writes }
}

test('a line is JSON with the time, the level, the message and the fields', async () => {
  const { log, writes } = capture()
  log.with({ requestId: 'r' }).error('Broken\n"line"', { count: 1n, nested: { a: [1] } })
  expect(JSON.parse(writes.join(''))).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'error',
    message: 'Broken\n"line"',
    service: 'home',
    requestId: 'r',
    count: '1',
    nested: { a: [1] },
  })
  expect(writes.join('').match(/\n/g)).toHaveLength(1)
})

test('levels below the configured one are not written; several lines are written at once, trouble right away', async () => {
  const { log, writes } = capture('info')
  log.debug('no')
  log.info('one')
  log.info('two')
  expect(writes).toEqual([])
  log.warn('three')
  expect(writes).toHaveLength(1)
  expect(writes[0]?.match(/"message":"(one|two|three)"/g)).toHaveLength(3)
  log.info('four')
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  expect(writes).toHaveLength(2)
  for (let count = 0; count < 1000; count++) log.info('many')
  expect(writes.length).toBeGreaterThan(3)
})

test('fields that JSON cannot hold', () => {
  const { log, writes } = capture()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  log.error('round', circle)
  expect(JSON.parse(writes.join(''))).toMatchObject({ message: 'round', fields: 'not serializable' })
})

test('errors of the database are logged with their codes and names and none of their values', async () => {
  const database = await freshDatabase('CREATE TABLE t (v text CONSTRAINT t_key UNIQUE, n int CHECK (n > 0))')
  const { log } = capture()
  const opened = connect(
    { url: database.url, socketDirectory: '', passwordFile: undefined, poolSize: 1 },
    log,
  )
  const fails = async (query: ReturnType<typeof sql>) => {
    const error = await opened.drizzle.execute(query).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(DrizzleQueryError)
    const text = JSON.stringify(errorFields(error))
    expect(text).not.toMatch(/s3cret|INSERT/)
    return JSON.parse(text) as Record<string, unknown>
  }
  await opened.drizzle.execute(sql`INSERT INTO t VALUES (${'s3cret'}, 1)`)
  const duplicate = await fails(sql`INSERT INTO t VALUES (${'s3cret'}, 1)`)
  expect(duplicate).toMatchObject({ code: '23505', constraint: 't_key', table: 't' })
  expect(await fails(sql`INSERT INTO t VALUES (${'s3cret'}, 0)`)).toMatchObject({ code: '23514' })
  expect(await fails(sql`SELECT ${'s3cret'}::int`)).toMatchObject({ code: '22P02' })
  expect(await fails(sql`SELECT ${'s3cret'}::uuid`)).toMatchObject({ code: '22P02' })
  expect(await fails(sql`SELECT repeat(${'s3cret'}, 10)::json`)).toMatchObject({ code: '22P02' })
  await opened.close()
  await database.drop()
})

test('other errors keep their message and their places, those of JSON.parse the places alone', () => {
  const plain = errorFields(new Error('Broken'))
  expect(plain).toMatchObject({ error: 'Error', reason: 'Broken', stack: expect.arrayContaining([]) })
  expect(String(plain['stack'])).toContain('log.test.ts')
  let error: unknown
  try {
    JSON.parse('{"password": s3cret}')
  } catch (caught) {
    error = caught
  }
  expect(String(error)).toContain('s3cret')
  expect(JSON.stringify(errorFields(error))).not.toContain('s3cret')
  expect(errorFields('s3cret')).toEqual({ error: 'string' })
})
