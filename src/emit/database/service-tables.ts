import type { Attribute, AttributeType, Entity, Platform, Service, Struct } from '../../model/platform.ts'
import { boundsCheck, columnType } from '../../model/columns.ts'
import { constraintName, identifier, OWNER_COLUMN, PARENT_COLUMN } from './names.ts'
import type { Column, Constraint, Index, Table } from './table.ts'

/**
 * The largest value in bytes that every B-tree index can hold: a third of a page, less the headers of page,
 * row and value. https://www.postgresql.org/docs/18/btree.html
 */
const MAX_BTREE_VALUE_BYTES = 2688
const MAX_BYTES_PER_CODE_POINT = 4

/** The tables of a service's database: its entity's, then those of its structs. */
export function serviceTables(platform: Platform, service: Service): Table[] {
  const owned = platform.authentication !== undefined && !service.identity
  return [
    entityTable(service, owned),
    ...service.structs.map((struct) => structTable(struct, service.entity.table)),
  ]
}

function entityTable({ entity, readable }: Service, owned: boolean): Table {
  const listedByOwner =
    owned && readable === 'this' && entity.endpoints.some(({ operation }) => operation === 'list')
  const owner = column(OWNER_COLUMN, 'uuid', 'Id of the token that created it.')
  return {
    ...tableOf(entity, owned ? [owner] : [], []),
    foreignKeys: [],
    // Lists are read by owner in the order of ids.
    indexes: listedByOwner ? [index(entity.table, [OWNER_COLUMN, 'id'])] : [],
  }
}

function structTable(struct: Struct, parentTable: string): Table {
  const { table, attributes, referenced } = struct
  const parent = column(PARENT_COLUMN, 'uuid', 'The entity that it belongs to.')
  const parentKey: Constraint = {
    name: constraintName(table, [PARENT_COLUMN], 'fkey'),
    definition: `FOREIGN KEY (${identifier(PARENT_COLUMN)}) REFERENCES ${identifier(parentTable)} ("id") ON DELETE CASCADE`,
  }
  // What references of siblings, which stay under one parent, point at.
  const withParent: Constraint = {
    name: constraintName(table, ['id', PARENT_COLUMN], 'key'),
    definition: `UNIQUE ("id", ${identifier(PARENT_COLUMN)})`,
  }
  const siblings = attributes.filter(({ type, stored }) => stored && type.kind === 'sibling')
  return {
    ...tableOf(struct, [parent], referenced ? [withParent, parentKey] : [parentKey]),
    foreignKeys: siblings.flatMap((attribute) => siblingKey(table, attribute)),
    indexes: [
      index(table, [PARENT_COLUMN, 'id']),
      // Deleting an entry looks for those that refer to it.
      ...siblings.filter(({ unique }) => !unique).map(({ names }) => index(table, [names.snake])),
    ],
  }
}

function tableOf(
  { table, documentation, attributes }: Entity,
  own: readonly Column[],
  keys: readonly Constraint[],
): Pick<Table, 'name' | 'documentation' | 'columns' | 'constraints' | 'serialized'> {
  const stored = attributes.filter((attribute) => attribute.stored)
  return {
    name: table,
    documentation,
    columns: [
      column('id', 'uuid', ''),
      ...own,
      ...stored.map(({ names, type, documentation: text }) => column(names.snake, columnType(type), text)),
    ],
    constraints: [
      { name: constraintName(table, [], 'pkey'), definition: 'PRIMARY KEY ("id")' },
      ...keys,
      ...stored.flatMap((attribute) => attributeConstraints(table, attribute)),
    ],
    serialized: stored.flatMap(({ names, type, unique }) =>
      unique && !fitsBtree(type)
        ? [{ name: names.snake, type: type.kind === 'data' ? ('bytea' as const) : ('text' as const) }]
        : [],
    ),
  }
}

function attributeConstraints(table: string, { names, type, unique }: Attribute): Constraint[] {
  const quoted = identifier(names.snake)
  const check = boundsCheck(quoted, type)
  return [
    ...(check === undefined
      ? []
      : [{ name: constraintName(table, [names.snake], 'check'), definition: `CHECK (${check})` }]),
    ...(unique
      ? [{ name: constraintName(table, [names.snake], 'key'), definition: uniqueness(quoted, type) }]
      : []),
  ]
}

function uniqueness(quoted: string, type: AttributeType): string {
  return fitsBtree(type) ? `UNIQUE (${quoted})` : `EXCLUDE USING hash (${quoted} WITH =)`
}

function fitsBtree(type: AttributeType): boolean {
  if (type.kind === 'string')
    return (type.maxLength ?? Infinity) * MAX_BYTES_PER_CODE_POINT <= MAX_BTREE_VALUE_BYTES
  return type.kind !== 'data' || (type.maxSize ?? Infinity) <= MAX_BTREE_VALUE_BYTES
}

function siblingKey(table: string, { names, type }: Attribute): Constraint[] {
  if (type.kind !== 'sibling') return []
  const parent = identifier(PARENT_COLUMN)
  return [
    {
      name: constraintName(table, [names.snake], 'fkey'),
      definition: `FOREIGN KEY (${identifier(names.snake)}, ${parent}) REFERENCES ${identifier(type.table)} ("id", ${parent})`,
    },
  ]
}

function column(name: string, type: string, documentation: string): Column {
  return { name, type, documentation }
}

function index(table: string, columns: readonly string[]): Index {
  return {
    name: constraintName(table, columns, 'idx'),
    unique: false,
    definition: `(${columns.map(identifier).join(', ')})`,
  }
}
