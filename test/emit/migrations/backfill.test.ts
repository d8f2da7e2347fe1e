import { expect, test } from 'vitest'
import { backfillSql, expectedBackfill } from '../../../src/emit/migrations/backfill.ts'
import { databases } from '../../../src/emit/database/databases.ts'
import type { Column } from '../../../src/emit/database/table.ts'
import { tableStatements } from '../../../src/emit/database/sql.ts'
import { freshDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'

function tableOf(type: string) {
  const [database] = databases(platformOf(`P: project {}\nHome: service { id2: ${type}; }`))
  const [table] = database?.tables ?? []
  if (table === undefined) throw new Error('No table')
  return table
}

function columnOf(type: string): Column {
  const column = tableOf(type).columns.at(-1)
  if (column === undefined) throw new Error('No column')
  return column
}

const CASES: readonly (readonly [
  type: string,
  expected: string,
  valid: Readonly<Record<string, string>>,
  invalid: readonly string[],
])[] = [
  ['bool', '`true` or `false`', { true: 'true', ' false ': 'false' }, ['', 'yes', 'TRUE']],
  [
    'string(3, 1)',
    'a string of 1 to 3 characters',
    { "a'b": `'a''b'`, '\u{1f600}\u{1f600}\u{1f600}': `'\u{1f600}\u{1f600}\u{1f600}'`, ' x ': `' x '` },
    ['', 'abcd', 'a\0', '\ud800'],
  ],
  ['string(2, 2)', 'a string of 2 characters', { ab: `'ab'` }, ['a']],
  [
    'decimal(max: 9.99, min: -0.5)',
    'a decimal number with at most 2 digits after the point, -0.50 to 9.99',
    { '9.99': '9.99', '-0.5': '-0.50', '-0': '0.00', ' 1 ': '1.00' },
    ['', '9.991', '10', '-0.51', '1e0', 'NaN', '1.', 'x'],
  ],
  [
    'decimal(scale: 0)',
    'a decimal number with at most 0 digits after the point',
    { [`-${'9'.repeat(38)}`]: `-${'9'.repeat(38)}` },
    ['1'.repeat(39), '0.5'],
  ],
  ['enum(x, 2xl)', 'one of 2xl, x', { x: `'x'`, ' 2xl ': `'2xl'` }, ['', 'X', 'x, 2xl']],
  ['string', 'a string', { '': `''` }, ['\0']],
  ['string(1)', 'a string of at most 1 character', { a: `'a'` }, ['ab']],
  [
    'int(max: 9, min: 1)',
    'an integer from 1 to 9',
    { '1': '1', ' 09 ': '9' },
    ['', '0', '10', '1.0', '1e0', 'x'],
  ],
  ['int(precision: 1)', 'an integer from -128 to 127', { '-128': '-128' }, ['128']],
  [
    'int(precision: 8)',
    'an integer from -9007199254740991 to 9007199254740991',
    { '9007199254740991': '9007199254740991' },
    ['9007199254740992', '-9007199254740992'],
  ],
  [
    'float',
    'a number',
    { '1.50': '1.5', '-0': '0', '1e300': '1e+300' },
    ['', 'Infinity', 'NaN', '1e400', '0x1'],
  ],
  [
    'float(precision: 4, min: 0.1)',
    'a number, at least 0.10000000149011612',
    { '0.1': '0.10000000149011612' },
    ['0.09', '1e39'],
  ],
  [
    'date',
    'a date as YYYY-MM-DD',
    { '2024-02-29': `'2024-02-29'` },
    ['2023-02-29', '0000-01-01', '2024-1-1', 'today', 'infinity'],
  ],
  ['time', 'a time as HH:MM:SS', { '23:59:59.5': `'23:59:59.5'` }, ['24:00:00', '12:00', '1:00:00', 'now']],
  [
    'datetime',
    'a date and time with an offset, such as 2026-01-31T12:00:00Z',
    { '2026-01-31T12:00:00+02:00': `'2026-01-31T12:00:00+02:00'` },
    [
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-02-30T12:00:00Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      'now',
    ],
  ],
]

test.each(CASES)('%s: an answer becomes SQL if it is a value', async (type, expected, valid, invalid) => {
  const column = columnOf(type)
  expect(expectedBackfill(column)).toBe(expected)
  for (const [answer, sql] of Object.entries(valid)) expect(backfillSql(column, answer)).toEqual({ sql })
  for (const answer of invalid)
    expect(backfillSql(column, answer)).toEqual({ problem: `\`id2\` must be ${expected}` })
  const table = tableOf(type)
  const database = await freshDatabase(tableStatements(table).join('\n'))
  try {
    for (const sql of Object.values(valid))
      await database.sql.unsafe(`INSERT INTO home VALUES (gen_random_uuid(), ${sql})`)
  } finally {
    await database.drop()
  }
})

test('a reference takes a UUID, and data no value', () => {
  const uuid = '0190a5b4-1111-7000-8000-000000000001'
  const reference: Column = { name: 'owner', attribute: 'owner', type: 'uuid', documentation: '' }
  expect(backfillSql(reference, uuid)).toEqual({ sql: `'${uuid}'` })
  expect(backfillSql(reference, 'x')).toEqual({ problem: '`owner` must be a UUID' })
  expect(backfillSql({ ...reference, type: 'bytea' }, 'x')).toEqual({
    problem: '`owner` must be written in a migration: one value cannot be right for all rows',
  })
})
