import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
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
