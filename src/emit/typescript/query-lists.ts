import { hasOperation } from '../../model/entities.ts'
import { rowBytes } from '../../model/row-size.ts'
import { block, braces, call, chain, type Code, code, hanging, list, object } from '../kit/layout.ts'
import { storedAttributes } from './attributes.ts'
import { queryType } from './list-query.ts'
import { parentKey } from './names.ts'
import { method } from './query-members.ts'
import { DRIZZLE, prepared, type QueriesScope } from './query-scope.ts'
import { type EntityScope, isListedByOwner } from './scope.ts'

const LISTS = '#lib/lists.ts'
const SEARCH = '#lib/search.ts'

/** When rows may be larger than this, batches of lists are limited by bytes as well as by rows: 1,000 are 4 MiB. */
const SMALL_ROW_BYTES = 4 * 1024

/** Whether clients can read lists; otherwise only the service's own code does. */
const isListed = ({ entity }: EntityScope) => hasOperation(entity, 'list')

/** The prepared statements that read the rows of a list in the order of their ids. */
export function listStatements(scope: QueriesScope): Code[] {
  const { names, value, struct } = scope
  const table = names.variable
  const and = (...conditions: readonly Code[]) =>
    conditions.length === 1 ? (conditions[0] ?? '') : call(value(DRIZZLE, 'and'), ...conditions)
  const after = call(value(DRIZZLE, 'gt'), `${table}.id`, "param('after')")
  const until = () => call(value(DRIZZLE, 'lte'), `${table}.id`, "param('until')")
  const inParent = struct === undefined ? [] : ['isInParent']
  const select = (name: string, verb: string, columns: string, where: Code) =>
    prepared(
      scope,
      name,
      verb,
      `.select(${columns})`,
      `.from(${table})`,
      call('.where', where),
      `.orderBy(${table}.id)`,
      `.limit(${value(DRIZZLE, 'sql')}.placeholder('limit'))`,
    )
  if (!isListed(scope)) {
    return [select('list', 'list', 'columns', and(...inParent, after))]
  }

  const statementsOf = (suffix: string, range: string, conditions: readonly Code[]): Code[] => {
    const where = code`const ${range} = ${and(...conditions)}`
    const bytes = largeBytes(scope)
    const verb = suffix === '' ? '' : '_own'
    if (bytes === undefined) return [where, select(`list${suffix}`, `list${verb}`, 'columns', range)]
    const fits = call(value(LISTS, 'fitsBatch'), table, range, bytes)
    return [
      where,
      select(`list${suffix}`, `list${verb}`, 'columns', and(range, fits)),
      select(`ids${suffix}`, `list_ids${verb}`, `{ id: ${table}.id }`, range),
    ]
  }
  const range = [...inParent, after, until()]
  const own = call(value(DRIZZLE, 'eq'), `${table}.${scope.ownerKey}`, "param('_owner')")
  return [
    ...statementsOf('', 'isInRange', range),
    ...(isListedByOwner(scope, scope) ? statementsOf('Own', 'isInOwnRange', [own, ...range]) : []),
  ]
}

/** How a list with filters or an order is read. */
export function searchFunction(scope: QueriesScope): Code[] {
  const { names, file, value, entity } = scope
  if (entity.criteria === undefined) return []
  const table = names.variable
  const select = (columns: Code) => ({
    ...chain(
      'db',
      call('.select', columns),
      `.from(${table})`,
      '.where(slice.where)',
      '.orderBy(...slice.order)',
      '.limit(slice.limit)',
    ),
    expanded: true,
  })
  const bytes = largeBytes(scope, '<number>')
  const source = object([
    'columns',
    code`rows: (slice) =>\n  ${select('columns')}`,
    `count: (slice) => db.$count(${table}, slice.where)`,
    ...(bytes === undefined
      ? []
      : [code`sizes: (slice, fields) =>\n  ${select(braces(['...fields', `bytes: ${bytes}`]))}`]),
  ])
  const parameters = `query: ${queryType(file, scope)}, access?: ${file.type(DRIZZLE, 'SQL')}`
  return [
    block(`function matching(${parameters})`, [
      code`return ${call(value(SEARCH, 'search'), 'query', 'access', source)}`,
    ]),
  ]
}

/** The size of a row, if rows may be large. */
function largeBytes({ entity, names, value }: QueriesScope, resultType = ''): string | undefined {
  if (rowBytes(entity) <= SMALL_ROW_BYTES) return undefined
  const large = storedAttributes(entity).filter(({ type }) => type.kind === 'string' || type.kind === 'data')
  const lengths = large.map(({ names: { declared }, optional }) => {
    const length = `octet_length(\${${names.variable}.${declared}})`
    return optional ? `coalesce(${length}, 0)` : length
  })
  return `${value(DRIZZLE, 'sql')}${resultType}\`${lengths.join(' + ')}\``
}

/** The functions that read a list. */
export function listMembers(scope: QueriesScope): Code[] {
  const { entity, struct, names, file, value } = scope
  const { declared } = entity.names
  const type = queryType(file, scope)
  const query = entity.criteria === undefined ? 'page' : 'query'
  const key = struct === undefined ? undefined : parentKey(struct)
  const parametersOf = (own: string, more: readonly Code[]): Code => {
    if (key === undefined) return list('(', [own, ...more], ')')
    // The formatter breaks the pattern rather than the list.
    const pattern = { ...braces([key, `...${query}`]), trailing: '' as const }
    return code`(${pattern}: ${type} & { ${key}: string })`
  }
  const guard = key === undefined ? [] : [`if (!${value('#lib/values.ts', 'isUuid')}(${key})) return []`]
  const parent = key === undefined ? [] : [`_parent: ${key}`]
  const name = `list${declared}`
  if (!isListed(scope)) {
    const values = [
      ...parent,
      `after: page.after ?? ${value('#lib/values.ts', 'NIL_UUID')}`,
      'limit: page.limit',
    ]
    return [
      method(name, parametersOf(`${query}: ${type} = {}`, []), `${names.stored}[]`, [
        ...guard,
        code`return ${call('list().execute', braces(values))}`,
      ]),
    ]
  }
  const batches = (suffix: string, more: readonly string[]) => {
    const execute = (statement: string) =>
      hanging('(range) =>', call(`${statement}${suffix}().execute`, braces(['...range', ...parent, ...more])))
    const hasIds = largeBytes(scope) !== undefined
    const members = [code`batch: ${execute('list')}`, ...(hasIds ? [code`ids: ${execute('ids')}`] : [])]
    return call(value(LISTS, 'readList'), query, object(members))
  }
  const limit = struct === undefined ? scope.readers : undefined
  const isOptional = limit !== undefined && limit.roles.length > 0
  const batchParameters = parametersOf(
    `${query}: ${type}`,
    limit === undefined ? [] : [isOptional ? 'owner: Owner | undefined' : 'owner: Owner'],
  )
  const own = limit?.creator === true ? batches('Own', ['_owner: owner.id']) : '{ first: [] }'
  const statements =
    limit === undefined
      ? [code`return ${batches('', [])}`]
      : isOptional
        ? [block('if (owner !== undefined)', [code`return ${own}`]), code`return ${batches('', [])}`]
        : [code`return ${own}`]
  /** Returns early where there are filters or an order. */
  const search = (access: readonly Code[], result: (found: Code) => Code) =>
    entity.criteria === undefined
      ? []
      : [
          hanging(
            `if (!${value(SEARCH, 'isPlain')}(query))`,
            code`return ${result(call('matching', 'query', ...access))}`,
          ),
        ]
  const equals = (column: string, to: string) => call(value(DRIZZLE, 'eq'), `${names.variable}.${column}`, to)
  const inParent = key === undefined ? [] : [equals(key, key)]
  const isOwn = () =>
    limit?.creator === true ? equals(scope.ownerKey, 'owner.id') : `${value(DRIZZLE, 'sql')}\`false\``
  const access = limit === undefined ? inParent : [code`${isOptional ? 'owner && ' : ''}${isOwn()}`]
  const collect = value(LISTS, 'collect')
  return [
    method(name, parametersOf(`${query}: ${type} = {}`, []), `${names.stored}[]`, [
      ...guard,
      ...search(inParent, (found) => call(collect, code`await ${found}`)),
      code`const all = await ${batches('', [])}`,
      `return ${collect}(all)`,
    ]),
    code`/** The same in batches${limit === undefined ? '' : ' of the entities of one owner'}${isOptional ? ', if there is one' : ''}, so that memory does not grow with the list. */
${block(code`${isOptional ? 'async ' : ''}batchesOf${declared}${batchParameters}`, [
  ...search(access, (found) => found),
  ...statements,
])}`,
  ]
}
