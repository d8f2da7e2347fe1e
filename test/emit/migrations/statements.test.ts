import { expect, test } from 'vitest'
import { splitStatements } from '../../../templates/typescript/lib/migration-files.ts'

test('statements end at semicolons outside of texts, comments and bodies', () => {
  const statements = [
    `SELECT 'a;''b;', E'\\';', "c;""d", $$e;$$, $x$f;$$;$x$, 1 -- g;\n + 2 /* h; */`,
    `CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END`,
    `CREATE FUNCTION "begin"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
    `SELECT 1 AS "last"`,
  ]
  const script = `-- first;\n\n${statements.join(';\n/* ; */ ')};\n-- end;\n`
  expect(splitStatements(script)).toEqual(
    statements.map((text, index) => ({ text, line: [3, 5, 6, 7][index] })),
  )
  expect(splitStatements(' ;; -- nothing')).toEqual([])
})
