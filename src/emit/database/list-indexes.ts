import { columnType } from '../../model/columns.ts'
import type { AttributeType, Entity, Platform, Service, Struct } from '../../model/platform.ts'
import { constraintName, identifier, OWNER_COLUMN, PARENT_COLUMN } from './identifiers.ts'
import type { Index } from './table.ts'

/** An index for a filter or an order of a list. */
export interface ListIndex extends Index {
  /** Its key columns without `id`, which comes last. */
  readonly keys: readonly ListIndexKey[]
}

interface ListIndexKey {
  readonly column: string
  /** Whether it holds text, which lists compare by code point. */
  readonly isText: boolean
  readonly isDescending: boolean
}

/** The column that the condition of access compares with one value: the owner, the parent, or none. */
type AccessColumn = string | undefined

/** The conditions of access that statements read a list with. */
export function listAccess(
  { authentication }: Platform,
  { readable, identity }: Service,
  struct: Struct | undefined,
): AccessColumn[] {
  if (struct !== undefined) return [PARENT_COLUMN]
  if (authentication === undefined || readable === 'all') return [undefined]
  return [
    // The owner of an `#auth` entity is its id.
    ...(readable.creator && !identity ? [OWNER_COLUMN] : []),
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
): ListIndex[] {
  if (criteria === undefined) return []
  const { filter, sort } = criteria
  return access.flatMap((column) => {
    const leading = column === undefined ? [] : [key(column, undefined)]
    return attributes.flatMap((attribute) => {
      const ascending = key(attribute.names.snake, attribute.type)
      const descending = { ...ascending, isDescending: true }
      const isSorted = sort.includes(attribute)
      return [
        ...(isSorted || filter.includes(attribute) ? [listIndex(table, [...leading, ascending], 'idx')] : []),
        ...(isSorted ? [listIndex(table, [...leading, descending], 'desc')] : []),
      ]
    })
  })
}

function key(column: string, type: AttributeType | undefined): ListIndexKey {
  return { column, isText: type !== undefined && columnType(type) === 'text', isDescending: false }
}

function listIndex(table: string, keys: readonly ListIndexKey[], kind: 'idx' | 'desc'): ListIndex {
  const columns = [...keys.map(({ column }) => column), 'id']
  const parts = keys.map(
    ({ column, isText, isDescending }) =>
      `${identifier(column)}${isText ? ' COLLATE "C"' : ''}${isDescending ? ' DESC NULLS LAST' : ''}`,
  )
  return {
    name: constraintName(table, columns, kind),
    unique: false,
    columns,
    definition: `(${[...parts, identifier('id')].join(', ')})`,
    keys,
  }
}
