import { columnType } from '../../model/columns.ts'
import { filterParameters } from '../../model/criteria.ts'
import type { Attribute, Entity, Service, Struct } from '../../model/platform.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import { identifier, OWNER_COLUMN, PARENT_COLUMN } from './identifiers.ts'
import { rowSize, storedColumns } from './statements.ts'

/**
 * The parts of the statement that reads a list with filters or an order: `select`, the conditions after `where`,
 * all of which must hold, and `order by`. In conditions, `?` is a value; `in (?)` takes one for each value.
 */
export interface SearchParts {
  readonly count: string
  /** Limits the list to the entries of a parent, or to the entities of an owner; `undefined` if nothing does. */
  readonly access: string | undefined
  /** By query parameter: `rate[gte]`. */
  readonly filters: Readonly<Record<string, SearchFilter>>
  /** By the value of `sort`. The order of ids has the key `id`. */
  readonly orders: Readonly<Record<string, SearchOrder>>
  /** The condition that rows come no later than one with an id. */
  readonly upToId: string
  /** The order of ids in which Postgres sorts matches, instead of reading all rows in their order. */
  readonly orderByIdText: string
}

/** A filter. */
export interface SearchFilter {
  readonly condition: string
  /**
   * The order of the filter's index, if matches in it are not in the order of ids: all but those of one value. A list
   * in the order of ids first looks how far it has to read among all rows, and how many matches there are.
   */
  readonly indexOrder: string | undefined
}

/** An order. The rows that come after one with a value, or after one without, are ranges of the index, read in turn. */
export interface SearchOrder {
  /** Selects rows or, where these may be large, their ids, sizes and what sorts them. */
  readonly select: string
  readonly orderBy: string
  readonly after: readonly string[]
  readonly afterNull: readonly string[]
}

/** The operators of filters in SQL. */
export const OPERATORS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** The parts of the statement that reads a list with filters or an order; `undefined` if it has neither. */
export function searchParts(service: Service, struct?: Struct): SearchParts | undefined {
  const entity = struct ?? service.entity
  if (entity.criteria === undefined) return undefined
  const table = identifier(entity.table)
  const id = `${table}."id"`
  const comparable = (attribute: Attribute) => searchColumn(entity, attribute)
  const filters = filterParameters(entity.criteria).flatMap(
    ({ name, attribute, operator }): [string, SearchFilter][] => {
      const column = comparable(attribute)
      const scattered = (condition: string) => ({ condition, indexOrder: `${column} asc` })
      if (operator === 'in') return [[name, scattered(`${column} in (?)`)]]
      if (operator !== 'eq') return [[name, scattered(`${column} ${OPERATORS[operator]} ?`)]]
      return [
        [name, { condition: `${column} = ?`, indexOrder: undefined }],
        ...(attribute.optional
          ? [[`${name}=null`, scattered(`${column} is null`)] satisfies [string, SearchFilter]]
          : []),
      ]
    },
  )
  const isLarge = hasLargeRows(entity)
  const select = (...columns: readonly string[]) =>
    `select ${isLarge ? ['"id"', ...columns, rowSize(entity)].join(', ') : storedColumns(entity, struct)} from ${table}`
  const orders = entity.criteria.sort.flatMap((attribute) =>
    ['', '-'].map((sign): [string, SearchOrder] => {
      const column = comparable(attribute)
      return [
        `${sign}${attribute.names.declared}`,
        {
          select: select(identifier(attribute.names.snake)),
          orderBy: `${column} ${sign === '' ? 'asc' : 'desc nulls last'}, ${id} asc`,
          after: [
            `(${column} = ? and ${id} > ?)`,
            `${column} ${sign === '' ? '>' : '<'} ?`,
            ...(attribute.optional ? [`${column} is null`] : []),
          ],
          afterNull: attribute.optional ? [`(${column} is null and ${id} > ?)`] : [],
        },
      ]
    }),
  )
  const byId = { select: select(), orderBy: `${id} asc`, after: [`${id} > ?`], afterNull: [] }
  return {
    count: `select count(*) from ${table}`,
    access: accessCondition(service, struct),
    filters: Object.fromEntries(filters),
    orders: Object.fromEntries([['id', byId], ...orders]) as Record<string, SearchOrder>,
    upToId: `${id} <= ?`,
    orderByIdText: `${id}::text collate "C"`,
  }
}

/** A column in filters and orders. Text is compared by code point, as in its index. */
export function searchColumn({ table }: Entity, { names, type }: Attribute): string {
  const column = `${identifier(table)}.${identifier(names.snake)}`
  return columnType(type) === 'text' ? `${column} collate "C"` : column
}

/** A caller without a role that admits it reads nothing if creators are not admitted. */
function accessCondition({ entity, readable, storesUsers }: Service, struct?: Struct): string | undefined {
  if (struct !== undefined) return `${identifier(struct.table)}.${identifier(PARENT_COLUMN)} = ?`
  if (readable === 'all') return undefined
  if (!readable.creator) return 'false'
  return `${identifier(entity.table)}.${identifier(storesUsers ? 'id' : OWNER_COLUMN)} = ?`
}
