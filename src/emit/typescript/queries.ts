import { hasTimestamps, stateAttributes, writtenAttributes } from '../../model/entities.ts'
import { codeFile } from '../codegen/code-file.ts'
import { block, call, type Code, code, hanging, join, list, object } from '../codegen/layout.ts'
import { accessFunction } from './access-functions.ts'
import { parentKey } from './names.ts'
import { listMembers, listStatements, sizeColumn } from './query-lists.ts'
import { createMember, deleteMember, readMember, updateMember } from './query-members.ts'
import { DRIZZLE, isLimitable, QUERIES, type QueriesScope } from './query-scope.ts'
import {
  deleteStatement,
  insertEntryStatement,
  insertStatement,
  checksParentOwner,
  parentQuery,
  selectStatement,
  updateStatement,
  writableStatement,
} from './query-statements.ts'
import { type EntityScope, mainEntity, type ServiceScope } from './scope.ts'

/** `queries/<entity>.ts`: the prepared statements of an entity, and who may read and write it. */
export function queriesFile(scope: ServiceScope, entityScope: EntityScope): string {
  const file = codeFile(`queries/${entityScope.entity.names.kebab}.ts`)
  const all: QueriesScope = {
    ...scope,
    ...entityScope,
    file,
    value: (module, name) => file.value(module, name),
    parent: mainEntity(scope).names.variable,
    canLimit: { read: scope.readers !== undefined, write: scope.writers !== undefined },
  }
  const parts = [
    join(constants(all), '\n'),
    queriesFunction(all),
    ...(entityScope.struct === undefined ? [accessFunction(scope, file)] : []),
  ]
  return file.text(join(parts, '\n\n'))
}

function constants(scope: QueriesScope): Code[] {
  const { entity, struct, names, value, parent, ownerKey, canLimit } = scope
  const table = value('schema.ts', names.variable)
  const columns = call(value(DRIZZLE, 'getTableColumns'), table)
  const eq = value(DRIZZLE, 'eq')
  const id = call(eq, `${table}.id`, `${value(QUERIES, 'param')}('id')`)
  const owner = `${value('schema.ts', parent)}.${ownerKey}`
  const others = struct === undefined ? 'id: _id' : `id: _id, ${parentKey(struct)}: _parent`
  const needsAttributes = writtenAttributes(entity).length > 0
  const maintained = [
    ...(entity.version === undefined ? [] : ['_version']),
    ...(hasTimestamps(entity) ? ['createdAt: _createdAt', 'updatedAt: _updatedAt'] : []),
  ]
  const needsWritten = maintained.length > 0 && (needsAttributes || struct === undefined)
  const written = needsWritten ? 'written' : 'columns'
  return [
    entity.hasOwner ? code`const { _owner, ...columns } = ${columns}` : code`const columns = ${columns}`,
    ...(needsWritten ? [`const { ${maintained.join(', ')}, ...written } = columns`] : []),
    ...(needsAttributes ? [`const { ${others}, ...attributes } = ${written}`] : []),
    ...(struct === undefined
      ? [code`const hasId = ${id}`]
      : [
          code`const isInParent = ${call(eq, `${table}.${parentKey(struct)}`, `param('_parent')`)}`,
          code`const hasId = ${call(value(DRIZZLE, 'and'), id, 'isInParent')}`,
        ]),
    ...(canLimit.read || canLimit.write
      ? [
          `/** Without an owner, anyone's entity matches. */`,
          code`const isOwned = ${value(DRIZZLE, 'sql')}\`\${${owner}} = coalesce(\${param('_owner')}, \${${owner}})\``,
        ]
      : []),
    ...(entity.version === undefined
      ? []
      : [
          `/** Without versions, any matches. */`,
          code`const hasVersion = ${call(
            value(DRIZZLE, 'and'),
            'hasId',
            `${value(DRIZZLE, 'sql')}\`\${${table}._version} = any(coalesce(\${param('_versions')}::bigint[], array[\${${table}._version}]))\``,
          )}`,
        ]),
    ...transitionsConstant(scope),
    ...sizeColumn(scope),
  ]
}

/** How the values of attributes with `@transitions` can change. */
function transitionsConstant({ entity, value }: QueriesScope): Code[] {
  const attributes = stateAttributes(entity)
  if (attributes.length === 0) return []
  const members = attributes.map(({ names: { declared }, type: { transitions } }) => {
    const changes = transitions.next
      .filter(([, to]) => to.length > 0)
      .map(([from, to]) =>
        list(
          '[',
          [from, ...to].map((each) => `'${each}'`),
          ']',
        ),
      )
    return hanging(`${declared}:`, { ...list('[', changes, ']'), expanded: changes.length > 1 })
  })
  return [
    code`/** Each value, followed by those that it can become. */
const states = ${call(value('#lib/transitions.ts', 'transitions'), 'columns', { ...object(members), expanded: true })}`,
  ]
}

function queriesFunction(scope: QueriesScope): Code {
  const { entity, names, file, canLimit } = scope
  const checks =
    canLimit.read || canLimit.write ? 'check access only on behalf of a caller' : 'do not check access'
  const statements = [
    ...(checksParentOwner(scope) ? [parentQuery(scope)] : []),
    scope.struct === undefined ? insertStatement(scope) : insertEntryStatement(scope),
    selectStatement(scope),
    ...writableStatement(scope),
    updateStatement(scope),
    deleteStatement(scope),
    ...listStatements(scope),
  ]
  const members = [
    createMember(scope),
    readMember(scope),
    updateMember(scope),
    deleteMember(scope),
    ...listMembers(scope),
  ]
  return code`/** The queries on ${entity.names.declared}. They ${checks}. */
${block(`export function ${names.queries}(db: ${file.type('schema.ts', 'Database')})`, [
  ...statements,
  '',
  returned(scope, members),
])}`
}

/** Returns the queries, or what creates them with the limits of a caller. */
function returned(scope: QueriesScope, members: readonly Code[]): Code {
  const { struct, file, canLimit, authenticated } = scope
  const body = join(
    members.map((member) => code`${member},`),
    '\n\n',
  )
  if (!isLimitable(scope)) return block('return', [body])
  const limits = [
    ...(canLimit.read ? ['reader'] : []),
    ...(canLimit.write ? ['writer'] : []),
    ...(struct === undefined && authenticated ? ['creator'] : []),
    ...(struct !== undefined && canLimit.read ? ['mayRead'] : []),
  ]
  const head = `return ({ ${limits.join(', ')} }: ${file.type('#lib/limits.ts', 'Limits')} = {}) =>`
  return code`${block(head, [body], ' ({')})`
}
