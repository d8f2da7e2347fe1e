import type {
  Attribute,
  AttributeType,
  Combination,
  DefaultValue,
  Entity,
  Platform,
  Service,
  Struct,
} from '../../model/platform.ts'
import { tableName } from '../../naming.ts'
import { columnCheck, columnType } from '../../model/columns.ts'
import { keysTable } from './idempotency.ts'
import { constraint, constraintName, literal, OWNER_COLUMN, PARENT_COLUMN } from './identifiers.ts'
import { hasQueue, jobsTable } from './jobs.ts'
import { listAccess, listIndexes } from './list-indexes.ts'
import type { Column, Constraint, Index, Table } from './table.ts'
import { versionColumns } from './versions.ts'

/**
 * The maximum size of a value in a B-tree index: a third of a page without headers. https://www.postgresql.org/docs/18/btree.html
 */
const MAX_BTREE_VALUE_BYTES = 2688
const MAX_BYTES_PER_CODE_POINT = 4

/** The tables of a service's database: its entity's, then those of its structs. */
export function serviceTables(platform: Platform, service: Service): Table[] {
  const searched = (entity: Entity, struct?: Struct) =>
    listIndexes(entity, listAccess(platform, service, struct))
  return [
    withIndexes(entityTable(service), searched(service.entity)),
    ...service.structs.map((struct) => withIndexes(structTable(struct, service), searched(struct, struct))),
    ...(service.idempotent ? [keysTable(service.names.declared)] : []),
    ...(hasQueue(service) ? [jobsTable(service.names.declared)] : []),
  ]
}

/** Adds the indexes of the list's filters and orders. */
function withIndexes(table: Table, indexes: readonly Index[]): Table {
  return { ...table, indexes: [...table.indexes, ...indexes] }
}

function entityTable({ entity, names, storesUsers }: Service): Table {
  const { hasOwner, listedByOwner } = entity
  const owner = column(OWNER_COLUMN, 'uuid', 'The id of the token that created the entity.')
  return {
    ...tableOf(
      entity,
      names.declared,
      [...(hasOwner ? [owner] : []), ...versionColumns(entity, storesUsers)],
      [],
    ),
    ...(entity.was === undefined ? {} : { was: tableName(entity.was.declared) }),
    foreignKeys: [],
    // For lists, which are read by owner in the order of ids.
    indexes: hasOwner && listedByOwner ? [index(entity.table, [OWNER_COLUMN, 'id'])] : [],
  }
}

function structTable(struct: Struct, service: Service): Table {
  const { table, attributes, referenced } = struct
  const parent = column(PARENT_COLUMN, 'uuid', 'The id of the parent entity.')
  const parentKey = constraint(table, [PARENT_COLUMN], {
    kind: 'fkey',
    table: service.entity.table,
    cascades: true,
  })
  // Target of references from sibling structs, which must have the same parent.
  const withParent = constraint(table, ['id', PARENT_COLUMN], { kind: 'key' })
  const siblings = attributes.filter(({ type, stored }) => stored && type.kind === 'sibling')
  return {
    ...tableOf(
      struct,
      `${service.names.declared}.${struct.names.declared}`,
      [parent, ...versionColumns(struct, false)],
      referenced ? [withParent, parentKey] : [parentKey],
    ),
    ...(struct.was === undefined ? {} : { was: tableName(struct.was.declared) }),
    foreignKeys: siblings.flatMap((attribute) => siblingKey(table, attribute)),
    indexes: [
      index(table, [PARENT_COLUMN, 'id']),
      // For deletions, which look for references to the entry.
      ...siblings.filter(({ unique }) => !unique).map(({ names }) => index(table, [names.snake])),
    ],
  }
}

function tableOf(
  { table, documentation, attributes, combinations }: Entity,
  name: string,
  keyColumns: readonly Column[],
  keys: readonly Constraint[],
): Pick<Table, 'name' | 'entity' | 'documentation' | 'columns' | 'constraints' | 'serialized'> {
  const stored = attributes.filter((attribute) => attribute.stored)
  return {
    name: table,
    entity: name,
    documentation,
    columns: [column('id', 'uuid', ''), ...keyColumns, ...stored.map(attributeColumn)],
    constraints: [
      constraint(table, [], { kind: 'pkey' }),
      ...keys,
      ...stored.flatMap((attribute) => attributeConstraints(table, attribute)),
      ...combinations.map((combination) => combinationKey(table, combination)),
    ],
    serialized: stored.flatMap(({ names, type, unique }) =>
      unique && !fitsBtree(type)
        ? [{ name: names.snake, type: type.kind === 'data' ? ('bytea' as const) : ('text' as const) }]
        : [],
    ),
  }
}

function attributeConstraints(table: string, { names, type, unique }: Attribute): Constraint[] {
  const check = columnCheck(type)
  return [
    ...(check === undefined ? [] : [constraint(table, [names.snake], { kind: 'check', check })]),
    ...(unique
      ? [constraint(table, [names.snake], { kind: 'key', ...(fitsBtree(type) ? {} : { isHashed: true }) })]
      : []),
  ]
}

function combinationKey(table: string, combination: Combination): Constraint {
  return constraint(table, columnsOf(combination), { kind: 'key' })
}

/** The columns of a combination. */
export function columnsOf(combination: Combination): string[] {
  return combination.map((member) => (member === 'parent' ? PARENT_COLUMN : member.names.snake))
}

/** Whether values of the type fit into a B-tree index. */
export function fitsBtree(type: AttributeType): boolean {
  if (type.kind === 'string')
    return (type.maxLength ?? Infinity) * MAX_BYTES_PER_CODE_POINT <= MAX_BTREE_VALUE_BYTES
  return type.kind !== 'data' || (type.maxSize ?? Infinity) <= MAX_BTREE_VALUE_BYTES
}

function siblingKey(table: string, { names, type }: Attribute): Constraint[] {
  if (type.kind !== 'sibling') return []
  return [constraint(table, [names.snake], { kind: 'fkey', table: type.table, sameParent: true })]
}

function attributeColumn(attribute: Attribute): Column {
  const { names, type, documentation, was, formerValues, optional, default: given } = attribute
  const check = columnCheck(type)
  return {
    ...column(names.snake, columnType(type), documentation),
    attribute: names.declared,
    ...(was === undefined ? {} : { was }),
    ...(formerValues === undefined ? {} : { formerValues }),
    ...(optional ? { nullable: true } : {}),
    ...(given === undefined ? {} : { default: defaultSql(type, given) }),
    ...(check === undefined ? {} : { check }),
  }
}

/** The times are those of UTC, which is the time zone of all sessions. */
function defaultSql(type: AttributeType, given: DefaultValue): string {
  if (given.kind === 'value') return typeof given.value === 'string' ? literal(given.value) : `${given.value}`
  return type.kind === 'datetime' ? 'now()' : `now()::${columnType(type)}`
}

function column(name: string, type: string, documentation: string): Column {
  return { name, type, documentation }
}

function index(table: string, columns: readonly string[]): Index {
  return {
    name: constraintName(table, columns, 'idx'),
    unique: false,
    keys: columns.map((name) => ({ column: name })),
  }
}
