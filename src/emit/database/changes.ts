import type { DatabaseSnapshot, SchemaSnapshot, TableSnapshot } from './snapshot.ts'

/** A table that is not the same in two generations. */
export interface TableChange {
  /** Directory of the database's script: `home-db`. */
  readonly directory: string
  /** Declared name of the service. */
  readonly service: string
  readonly table: string
  /** What changed, in a sentence: `Column "beds" is new; column "address" is gone.` */
  readonly change: string
}

/** The tables that differ, in the order of the new snapshot, those that are gone behind the others. */
export function schemaChanges(before: SchemaSnapshot, after: SchemaSnapshot): TableChange[] {
  const directories = union(before.databases, after.databases, ({ directory }) => directory)
  return directories.flatMap(({ older, newer }) => databaseChanges(older, newer))
}

function databaseChanges(
  older: DatabaseSnapshot | undefined,
  newer: DatabaseSnapshot | undefined,
): TableChange[] {
  const { directory = '', service = '' } = newer ?? older ?? {}
  return union(older?.tables ?? [], newer?.tables ?? [], ({ name }) => name).flatMap((table) => {
    const change = tableChange(table.older, table.newer)
    const name = table.newer?.name ?? table.older?.name ?? ''
    return change === undefined ? [] : [{ directory, service, table: name, change }]
  })
}

function tableChange(older: TableSnapshot | undefined, newer: TableSnapshot | undefined): string | undefined {
  if (older === undefined) return 'The table is new.'
  if (newer === undefined) return 'The table is gone.'
  const parts = [
    ...mapChanges('column', older.columns, newer.columns),
    ...mapChanges('constraint', older.constraints, newer.constraints),
  ]
  if (parts.length === 0) return undefined
  const sentence = parts.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function mapChanges(
  what: string,
  older: Readonly<Record<string, string>>,
  newer: Readonly<Record<string, string>>,
): string[] {
  const pairs = union(Object.entries(older), Object.entries(newer), ([name]) => name)
  return pairs.flatMap(({ older: was, newer: is }) => {
    if (was === undefined) return [`${what} "${is?.[0]}" is new (${is?.[1]})`]
    if (is === undefined) return [`${what} "${was[0]}" is gone`]
    return was[1] === is[1] ? [] : [`${what} "${is[0]}" was ${was[1]} and is ${is[1]}`]
  })
}

interface Pair<Item> {
  readonly older: Item | undefined
  readonly newer: Item | undefined
}

/** Pairs items with the same key: in the order of the newer ones, then the older ones that are left. */
function union<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  keyOf: (item: Item) => string,
): Pair<Item>[] {
  const olderByKey = new Map(older.map((item) => [keyOf(item), item]))
  const newerKeys = new Set(newer.map(keyOf))
  return [
    ...newer.map((item) => ({ older: olderByKey.get(keyOf(item)), newer: item })),
    ...older.filter((item) => !newerKeys.has(keyOf(item))).map((item) => ({ older: item, newer: undefined })),
  ]
}
