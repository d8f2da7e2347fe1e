import { isReadInBatches, storedAttributes } from '../../model/entities.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import {
  block,
  braces,
  call,
  chain,
  type Code,
  code,
  hanging,
  list,
  moving,
  object,
} from '../codegen/layout.ts'
import { queryType } from './list-query.ts'
import { parentKey, preparedStatementName } from './names.ts'
import { method } from './query-members.ts'
import { DRIZZLE, preparedStatement, QUERIES, type QueriesScope } from './query-scope.ts'

const LISTS = '#lib/lists.ts'
const SEARCH = '#lib/search.ts'

/** Whether lists are read in batches; otherwise only the service's own code reads them. */
const isBatched = ({ service, entity }: QueriesScope) => isReadInBatches(service, entity)

/** Whose entities a list of the service can be limited to: of a struct, all that a parent has. */
const readersOf = ({ struct, readers }: QueriesScope) => (struct === undefined ? readers : undefined)

/** Whether entries are read only by callers who may read their parent. */
const checksParent = ({ struct, readers }: QueriesScope) => struct !== undefined && readers !== undefined

/** The statements and functions that read a list. */
export function listStatements(scope: QueriesScope): Code[] {
  const { entity, names, value, file, struct } = scope
  const table = names.variable
  const sql = value(DRIZZLE, 'sql')
  const isInParent = struct === undefined ? [] : ['isInParent']
  const isBySize = isBatched(scope) && hasLargeRows(entity)
  const isAfter = call(value(DRIZZLE, 'gt'), `${table}.id`, "param('after')")
  const query = chain(
    'db',
    call('.select', isBySize ? braces([`id: ${table}.id`, '_bytes']) : 'columns'),
    `.from(${table})`,
    call('.where', call(value(DRIZZLE, 'and'), '...conditions', ...isInParent, isAfter)),
    `.orderBy(${table}.id)`,
    `.limit(${sql}.placeholder('limit'))`,
    '.prepare(name)',
  )
  const statement = (name: string, ...conditions: readonly Code[]) =>
    code`const ${name} = ${call('listOf', `'${preparedStatementName(name, entity)}'`, ...conditions)}`
  const isOwn = () => call(value(DRIZZLE, 'eq'), `${table}.${scope.ownerKey}`, "param('_owner')")
  const isByOwner = readersOf(scope)?.creator === true
  const type = `${file.type(DRIZZLE, 'SQL')}[]`
  return [
    code`const listOf = (name: string, ...conditions: ${type}) =>
  ${call(value(QUERIES, 'once'), hanging('() =>', { ...query, expanded: true }))}`,
    `const hasIds = ${sql}\`\${${table}.id} = any(\${param('ids')})\``,
    statement('list'),
    ...(isByOwner ? [statement('listOwn', isOwn())] : []),
    statement('listIds', 'hasIds', ...(isByOwner ? ['isOwned'] : [])),
    ...(isBySize ? rowsBySize(scope) : []),
    ...(isBatched(scope) ? ['', batchesFunction(scope)] : []),
  ]
}

/** Reads rows that may be large. */
function rowsBySize(scope: QueriesScope): Code[] {
  const { names, value } = scope
  return [
    preparedStatement(
      scope,
      'rows',
      'rows',
      '.select(columns)',
      `.from(${names.variable})`,
      '.where(hasIds)',
    ),
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
  if (!isBatched(scope) || !hasLargeRows(scope.entity)) return []
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
  const readers = readersOf(scope)
  const byOwner = readers?.creator === true
  const rows = hanging(
    'rows: (range) =>',
    call('statement().execute', braces(['...range', ...parent, ...(byOwner ? ['_owner: owner?.id'] : [])])),
  )
  const equals = (column: string, to: string) => call(value(DRIZZLE, 'eq'), `${names.variable}.${column}`, to)
  const isOwn = () => (byOwner ? equals(scope.ownerKey, 'owner.id') : `${value(DRIZZLE, 'sql')}\`false\``)
  const access =
    key !== undefined ? equals(key, key) : readers === undefined ? 'undefined' : code`owner && ${isOwn()}`
  // The formatter breaks the pattern rather than the list.
  const pattern = key === undefined ? query : { ...braces([key, `...${query}`]), trailing: '' as const }
  const owner = () => `, owner: ${scope.file.type('#lib/limits.ts', 'Owner')} | undefined`
  const parameters = checksParent(scope)
    ? list(
        '(',
        [
          `{ ${key}, ...${query} }: ${listType(scope)}`,
          `mayRead: ${scope.file.type('#lib/limits.ts', 'Limits')}['mayRead']`,
        ],
        ')',
      )
    : code`(${pattern}: ${listType(scope)}${readers === undefined ? '' : owner()})`
  return code`/** Reads a list${readers === undefined ? '' : ', or the part of an owner,'} in batches, so that memory does not grow with it. */
${block(
  code`${readers?.creator === false || checksParent(scope) ? 'async ' : ''}function batchesOf${entity.names.declared}${parameters}`,
  [
    ...(checksParent(scope) ? [`if (mayRead && !(await mayRead(${key}))) return { first: [] }`] : []),
    // Other lists are read by the prepared statements.
    ...(entity.criteria === undefined
      ? []
      : [block(`if (!${value(SEARCH, 'isPlain')}(query))`, [code`return ${search(scope, access)}`])]),
    ...(readers !== undefined && !byOwner ? ['if (owner !== undefined) return { first: [] }'] : []),
    ...(byOwner ? ['const whole = owner === undefined ? list : listOwn'] : []),
    `const statement = ${query}['id[in]'] === undefined ? ${byOwner ? 'whole' : 'list'} : listIds`,
    code`return ${call(value(LISTS, 'readList'), query, braces([rows, batchesMember(scope)]))}`,
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
  const readers = readersOf(scope)
  const passed = readers === undefined ? (checksParent(scope) ? ['mayRead'] : []) : ['reader']
  const limit = readers?.creator === true ? ['_owner: reader?.id'] : []
  const isUuid = value('#lib/values.ts', 'isUuid')
  const isBatch = isBatched(scope)
  // A caller without a role that admits it reads nothing if creators are not admitted.
  const nobody = readers?.creator === false && !isBatch ? ['if (reader !== undefined) return []'] : []
  const result = `${names.stored}[]`
  const collect = (...values: readonly Code[]) =>
    code`return ${call(value(LISTS, 'collect'), code`await ${call(`batchesOf${declared}`, ...values)}`)}`
  const parent = key === undefined ? [] : [`_parent: ${key}`]
  const listed = key === undefined ? [] : [`_parent: ${query}.${key}`]
  const nil = () => value('#lib/values.ts', 'NIL_UUID')
  const statement = limit.length === 0 ? 'list()' : '(reader === undefined ? list : listOwn)()'
  const ids = `ids.filter(${isUuid})`
  const parentGuard = (id: string) => [
    `if (!${isUuid}(${id})) return []`,
    ...(checksParent(scope) && !isBatch ? [`if (mayRead && !(await mayRead(${id}))) return []`] : []),
  ]
  const parameters = [`${query}: ${listType(scope)}${key === undefined ? ' = {}' : ''}`]
  return [
    method(`list${declared}`, list('(', parameters, ')'), result, [
      ...(key === undefined ? nobody : parentGuard(`${query}.${key}`)),
      isBatch
        ? collect(query, ...passed)
        : code`return ${call(
            `${statement}.execute`,
            braces([...listed, `after: ${query}.after ?? ${nil()}`, `limit: ${query}.limit`, ...limit]),
          )}`,
    ]),
    code`/** Returns those that exist, in the order of their ids. */
${method(
  names.readMany,
  list('(', [...(key === undefined ? [] : [`${key}: string`]), 'ids: readonly string[]'], ')'),
  result,
  [
    ...(key === undefined ? nobody : parentGuard(key)),
    isBatch
      ? collect(braces([...(key === undefined ? [] : [key]), `'id[in]': ${ids}`]), ...passed)
      : code`return ${call('listIds().execute', braces([`ids: ${ids}`, ...parent, `after: ${nil()}`, 'limit: undefined', ...limit]))}`,
  ],
)}`,
    ...(isBatch
      ? [
          passed.length === 0
            ? `batchesOf${declared}`
            : moving(
                `batchesOf${declared}: (${query}: ${listType(scope)}) =>`,
                call(`batchesOf${declared}`, query, ...passed),
              ),
        ]
      : []),
  ]
}
