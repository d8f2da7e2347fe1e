import { enumUnionType } from '../codegen/code-file.ts'
import { hasWritable } from '../database/statements.ts'
import { changesWithEachUpdate, stateAttributes, writtenAttributes } from '../../model/entities.ts'
import { columnType } from '../../model/columns.ts'
import type { AttributeType } from '../../model/platform.ts'
import { firstVersion } from '../database/versions.ts'
import { call, chain, type Code, code, hanging, object } from '../codegen/layout.ts'
import { parentKey } from './names.ts'
import { DRIZZLE, preparedStatement, QUERIES, type QueriesScope } from './query-scope.ts'

/** Whether the statements that write entries of a struct check the owner of the parent. */
export function checksParentOwner({ struct, canLimit }: QueriesScope): boolean {
  return struct !== undefined && (canLimit.write || canLimit.read)
}

/** The condition of statements that read or write one row. */
function condition(scope: QueriesScope, access: 'read' | 'write', ...others: readonly string[]): Code {
  const found = access === 'write' && scope.entity.version !== undefined ? 'hasVersion' : 'hasId'
  const owned = scope.canLimit[access] ? [scope.struct === undefined ? 'isOwned' : 'isInOwn'] : []
  const all = [...owned, ...others]
  return all.length === 0 ? found : call(scope.value(DRIZZLE, 'and'), found, ...all)
}

/** The condition that the caller owns the parent of an entry. */
export function parentQuery({ value, names, parent, struct }: QueriesScope): Code {
  const key = struct === undefined ? 'id' : parentKey(struct)
  const and = value(DRIZZLE, 'and')
  const select = chain(
    'db',
    `.select({ id: ${parent}.id })`,
    `.from(${parent})`,
    call(
      '.where',
      call(and, call(value(DRIZZLE, 'eq'), `${parent}.id`, `${names.variable}.${key}`), 'isOwned'),
    ),
  )
  return code`const isInOwn = ${call(value(DRIZZLE, 'exists'), { ...select, expanded: true })}`
}

/** The prepared statement that inserts an entity of the service. */
export function insertStatement(scope: QueriesScope): Code {
  const { entity, names, value } = scope
  const values = `${value(QUERIES, 'values')}(${changesWithEachUpdate(entity) ? 'written' : 'columns'})`
  const row = entity.hasOwner ? `{ ...${values}, _owner: param('_owner') }` : values
  return preparedStatement(
    scope,
    'insert',
    'insert',
    `.insert(${names.variable})`,
    `.values(${row})`,
    '.returning(columns)',
  )
}

/** The prepared statement that inserts an entry of a struct, if its parent exists and the owner may write it. */
export function insertEntryStatement(scope: QueriesScope): Code {
  const { entity, struct, names, value, parent, canLimit } = scope
  if (struct === undefined) return ''
  const sql = value(DRIZZLE, 'sql')
  const cast = (key: string, type: string, column: string, result: string) =>
    call(`${sql}<${result}>\`\${param('${key}')}::${type}\`.as`, `'${column}'`)
  const row = object([
    code`id: ${cast('id', 'uuid', 'id', 'string')}`,
    `${parentKey(struct)}: ${parent}.id`,
    ...(entity.version === undefined
      ? []
      : [code`_version: ${call(`${sql}<number>\`${firstVersion(false)}\`.as`, "'_version'")}`]),
    ...writtenAttributes(entity).map(({ names: { declared, snake }, type, optional }) => {
      const result = optional ? `${valueType(type)} | null` : valueType(type)
      return hanging(`${declared}:`, cast(declared, columnType(type), snake, result))
    }),
    // The statement has to name every column.
    ...entity.attributes
      .filter(({ visibility }) => visibility === 'timestamp')
      .map(
        ({ names: { declared, snake } }) =>
          code`${declared}: ${call(`${sql}<string>\`now()\`.as`, `'${snake}'`)}`,
      ),
  ])
  const isParent = call(value(DRIZZLE, 'eq'), `${parent}.id`, "param('_parent')")
  const select = chain(
    'db',
    call('.select', row),
    `.from(${parent})`,
    call('.where', canLimit.write ? call(value(DRIZZLE, 'and'), isParent, 'isOwned') : isParent),
    ".for('key share')",
  )
  return code`// The lock keeps the parent until the entry is stored.
${preparedStatement(scope, 'insert', 'insert', `.insert(${names.variable})`, call('.select', select), '.returning(columns)')}`
}

function valueType(type: AttributeType): string {
  const { kind } = type
  if (kind === 'enum') return enumUnionType(type)
  if (kind === 'bool') return 'boolean'
  if (kind === 'int' || kind === 'float') return 'number'
  return kind === 'data' ? 'Buffer<ArrayBuffer>' : 'string'
}

/** The prepared statement that reads an entity. */
export function selectStatement(scope: QueriesScope): Code {
  const where = code`.where(${condition(scope, 'read')})`
  return preparedStatement(
    scope,
    'select',
    'select',
    '.select(columns)',
    `.from(${scope.names.variable})`,
    where,
  )
}

/** The prepared statement that reads what an update would change; none if that is what the caller can read. */
export function writableStatement(scope: QueriesScope): Code[] {
  const { entity, names, service } = scope
  if (!hasWritable(service, entity)) return []
  const where = code`.where(${condition(scope, 'write')})`
  return [
    preparedStatement(scope, 'writable', 'writable', '.select(columns)', `.from(${names.variable})`, where),
  ]
}

/** The prepared statement that updates an entity. */
export function updateStatement(scope: QueriesScope): Code {
  const { entity, names, value } = scope
  // Postgres has no UPDATE that sets nothing.
  const set =
    writtenAttributes(entity).length > 0
      ? `${value(QUERIES, 'changes')}(attributes)`
      : `{ id: ${value(DRIZZLE, 'sql')}\`\${${names.variable}.id}\` }`
  const conditions = stateAttributes(entity).length === 0 ? [] : ['...states.conditions']
  const where = code`.where(${condition(scope, 'write', ...conditions)})`
  return preparedStatement(
    scope,
    'update',
    'update',
    `.update(${names.variable})`,
    `.set(${set})`,
    where,
    '.returning(columns)',
  )
}

/** The prepared statement that deletes an entity. */
export function deleteStatement(scope: QueriesScope): Code {
  const { names } = scope
  const where = code`.where(${condition(scope, 'write')})`
  return preparedStatement(
    scope,
    'remove',
    'delete',
    `.delete(${names.variable})`,
    where,
    `.returning({ id: ${names.variable}.id })`,
  )
}
