import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../postgres.ts'
import { CASES, GOLDEN } from './cases.ts'

describe.each(CASES)('golden %s', (name) => {
  const expected = join(GOLDEN, name, 'expected')
  const databases = readdirSync(expected).filter((directory) => directory.endsWith('-db'))

  test('has databases', () => {
    expect(databases).not.toEqual([])
  })

  test.each(databases)('%s/init.sql loads in Postgres', async (directory) => {
    const schema = readFileSync(join(expected, directory, 'init.sql'), 'utf8')
    const database = await freshDatabase(schema)
    try {
      const tables = await database.sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`
      expect(tables.length).toBeGreaterThan(0)
    } finally {
      await database.drop()
    }
  })
})
