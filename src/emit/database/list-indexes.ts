import { columnType } from '../../model/columns.ts'
import type { AttributeType, Entity, Platform, Service, Struct } from '../../model/platform.ts'
import { constraintName, OWNER_COLUMN, PARENT_COLUMN } from './identifiers.ts'
import type { Index, IndexKey } from './table.ts'

/** The column that the condition of access compares with one value: the owner, the parent, or none. */
type AccessColumn = string | undefined

/** The conditions of access that statements read a list with. */
export function listAccess(
  { authentication }: Platform,
  { readable, storesUsers }: Service,
  struct: Struct | undefined,
): AccessColumn[] {
  if (struct !== undefined) return [PARENT_COLUMN]
  if (authentication === undefined || readable === 'all') return [undefined]
  return [
    // The owner of an `#auth` entity is its id.
    ...(readable.creator && !storesUsers ? [OWNER_COLUMN] : []),
    ...(readable.roles.length > 0 ? [undefined] : []),
  ]
}

/**
 * The indexes for the filters and orders of a list. Entities with equal values are in the order of ids, also in
 * descending order, so that each direction has its own index.
 */
export function listIndexes(
  { criteria, attributes, table }: Entity,
  access: readonly AccessColumn[],
): Index[] {
  if (criteria === undefined) return []
  const { filter, sort } = criteria
  return access.flatMap((column) => {
    const leading = column === undefined ? [] : [key(column, undefined)]
    return attributes.flatMap((attribute) => {
      const ascending = key(attribute.names.snake, attribute.type)
      const descending = { ...ascending, isDescending: true } as const
      const isSorted = sort.includes(attribute)
      return [
        ...(isSorted || filter.includes(attribute) ? [listIndex(table, [...leading, ascending], 'idx')] : []),
        ...(isSorted ? [listIndex(table, [...leading, descending], 'desc')] : []),
      ]
    })
  })
}

function key(column: string, type: AttributeType | undefined): IndexKey {
  return { column, ...(type !== undefined && columnType(type) === 'text' ? { isText: true } : {}) }
}

function listIndex(table: string, leading: readonly IndexKey[], kind: 'idx' | 'desc'): Index {
  const keys = [...leading, { column: 'id' }]
  return {
    name: constraintName(
      table,
      keys.map(({ column }) => column),
      kind,
    ),
    unique: false,
    keys,
  }
}
