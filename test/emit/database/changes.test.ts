import { expect, test } from 'vitest'
import { schemaChanges } from '../../../src/emit/database/changes.ts'
import { type SchemaSnapshot, schemaSnapshot } from '../../../src/emit/database/snapshot.ts'
import { platformOf } from '../platform.ts'

const BEFORE = `
P: project {}
Home: service { beds: int(40, 1); address: string; Photo: struct { caption: string(200); } }
Host: service { name: string; }`

const AFTER = `
P: project {}
/// Documentation changes nothing.
Home: service { address: string @unique; beds: int(50, 1); price: float; Plan: struct {} }
Guest: service { name: string; }`

/** As the manifest gives it back. */
function stored(text: string): SchemaSnapshot {
  return JSON.parse(JSON.stringify(schemaSnapshot(platformOf(text)))) as SchemaSnapshot
}

test('the same definition has the same schema, whatever its order and documentation', () => {
  expect(schemaChanges(stored(BEFORE), schemaSnapshot(platformOf(BEFORE)))).toEqual([])
  const same = BEFORE.replace(
    'beds: int(40, 1); address: string;',
    '/// Text.\n address: string; beds: int(40, 1);',
  )
  expect(schemaChanges(stored(BEFORE), schemaSnapshot(platformOf(same)))).toEqual([])
})

test('each table that changed, with what changed', () => {
  expect(schemaChanges(stored(BEFORE), schemaSnapshot(platformOf(AFTER)))).toMatchInlineSnapshot(`
    [
      {
        "change": "Column "price" is new (double precision); constraint "home__address__key" is new (EXCLUDE USING hash ("address" WITH =)); constraint "home__beds__check" was CHECK ("beds" BETWEEN 1 AND 40) and is CHECK ("beds" BETWEEN 1 AND 50); constraint "home__price__check" is new (CHECK ("price" > '-Infinity'::double precision AND "price" < 'Infinity'::double precision)).",
        "directory": "home-db",
        "service": "Home",
        "table": "home",
      },
      {
        "change": "The table is new.",
        "directory": "home-db",
        "service": "Home",
        "table": "plan",
      },
      {
        "change": "The table is gone.",
        "directory": "home-db",
        "service": "Home",
        "table": "photo",
      },
      {
        "change": "The table is new.",
        "directory": "guest-db",
        "service": "Guest",
        "table": "guest",
      },
      {
        "change": "The table is gone.",
        "directory": "host-db",
        "service": "Host",
        "table": "host",
      },
    ]
  `)
})
