import { type Access, isOnlyCreator, isSameAccess } from '../../access.ts'
import { columnType } from '../../model/columns.ts'
import {
  isReadInBatches,
  referencesItself,
  type StateAttribute,
  stateAttributes,
  storedAttributes,
  writtenAttributes,
} from '../../model/entities.ts'
import type { Attribute, Entity, Service, Struct } from '../../model/platform.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import { firstVersion } from './versions.ts'
import { identifier, literal, OWNER_COLUMN, PARENT_COLUMN, VERSION_COLUMN } from './identifiers.ts'

/**
 * SQL with the parameters `$1`, `$2`, ..., and the names of these:
 * - `id`, `_parent`: of the row, and of the parent of a struct's entry
 * - `_versions`: those that the row may have. NULL matches any
 * - `_owner`: the id of the caller that the statement is limited to. NULL matches the entities of all
 * - `ids`, `after`, `limit`: of a list
 * - an attribute's, and `keeps_<attribute>`: whether the value of an optional one stays
 */
export interface Statement {
  readonly text: string
  readonly parameters: readonly string[]
}

/**
 * The statements of an entity. Their conditions contain access, so that no race gets around it. Services in SQL
 * execute them; those with a query builder build the same, which a test compares.
 */
export interface EntityStatements {
  /** Returns the stored row; for a struct, none if the parent does not exist or the owner may not write it. */
  readonly insert: Statement
  readonly select: Statement
  /** Returns the row that an update would change, if `@transitions` may prevent this and `select` returns others. */
  readonly writable: Statement | undefined
  /** NULL keeps the value of an attribute that is not optional. */
  readonly update: Statement
  readonly delete: Statement
  /** A part of the list in the order of ids: rows or, where these may be large, their ids and sizes. */
  readonly list: Statement
  /** The same of an owner's entities, if creators read only their own. */
  readonly listOwn: Statement | undefined
  /** The same of the entities with some ids, which can be limited to those of an owner like `listOwn`. */
  readonly listIds: Statement
  /** The rows with some ids, for a list of large ones. */
  readonly rows: Statement | undefined
  /** Whether the caller may read an entity, and who owns it; `undefined` for a struct. */
  readonly find: Statement | undefined
  /** Which ids a caller may refer to; `undefined` if nothing refers to the entity. */
  readonly findAll: Statement | undefined
}

/** The statements of the entity of a service, or of one of its structs. */
export function entityStatements(service: Service, struct?: Struct): EntityStatements {
  const entity = struct ?? service.entity
  const table = identifier(entity.table)
  const key = (column: string) => `${table}.${identifier(column)}`
  const conditions = accessConditions(service, struct)
  const columns = storedColumns(entity, struct)
  const isAfter = sql`${key('id')} > ${param('after')}`
  const isByOwner = struct === undefined && service.readable !== 'all' && service.readable.creator
  const hasIds = sql`${key('id')} = any(${param('ids')})`
  const isLarge = isReadInBatches(service, entity) && hasLargeRows(entity)
  const listed = isLarge ? `"id", ${rowSize(entity)}` : columns
  const list = (...where: readonly Sql[]) =>
    statement(
      sql`select ${listed} from ${table} where ${and(...where, ...conditions.isInParent, isAfter)} order by ${key('id')} limit ${param('limit')}`,
    )
  return {
    insert: struct === undefined ? insertEntity(service) : insertEntry(service, struct, conditions),
    select: statement(sql`select ${columns} from ${table} where ${conditions.readable}`),
    writable: hasWritable(service, entity)
      ? statement(sql`select ${columns} from ${table} where ${conditions.writable}`)
      : undefined,
    update: statement(
      sql`update ${table} set ${assignments(entity)} where ${conditions.updatable} returning ${columns}`,
    ),
    delete: statement(sql`delete from ${table} where ${conditions.writable} returning "id"`),
    list: list(),
    listOwn: isByOwner ? list(sql`${conditions.owner} = ${param('_owner')}`) : undefined,
    listIds: list(hasIds, ...(isByOwner ? [conditions.isOwned] : [])),
    rows: isLarge ? statement(sql`select ${columns} from ${table} where ${hasIds}`) : undefined,
    ...(struct === undefined
      ? accessStatements(service, conditions)
      : { find: undefined, findAll: undefined }),
  }
}

/** The conditions of the statements on one row, and their parts. */
interface AccessConditions {
  /** The column with the owner of the entity or, for a struct, of its parent. */
  readonly owner: string
  /** Without an owner, anyone's entity matches. */
  readonly isOwned: Sql
  readonly isInParent: readonly Sql[]
  readonly readable: Sql
  readonly writable: Sql
  /** The same, and values change only as declared. */
  readonly updatable: Sql
}

function accessConditions(service: Service, struct: Struct | undefined): AccessConditions {
  const parent = identifier(service.entity.table)
  const table = identifier((struct ?? service.entity).table)
  const owner = `${parent}.${identifier(service.storesUsers ? 'id' : OWNER_COLUMN)}`
  const parentKey = `${table}.${identifier(PARENT_COLUMN)}`
  const isOwned = sql`${owner} = coalesce(${param('_owner')}, ${owner})`
  const isInParent = struct === undefined ? [] : [sql`${parentKey} = ${param('_parent')}`]
  const hasId = and(sql`${table}."id" = ${param('id')}`, ...isInParent)
  const isInOwn = sql`exists (select "id" from ${parent} where ${and(sql`${parent}."id" = ${parentKey}`, isOwned)})`
  const limits = (access: Access) => (access === 'all' ? [] : [struct === undefined ? isOwned : isInOwn])
  return {
    owner,
    isOwned,
    isInParent,
    readable: and(hasId, ...limits(service.readable)),
    writable: and(hasVersion(struct ?? service.entity, hasId), ...limits(service.writable)),
    updatable: and(
      hasVersion(struct ?? service.entity, hasId),
      ...limits(service.writable),
      ...stateAttributes(struct ?? service.entity).map((attribute) => transition(table, attribute)),
    ),
  }
}

/** The condition that the row has the id, and one of the versions that a request names. */
function hasVersion(entity: Entity, hasId: Sql): Sql {
  if (entity.version === undefined) return hasId
  const column = `${identifier(entity.table)}.${identifier(VERSION_COLUMN)}`
  return and(hasId, sql`${column} = any(coalesce(${param('_versions')}::bigint[], array[${column}]))`)
}

/** An update keeps a value, with NULL or the value itself, or changes it as declared. */
function transition(table: string, { names, type }: StateAttribute): Sql {
  const column = `${table}.${identifier(names.snake)}`
  const value = param(names.declared)
  const pairs = type.transitions.next.flatMap(([from, to]) =>
    to.map((each) => `(${literal(from)}, ${literal(each)})`),
  )
  return sql`(coalesce(${value}, ${column}) = ${column} or (${column}, ${value}) in (${pairs.join(', ')}))`
}

/**
 * Whether it takes a statement of its own to find what an update would change: without a change, the value of an
 * attribute may be the reason.
 */
export function hasWritable({ readable, writable }: Service, entity: Entity): boolean {
  const isOther = entity.version !== undefined || (readable === 'all') !== (writable === 'all')
  return isOther && stateAttributes(entity).length > 0
}

function insertEntity({ entity }: Service): Statement {
  const { hasOwner } = entity
  const versions = versionColumn(entity)
  const columns = [
    'id',
    ...(hasOwner ? [OWNER_COLUMN] : []),
    ...versions,
    ...storedAttributes(entity).map(columnOf),
  ]
  const values = storedAttributes(entity).map(({ names, visibility }) =>
    visibility === 'timestamp' ? sql`default` : sql`${param(names.declared)}`,
  )
  const keys = [sql`${param('id')}`, ...(hasOwner ? [sql`${param('_owner')}`] : [])]
  return statement(
    sql`insert into ${identifier(entity.table)} (${columns.map(identifier).join(', ')}) values (${join(...keys, ...versions.map(() => sql`default`), ...values)}) returning ${storedColumns(entity, undefined)}`,
  )
}

/** The lock keeps the parent until the entry is stored. */
function insertEntry(service: Service, struct: Struct, { isOwned }: AccessConditions): Statement {
  const parent = identifier(service.entity.table)
  const values = storedAttributes(struct).map((attribute) => {
    const value =
      attribute.visibility === 'timestamp'
        ? sql`now()`
        : sql`${param(attribute.names.declared)}::${columnType(attribute.type)}`
    return sql`${value} as ${identifier(columnOf(attribute))}`
  })
  const versions = versionColumn(struct).map((column) => sql`${firstVersion(false)} as ${identifier(column)}`)
  const isParent = sql`${parent}."id" = ${param('_parent')}`
  const columns = storedColumns(struct, struct)
  return statement(
    sql`insert into ${identifier(struct.table)} (${columns}) select ${join(sql`${param('id')}::uuid as "id"`, sql`"id"`, ...versions, ...values)} from ${parent} where ${service.writable === 'all' ? isParent : and(isParent, isOwned)} for key share returning ${columns}`,
  )
}

/** NULL keeps a value. Where NULL is a value, another parameter says so. Postgres has no UPDATE that sets nothing. */
function assignments(entity: Entity): Sql {
  const table = identifier(entity.table)
  const written = writtenAttributes(entity)
  if (written.length === 0) return sql`"id" = ${table}."id"`
  return join(
    ...written.map((attribute) => {
      const { names, optional } = attribute
      const column = identifier(columnOf(attribute))
      const value = param(names.declared)
      return optional
        ? sql`${column} = CASE WHEN ${param(`keeps_${names.declared}`)} THEN ${table}.${column} ELSE ${value} END`
        : sql`${column} = coalesce(${value}, ${table}.${column})`
    }),
  )
}

/** The statements with which access is checked before hooks and references, and when others refer to entities. */
function accessStatements(service: Service, { owner, isOwned }: AccessConditions) {
  const { entity, readable, writable } = service
  const table = identifier(entity.table)
  const onlyCreatorReads = isOnlyCreator(readable)
  const comparesOwner = onlyCreatorReads || (writable !== 'all' && !isSameAccess(readable, writable))
  const ownerColumn = owner.slice(owner.indexOf('.') + 1)
  const found = comparesOwner ? ownerColumn : '"id"'
  const hasId = sql`${table}."id" = ${param('id')}`
  const isOne = sql`${table}."id" = any(${param('ids')}::uuid[])`
  return {
    find: statement(
      sql`select ${found} from ${table} where ${readable === 'all' || onlyCreatorReads ? hasId : and(hasId, isOwned)}`,
    ),
    findAll:
      service.referenced || referencesItself(service)
        ? statement(sql`select "id" from ${table} where ${readable === 'all' ? isOne : and(isOne, isOwned)}`)
        : undefined,
  }
}

/** The expression of the size of a row without its small values. */
export function rowSize(entity: Entity): string {
  return storedAttributes(entity)
    .filter(({ type }) => type.kind === 'string' || type.kind === 'data')
    .map((attribute) => {
      const length = `octet_length(${identifier(columnOf(attribute))})`
      return attribute.optional ? `coalesce(${length}, 0)` : length
    })
    .join(' + ')
}

/** The columns of a stored entity, in the order of its properties. */
export function storedColumns(entity: Entity, struct: Struct | undefined): string {
  return [
    'id',
    ...(struct === undefined ? [] : [PARENT_COLUMN]),
    ...versionColumn(entity),
    ...storedAttributes(entity).map(columnOf),
  ]
    .map(identifier)
    .join(', ')
}

/** The column that the database counts; none without `#versioned`. */
const versionColumn = ({ version }: Entity) => (version === undefined ? [] : [VERSION_COLUMN])

const columnOf = ({ names }: Attribute) => names.snake

/** SQL in parts: text, and parameters by name. */
type Sql = readonly (string | { readonly parameter: string })[]

const param = (parameter: string): Sql => [{ parameter }]

function sql(texts: TemplateStringsArray, ...values: readonly (string | Sql)[]): Sql {
  return texts.flatMap((text, index) => {
    const value = values[index] ?? []
    return [text, ...(typeof value === 'string' ? [value] : value)]
  })
}

const join = (...parts: readonly Sql[]): Sql =>
  parts.flatMap((part, index) => (index === 0 ? part : [', ', ...part]))

/** All conditions hold. */
function and(...conditions: readonly Sql[]): Sql {
  const parts = conditions.flatMap((condition, index) => (index === 0 ? condition : [' and ', ...condition]))
  return conditions.length === 1 ? parts : ['(', ...parts, ')']
}

function statement(parts: Sql): Statement {
  const parameters: string[] = []
  const text = parts
    .map((part) => (typeof part === 'string' ? part : `$${parameters.push(part.parameter)}`))
    .join('')
  return { text, parameters }
}
