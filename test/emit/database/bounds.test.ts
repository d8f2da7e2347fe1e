import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { checkText } from '../../../src/language/parse.ts'
import { platformOf } from '../platform.ts'

const DEFINITION = `
Types: project {}
Every: service {
  text: string(10, 2);
  low: string(minLength: 3);
  small: int(7, -3);
  byte: int(precision: 1);
  three: int(precision: 3);
  five: int(precision: 5);
  wide: int(precision: 8);
  share: float(1.0, 0.1);
  single: float(0.1, -0.1, 4);
  open: float;
  day: date;
  clock: time;
  moment: datetime;
  blob: data(4);
  flag: bool;
  size: enum(2xl, m, in-between);
  price: decimal(max: 9.99, min: -0.5);
  exact: decimal(scale: 18);
  cheap: decimal(min: 0);
}`

/** A row that every check takes. */
const GOOD: Readonly<Record<string, string>> = {
  id: "'00000000-0000-7000-8000-000000000000'",
  text: "'abc'",
  low: "'abc'",
  small: '0',
  byte: '0',
  three: '0',
  five: '0',
  wide: '0',
  share: '0.5',
  single: '0',
  open: '0',
  day: "'2024-02-29'",
  clock: "'12:00'",
  moment: "'2024-02-29T12:00:00Z'",
  blob: "''",
  flag: 'true',
  size: "'m'",
  price: '0',
  exact: '0',
  cheap: '0',
}

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase(scriptOf(DEFINITION))
})
afterAll(() => database.drop())

function scriptOf(definition: string): string {
  return databases(platformOf(definition))
    .map(({ tables }) => schemaScript(tables))
    .join('\n')
}

/** What the database says to the good row with one value changed: the constraint, or the SQLSTATE. */
async function insert(column: string, value: string): Promise<string> {
  const row = { ...GOOD, [column]: value }
  const columns = Object.keys(row).map((name) => `"${name}"`)
  try {
    await database.sql.unsafe(
      `INSERT INTO "every" (${columns.join(', ')}) VALUES (${Object.values(row).join(', ')}); DELETE FROM "every"`,
    )
    return 'taken'
  } catch (error) {
    const { constraint_name: constraint, code } = error as { constraint_name?: string; code: string }
    return constraint ?? code
  }
}

const OUT_OF_RANGE = '22003'
const NULL = '23502'

test.each([
  ['text', ["'ab'", "'abcdefghij'", "'ééééé😀😀😀😀😀'"], ["'a'", "'abcdefghijk'"]],
  ['low', ["'abc'", "repeat('x', 100000)"], ["'ab'", "''"]],
  ['small', ['-3', '7'], ['-4', '8']],
  ['byte', ['-128', '127'], ['-129', '128']],
  ['three', ['-8388608', '8388607'], ['-8388609', '8388608']],
  ['five', ['-549755813888', '549755813887'], ['-549755813889', '549755813888']],
  ['share', ['0.1', '1.0'], ["'0.09999999999999999'", "'1.0000000000000002'", "'NaN'"]],
  ['single', ["'0.1'", "'-0.1'"], ["'0.10000001'", "'-0.10000001'", "'NaN'", "'Infinity'"]],
  ['open', ["'1.7976931348623157e308'", "'-1.7976931348623157e308'"], ["'Infinity'", "'-Infinity'", "'NaN'"]],
  ['day', ["'0001-01-01'", "'9999-12-31'"], ["'0001-12-31 BC'", "'10000-01-01'", "'infinity'"]],
  ['clock', ["'00:00:00'", "'23:59:59.999999'"], ["'24:00:00'"]],
  [
    'moment',
    ["'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59.999999Z'"],
    ["'0001-12-31T23:59:59.999999Z BC'", "'10000-01-01T00:00:00Z'", "'-infinity'"],
  ],
  ['size', ["'2xl'", "'m'", "'in-between'"], ["''", "'M'", "'m '", "'s'"]],
  ['price', ['9.99', '-0.5', "'-0'", '9.994'], ['10', '9.995', '-0.51', "'NaN'"]],
  ['exact', [`-${'9'.repeat(20)}.${'9'.repeat(18)}`, '9'.repeat(20)], ["'NaN'"]],
  ['cheap', ['0', '9'.repeat(36)], ['-0.01', "'NaN'"]],
  ['blob', ["'\\x00010203'", "''"], ["'\\x0001020304'"]],
])('%s: the values that its bounds accept and reject', async (column, inside, outside) => {
  for (const value of inside) expect.soft(await insert(column, value), value).toBe('taken')
  for (const value of outside) expect.soft(await insert(column, value), value).toBe(`every__${column}__check`)
  expect(await insert(column, 'NULL')).toBe(NULL)
})

test('bounds that only the type of the column enforces', async () => {
  expect(await insert('wide', '9223372036854775807')).toBe('taken')
  expect(await insert('wide', '9223372036854775808')).toBe(OUT_OF_RANGE)
  expect(await insert('single', "'1e39'")).toBe(OUT_OF_RANGE)
  expect(await insert('cheap', '1'.repeat(37))).toBe(OUT_OF_RANGE)
  expect(await insert('cheap', "'Infinity'")).toBe(OUT_OF_RANGE)
  expect(await insert('flag', 'NULL')).toBe(NULL)
  expect(await insert('id', 'NULL')).toBe(NULL)
})

/** A service with this many attributes of the types, in turn. */
function wide(count: number, types: readonly string[]): string {
  const attributes = Array.from({ length: count }, (_, index) => `a${index}: ${types[index % types.length]};`)
  return `Wide: project {}\nRow: service {\n${attributes.join('\n')}\n}\n`
}

/** The largest number of attributes that a definition can have. */
function mostOf(types: readonly string[]): number {
  let [valid, invalid] = [300, 2000]
  while (invalid - valid > 1) {
    const count = (valid + invalid) >> 1
    const codes = checkText(wide(count, types)).diagnostics.map(({ code }) => code)
    if (codes.includes('table-too-large')) invalid = count
    else valid = count
  }
  return valid
}

const random = (length: number) =>
  `'${randomBytes(length).toString('base64').slice(0, length).replaceAll('\\', '/')}'`
const TEXTS = [
  ...[20, 21, 24, 40, 3000].map((length) => random(length)),
  ...[24, 32, 60, 500, 3000].map((length) => `'${'x'.repeat(length)}'`),
]

test.each<[types: string[], values: string[][], isExact: boolean]>([
  [['bool'], [['true']], true],
  [['int(precision: 8)'], [['9223372036854775807']], true],
  [['bool', 'int(precision: 8)', 'int(precision: 1)', 'date'], [['true', '1', '1', "'2026-01-01'"]], true],
  [['string(3)'], [["'xyz'"], ["'\u{10000}\u{10000}\u{10000}'"]], true],
  [['string'], TEXTS.map((text) => [text]), false],
  [['data'], [["'\\x0102030405060708090a0b0c0d0e0f10111213141516171819'"]], false],
  [['decimal(scale: 18)'], [['-12345678901234567890.123456789012345678']], false],
  [
    ['decimal', 'string', 'bool'],
    [['-123456789012345678901234567890123456.12', random(3000), 'true']],
    false,
  ],
])('a page holds the largest row of as many %o as a definition can have', async (types, rows, isExact) => {
  const count = mostOf(types)
  const { sql } = database
  const insertRow = async (row: string[], columns = count) => {
    const values = Array.from({ length: columns }, (_, index) => row[index % row.length])
    await sql.unsafe(`INSERT INTO "row" VALUES (gen_random_uuid(), ${values.join(', ')})`)
  }
  await sql.unsafe(`DROP TABLE IF EXISTS "row"; ${scriptOf(wide(count, types))}`)
  for (const row of rows) await insertRow(row)
  expect(await sql`SELECT count(*)::int AS count FROM "row"`).toEqual([{ count: rows.length }])
  if (!isExact) return
  const addColumn = async () => {
    const next = `a${count % types.length}`
    const [column] = await sql`SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = '"row"'::regclass AND attname = ${next}`
    // A row has a bitmap of its columns if one was removed.
    await sql.unsafe('ALTER TABLE "row" ADD COLUMN gone bool; ALTER TABLE "row" DROP COLUMN gone')
    await sql.unsafe(`ALTER TABLE "row" ADD COLUMN more ${column?.['type']}`)
    await insertRow(rows.at(-1) ?? [], count + 1)
  }
  await expect(addColumn()).rejects.toThrow(/row is too big|at most 1600/)
})
