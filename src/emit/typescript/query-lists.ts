import { hasOperation, storedAttributes } from '../../model/entities.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import { block, braces, call, chain, type Code, code, hanging, object } from '../codegen/layout.ts'
import { queryType } from './list-query.ts'
import { parentKey } from './names.ts'
import { method } from './query-members.ts'
import { DRIZZLE, preparedStatement, type QueriesScope } from './query-scope.ts'
import type { EntityScope } from './scope.ts'

const LISTS = '#lib/lists.ts'
const SEARCH = '#lib/search.ts'

/** Whether clients can read lists; otherwise only the service's own code does. */
const isListed = ({ entity }: EntityScope) => hasOperation(entity, 'list')

/** The statements and functions that read a list. */
export function listStatements(scope: QueriesScope): Code[] {
  const { names, value, struct } = scope
  const table = names.variable
  const isInParent = struct === undefined ? [] : ['isInParent']
  const where = (...conditions: readonly Code[]) =>
    call(
      '.where',
      conditions.length === 1 ? (conditions[0] ?? '') : call(value(DRIZZLE, 'and'), ...conditions),
    )
  const isBySize = isListed(scope) && hasLargeRows(scope.entity)
  const columns = isBySize ? braces([`id: ${table}.id`, '_bytes']) : 'columns'
  const select = (name: string, verb: string, ...conditions: readonly Code[]) =>
    preparedStatement(
      scope,
      name,
      verb,
      call('.select', columns),
      `.from(${table})`,
      where(...conditions, ...isInParent, call(value(DRIZZLE, 'gt'), `${table}.id`, "param('after')")),
      `.orderBy(${table}.id)`,
      `.limit(${value(DRIZZLE, 'sql')}.placeholder('limit'))`,
    )
  const isOwn = () => call(value(DRIZZLE, 'eq'), `${table}.${scope.ownerKey}`, "param('_owner')")
  return [
    select('list', 'list'),
    ...(scope.entity.listedByOwner ? [select('listOwn', 'listOwn', isOwn())] : []),
    ...(isBySize ? rowsBySize(scope) : []),
    ...(isListed(scope) ? ['', batchesFunction(scope)] : []),
  ]
}

/** Reads rows that may be large. */
function rowsBySize(scope: QueriesScope): Code[] {
  const { names, value } = scope
  const table = names.variable
  const ids = `${value(DRIZZLE, 'sql')}\`\${${table}.id} = any(\${param('ids')})\``
  return [
    `const hasIds = ${ids}`,
    preparedStatement(scope, 'rows', 'rows', '.select(columns)', `.from(${table})`, '.where(hasIds)'),
    code`const batches = ${call(value(LISTS, 'batchesBySize'), '(ids) => rows().execute({ ids })')}`,
  ]
}

/** How the rows of a list become batches, as a property. */
const batchesMember = (scope: QueriesScope) =>
  hasLargeRows(scope.entity) ? 'batches' : `batches: ${scope.value(LISTS, 'oneBatch')}`

/** Reads a list with filters or an order. */
function search(scope: QueriesScope, access: Code): Code {
  const { names, value } = scope
  const table = names.variable
  const select = {
    ...chain(
      'db',
      call('.select', hasLargeRows(scope.entity) ? braces(['...slice.key', '_bytes']) : 'columns'),
      `.from(${table})`,
      '.where(slice.where)',
      '.orderBy(...slice.order)',
      '.limit(slice.limit)',
      '.offset(slice.offset ?? 0)',
    ),
    expanded: true,
  }
  const source = object([
    'columns',
    code`rows: (slice) =>\n  ${select}`,
    batchesMember(scope),
    `count: (where) => db.$count(${table}, where)`,
  ])
  return call(value(SEARCH, 'search'), 'query', access, source)
}

/** The column with the size of a row, if lists need it. */
export function sizeColumn(scope: QueriesScope): Code[] {
  if (!isListed(scope) || !hasLargeRows(scope.entity)) return []
  const { entity, names, value } = scope
  const large = storedAttributes(entity).filter(({ type }) => type.kind === 'string' || type.kind === 'data')
  const lengths = large.map(({ names: { declared }, optional }) => {
    const length = `octet_length(\${${names.variable}.${declared}})`
    return optional ? `coalesce(${length}, 0)` : length
  })
  return [
    '/** The size of a row without its small values. */',
    `const _bytes = ${value(DRIZZLE, 'sql')}<number>\`${lengths.join(' + ')}\``,
  ]
}

/** The function that reads a list in batches. */
function batchesFunction(scope: QueriesScope): Code {
  const { entity, struct, names, value } = scope
  const query = entity.criteria === undefined ? 'page' : 'query'
  const key = struct === undefined ? undefined : parentKey(struct)
  const parent = key === undefined ? [] : [`_parent: ${key}`]
  const readers = struct === undefined ? scope.readers : undefined
  const read = (statement: string, more: readonly string[]) => {
    const rows = hanging(
      'rows: (range) =>',
      call(`${statement}().execute`, braces(['...range', ...parent, ...more])),
    )
    return code`return ${call(value(LISTS, 'readList'), query, braces([rows, batchesMember(scope)]))}`
  }
  const equals = (column: string, to: string) => call(value(DRIZZLE, 'eq'), `${names.variable}.${column}`, to)
  const isOwn = () =>
    readers?.creator === true ? equals(scope.ownerKey, 'owner.id') : `${value(DRIZZLE, 'sql')}\`false\``
  const access =
    key !== undefined ? equals(key, key) : readers === undefined ? 'undefined' : code`owner && ${isOwn()}`
  const ownersPart =
    readers?.creator === true ? read('listOwn', ['_owner: owner.id']) : 'return { first: [] }'
  // The formatter breaks the pattern rather than the list.
  const pattern = key === undefined ? query : { ...braces([key, `...${query}`]), trailing: '' as const }
  const parameters = code`${pattern}: ${listType(scope)}${readers === undefined ? '' : ', owner: Owner | undefined'}`
  return code`/** Reads a list${readers === undefined ? '' : ', or the part of an owner,'} in batches, so that memory does not grow with it. */
${block(
  code`${readers?.creator === false ? 'async ' : ''}function batchesOf${entity.names.declared}(${parameters})`,
  [
    // Other lists are read by the prepared statements.
    ...(entity.criteria === undefined
      ? []
      : [block(`if (!${value(SEARCH, 'isPlain')}(query))`, [code`return ${search(scope, access)}`])]),
    ...(readers === undefined ? [] : [block('if (owner !== undefined)', [ownersPart])]),
    read('list', []),
  ],
)}`
}

/** The type of what is asked of a list. */
function listType(scope: QueriesScope): string {
  const type = queryType(scope.file, scope)
  return scope.struct === undefined ? type : `${type} & { ${parentKey(scope.struct)}: string }`
}

/** The functions that read a list. */
export function listMembers(scope: QueriesScope): Code[] {
  const { entity, struct, names, value } = scope
  const { declared } = entity.names
  const query = entity.criteria === undefined ? 'page' : 'query'
  const key = struct === undefined ? undefined : parentKey(struct)
  const parameters = `(${query}: ${listType(scope)}${key === undefined ? ' = {}' : ''})`
  const owner = struct === undefined && scope.readers !== undefined ? ', undefined' : ''
  const guard =
    key === undefined ? [] : [`if (!${value('#lib/values.ts', 'isUuid')}(${query}.${key})) return []`]
  if (isListed(scope))
    return [
      method(`list${declared}`, parameters, `${names.stored}[]`, [
        ...guard,
        code`return ${call(value(LISTS, 'collect'), `await batchesOf${declared}(${query}${owner})`)}`,
      ]),
      `batchesOf${declared}`,
    ]
  const values = [
    ...(key === undefined ? [] : [`_parent: ${query}.${key}`]),
    `after: ${query}.after ?? ${value('#lib/values.ts', 'NIL_UUID')}`,
    `limit: ${query}.limit`,
  ]
  return [
    method(`list${declared}`, parameters, `${names.stored}[]`, [
      ...guard,
      code`return ${call('list().execute', braces(values))}`,
    ]),
  ]
}
