import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaHash } from '../../../src/emit/database/hash.ts'
import type { Table } from '../../../src/emit/database/table.ts'
import { planProject } from '../../../src/emit/migrations/project-plan.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'

/** Words that SQL reserves, as names of everything, and names that Postgres, or DNS for a host, would cut one letter later. */
const LONG = `A${'b'.repeat(59)}`
const AWKWARD = `
P: project { #authMethod(email); }
/// It's "quoted"; DROP TABLE x; -- no $$ comment \\
/// über 2 Zeilen
User: service {
  /// Don't.
  select: string(5) @unique;
  table: int(7);
  user: data @unique;
  primary: string(9000) @unique;
  #auth;
}
Order: service {
  group: User;
  Table: struct { column: string @unique; order: Order; }
  Check: struct { table: Table; }
  PgClass: struct { ctid: string @unique; cmax: Table; xmin: int @was(xmax); #unique[parent, xmin]; #enumerable(sort: [xmin]); }
  #enumerable;
}
PgType: service { tableoid: int; xmax: string(9000) @unique; cmin: date; #enumerable(filter: [cmin]); }
${LONG}: service {
  a${'b'.repeat(62)}: string @unique;
  a${'b'.repeat(60)}C: string(1) @unique;
  a${'b'.repeat(61)}: int(1) @unique;
  B${'b'.repeat(62)}: struct { a${'b'.repeat(62)}: int(5) @unique; a${'b'.repeat(61)}: C${'b'.repeat(62)}; }
  C${'b'.repeat(62)}: struct { a${'b'.repeat(62)}: int(5) @unique; }
  #enumerable;
}`

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const golden = path.resolve(import.meta.dirname, '../../golden')
const goldens = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(path.join(golden, name)).map((file) => path.join(name, file)))
  .filter((file) => /\/input\.\w+$/.test(file))
  .map((file) => [file, readFileSync(path.join(golden, file), 'utf8')] as const)

test.each([['awkward names', AWKWARD] as const, ...goldens])(
  '%s: the scripts make what they say',
  async (_name, text) => {
    for (const { tables } of databases(platformOf(text))) {
      const { sql } = database
      await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      await sql.unsafe(schemaScript(tables))
      const columns = await sql`
      SELECT table_name AS table, column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`
      expect(columns.map(({ table, name }) => `${table}.${name}`).sort()).toEqual(
        tables.flatMap((table) => table.columns.map(({ name }) => `${table.name}.${name}`)).sort(),
      )
      const constraints = await sql`
      SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`
      expect(constraints.map(({ name }) => String(name)).sort()).toEqual(
        tables
          .flatMap((table) => [...table.constraints, ...table.foreignKeys].map(({ name }) => name))
          .sort(),
      )
    }
  },
)

test('documentation becomes comments, whatever it contains', async () => {
  const [auth, user] = databases(platformOf(AWKWARD))
  expect(auth?.service).toBe('Auth')
  const { sql } = database
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await sql.unsafe(schemaScript(user?.tables ?? []))
  const [row] = await sql`
    SELECT obj_description('"user"'::regclass) AS "table", col_description('"user"'::regclass, 2) AS "column"`
  expect(row?.['table']).toBe('It\'s "quoted"; DROP TABLE x; -- no $$ comment \\\nüber 2 Zeilen')
  expect(row?.['column']).toBe("Don't.")
})

test('names are unique and short enough in each schema', () => {
  for (const { tables } of databases(platformOf(AWKWARD))) {
    const names = tables.flatMap((table) => [
      table.name,
      ...[...table.constraints, ...table.foreignKeys, ...table.indexes].map(({ name }) => name),
    ])
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
  }
})

test('every service has one migration, the same every time', () => {
  const emitted = planProject(platformOf(AWKWARD), []).files
  const files = emitted.filter((file) => file.path.endsWith('.sql'))
  expect(files.map((file) => file.path)).toEqual([
    'auth-db/migrations/0001_initial.sql',
    'user-db/migrations/0001_initial.sql',
    'order-db/migrations/0001_initial.sql',
    'pg-type-db/migrations/0001_initial.sql',
    `a${'b'.repeat(59)}-db/migrations/0001_initial.sql`,
  ])
  expect(files.every(({ owner }) => owner === 'user')).toBe(true)
  expect(planProject(platformOf(AWKWARD), []).files).toEqual(emitted)
  expect(files[1]?.content).toMatchInlineSnapshot(`
    "-- Creates the tables of User. They are new, so this locks and loses nothing.
    -- schema: none -> 747b73af8d77f73d5beeab0e64018ae431a277df42fb6a645047e42f0fdd7ece

    CREATE TABLE "user" (
      "id" uuid NOT NULL,
      "select" text NOT NULL,
      "table" integer NOT NULL,
      "user" bytea NOT NULL,
      "primary" text NOT NULL,
      CONSTRAINT "user__pkey" PRIMARY KEY ("id"),
      CONSTRAINT "user__select__check" CHECK (char_length("select") <= 5),
      CONSTRAINT "user__select__key" UNIQUE ("select"),
      CONSTRAINT "user__table__check" CHECK ("table" <= 7),
      CONSTRAINT "user__user__key" EXCLUDE USING hash ("user" WITH =),
      CONSTRAINT "user__primary__check" CHECK (char_length("primary") <= 9000),
      CONSTRAINT "user__primary__key" EXCLUDE USING hash ("primary" WITH =)
    );

    -- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
    CREATE FUNCTION "user__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended(encode(sha256(NEW."user"), 'hex'), 0));
      PERFORM pg_advisory_xact_lock(hashtextextended(NEW."primary", 1));
      RETURN NEW;
    END
    $$;
    CREATE TRIGGER "user__serialize" BEFORE INSERT OR UPDATE OF "user", "primary" ON "user"
      FOR EACH ROW EXECUTE FUNCTION "user__serialize"();

    COMMENT ON TABLE "user" IS 'It''s "quoted"; DROP TABLE x; -- no $$ comment \\
    über 2 Zeilen';
    COMMENT ON COLUMN "user"."select" IS 'Don''t.';
    "
  `)
})

test('the hash of a schema is that of its data', () => {
  const tablesOf = (attributes: string) =>
    databases(platformOf(`P: project {} Home: service { ${attributes} #enumerable(sort: [a]); }`))[0]
      ?.tables ?? []
  const hash = schemaHash(tablesOf('a: string(9, 1); b: int(9) @unique;'))
  const read = (text: string) => schemaHash(JSON.parse(text) as Table[])
  const written = JSON.stringify(
    tablesOf('b: int(9) @unique; /** Documented. */ a: string(9, 1);'),
    (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
  )
  expect(read(written)).toBe(hash)
  for (const other of [
    'a: string(9, 2); b: int(9) @unique;',
    'a: string(9, 1)?; b: int(9) @unique;',
    'a: string(9, 1); b: int(9);',
    'a: string(9, 1); b: int(8) @unique;',
  ])
    expect(schemaHash(tablesOf(other))).not.toBe(hash)
})
