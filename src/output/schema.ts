import { schemaChanges, type TableChange } from '../emit/database/changes.ts'
import type { DatabaseSnapshot, SchemaSnapshot, TableSnapshot } from '../emit/database/snapshot.ts'
import { isObject, own, type Json } from './json.ts'

/** A snapshot of the schema as the manifest keeps it. */
export function schemaJson({ databases }: SchemaSnapshot): Json {
  return {
    databases: databases.map(({ directory, service, tables }) => ({
      directory,
      service,
      tables: tables.map(({ name, columns, constraints }) => ({ name, columns, constraints })),
    })),
  }
}

/**
 * The tables that differ between what a manifest remembers and a new schema; none where it remembers nothing,
 * or nothing that makes sense.
 */
export function changedTables(remembered: Json | undefined, schema: SchemaSnapshot): TableChange[] {
  const before = readSnapshot(remembered)
  return before === undefined ? [] : schemaChanges(before, schema)
}

function readSnapshot(json: Json | undefined): SchemaSnapshot | undefined {
  const databases = readAll(isObject(json) ? own(json, 'databases') : undefined, readDatabase)
  return databases === undefined ? undefined : { databases }
}

function readDatabase(json: Json): DatabaseSnapshot | undefined {
  if (!isObject(json)) return undefined
  const [directory, service] = [own(json, 'directory'), own(json, 'service')]
  const tables = readAll(own(json, 'tables'), readTable)
  if (typeof directory !== 'string' || typeof service !== 'string' || tables === undefined) return undefined
  return { directory, service, tables }
}

function readTable(json: Json): TableSnapshot | undefined {
  if (!isObject(json)) return undefined
  const [name, columns, constraints] = [own(json, 'name'), own(json, 'columns'), own(json, 'constraints')]
  if (typeof name !== 'string' || !isTexts(columns) || !isTexts(constraints)) return undefined
  return { name, columns, constraints }
}

function readAll<Item>(
  json: Json | undefined,
  read: (item: Json) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(json)) return undefined
  const items = json.map((item: Json) => read(item))
  return items.every((item) => item !== undefined) ? items : undefined
}

function isTexts(json: Json | undefined): json is Readonly<Record<string, string>> {
  return isObject(json) && Object.values(json).every((text) => typeof text === 'string')
}
