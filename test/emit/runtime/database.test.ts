import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { baseConfig, readConfig } from '../../../templates/typescript/lib/config.ts'
import { connect } from '../../../templates/typescript/lib/database.ts'
import { createLog } from '../../../templates/typescript/lib/log.ts'
import { freshDatabase, setHostileSettings } from '../../postgres.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('a lost connection is logged, except while the pool is being closed', async () => {
  const log = createLog('test', 'silent')
  const warn = vi.spyOn(log, 'warn')
  const config = readConfig(baseConfig, { DATABASE_URL: database.url, MAX_BODY_BYTES: '1' })
  const { pool, close } = connect(config, {}, log)
  const idle = async () => {
    const client = await pool.connect()
    client.release()
    return client
  }
  ;(await idle()).emit('error', new Error('lost'))
  expect(warn).toHaveBeenCalledOnce()
  const client = await idle()
  const closed = close()
  client.emit('error', new Error('lost'))
  await Promise.all([closed, once(client, 'end')])
  expect(warn).toHaveBeenCalledOnce()
})

test('statements that a transaction sends at once run one after the other', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  const config = readConfig(baseConfig, { DATABASE_URL: database.url, MAX_BODY_BYTES: '1' })
  const { db, close } = connect(config, {}, createLog('test', 'silent'))
  const rows = await db.transaction((tx) =>
    Promise.all([tx, db, tx].map((on, index) => on.execute(`SELECT ${index} AS n`))),
  )
  expect(rows.map((result) => result.rows)).toEqual([[{ n: 0 }], [{ n: 1 }], [{ n: 2 }]])
  await close()
  // `pg` warns of statements that it would queue itself, and no later version will.
  expect(warned.mock.calls).toEqual([])
  process.off('warning', warned)
})

test('a transaction begins as its options say', async () => {
  const config = readConfig(baseConfig, { DATABASE_URL: database.url, MAX_BODY_BYTES: '1' })
  const { db, close } = connect(config, {}, createLog('test', 'silent'))
  const isolation = async (options?: Parameters<typeof db.transaction>[1]) => {
    const [row] = (await db.transaction((tx) => tx.execute('SHOW transaction_isolation'), options)).rows
    return row?.['transaction_isolation']
  }
  expect(await isolation({ isolationLevel: 'serializable' })).toBe('serializable')
  expect(await isolation()).toBe('read committed')
  await close()
})

test('settings of the database and options of the URL change no value', async () => {
  await setHostileSettings(database)
  const url = new URL(database.url)
  url.searchParams.set('options', '-c search_path=pg_temp -c DateStyle=SQL')
  const config = readConfig(baseConfig, { DATABASE_URL: url.href, MAX_BODY_BYTES: '1' })
  const { pool, close } = connect(config, {}, createLog('test', 'silent'))
  const settings = `SELECT name, setting FROM pg_settings WHERE source = 'database'`
  expect((await pool.query(settings)).rows).toEqual([])
  const values = await pool.query({
    rowMode: 'array',
    text: `SELECT current_setting('search_path'), current_setting('transaction_isolation'),
      '2026-01-01T01:00:00+01:00'::timestamptz::text, (0.1::float8 + 0.2)::text, '\\x00ff'::bytea::text,
      '1 day'::interval::text, 'é\\', '{NULL}'::text[] = ARRAY[NULL::text], 1 = NULL`,
  })
  expect(values.rows).toEqual([
    [
      'pg_temp',
      'read committed',
      '2026-01-01 00:00:00+00',
      '0.30000000000000004',
      '\\x00ff',
      '1 day',
      'é\\',
      true,
      null,
    ],
  ])
  await close()
})
