import type { Attribute, Criteria } from '../../model/platform.ts'
import {
  type SearchFilter,
  type SearchOrder,
  type SearchParts,
  searchParts,
} from '../database/search-parts.ts'
import { entityStatements, type Statement } from '../database/statements.ts'
import { reader, reading, valueType } from './attributes.ts'
import { filterFields } from './entity.ts'
import type { GoFile } from './go-file.ts'
import { block, indented, lambda, literal, quoted, sql } from './layout.ts'
import { fieldIn, method, type QueriesScope, query, textOf } from './query-statements.ts'
import type { EntityScope } from './scope.ts'

/** The type of what is asked of a list. */
export function listType(file: GoFile, { entity, struct, names }: EntityScope): string {
  return entity.criteria === undefined && struct === undefined
    ? `${file.internal('platform')}.Page`
    : names.query
}

/** The name of the part of what is asked of a list that is a page. */
const pageIn = ({ struct }: EntityScope) => (struct === undefined ? 'page' : 'page.Page')

/** The methods that read a list. */
export function listMethods(scope: QueriesScope): string[] {
  const { entity, struct, names, platform_, file, service } = scope
  const type = listType(file, scope)
  const parameter = entity.criteria === undefined ? 'page' : 'query'
  const parts = searchParts(service, struct)
  const reads = struct === undefined && service.readable !== 'all' && !service.readable.creator
  const lines =
    entity.criteria === undefined || parts === undefined
      ? [...(reads ? [nothing(scope)] : []), ...plainList(scope, pageIn(scope))]
      : searchLines(scope, entity.criteria, parts)
  return [
    `// List${names.type} returns all entities that match, or a page of them.\n${method(
      `List${names.type}`,
      [`${parameter} ${type}`],
      `([]${names.type}, error)`,
      [`return ${platform_}.Collect(d.read${names.type}List(ctx, ${parameter}))`],
    )}`,
    ...(parts === undefined ? [] : [searchVariable(scope, parts)]),
    `// read${names.type}List reads a list in batches, so that memory does not grow with it.\n${method(
      `read${names.type}List`,
      [`${parameter} ${type}`],
      `(*${platform_}.List[${names.type}], error)`,
      lines,
    )}`,
  ]
}

/** The Go of a parameter of a list's statements. */
function listValue(parameter: string): string {
  switch (parameter) {
    case '_parent':
      return 'page.ParentID'
    case '_owner':
      return '*d.owner'
    default:
      return parameter
  }
}

/** Reads a list in the order of ids. `page` is the expression of the page. */
function plainList(scope: QueriesScope, page: string): string[] {
  const { struct, names, platform_, service, file } = scope
  const { list, listOwn, rows } = entityStatements(service, struct)
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const isLarge = rows !== undefined
  const scan = isLarge ? `${platform_}.ScanSize` : `scan${names.type}`
  const result = isLarge ? `[]${platform_}.Size` : `[]${names.type}`
  const read = (statement: Statement) => `return ${query(scope, 'Rows', scan, statement, listValue, 2)}`
  const own =
    listOwn === undefined
      ? []
      : [block('if d.owner != nil', [`return ${query(scope, 'Rows', scan, listOwn, listValue, 3)}`])]
  const ctx = 'ctx context.Context'
  const readRows = block(`read := func(${ctx}, after ${uuid}, limit int) (${result}, error)`, [
    ...own,
    read(list),
  ])
  const id = `id := func(row *${names.type}) ${uuid} { return row.ID }`
  if (!isLarge)
    return [id, readRows, `return ${platform_}.ReadList(ctx, ${page}, ${platform_}.SmallRows(id, read))`]
  return [
    id,
    readRows.replace('read := ', 'sizes := '),
    block(`find := func(${ctx}, ids []${uuid}) ([]${names.type}, error)`, [
      `return ${query(scope, 'Rows', `scan${names.type}`, rows, listValue, 2)}`,
    ]),
    `return ${platform_}.ReadList(ctx, ${page}, ${platform_}.LargeRows(id, sizes, find))`,
  ]
}

/** What reads a list with filters or an order. */
function searchVariable(scope: QueriesScope, parts: SearchParts): string {
  const { entity, names, platform_, file } = scope
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const { rows, list, listOwn } = entityStatements(scope.service, scope.struct)
  const limited = scope.struct === undefined ? listOwn : list
  const keys = (entity.criteria?.sort ?? []).map((attribute) => {
    const type = valueType(file, attribute, names)
    // A cursor has any value of the column.
    const unbounded = withoutBounds(attribute)
    const field = `row.${fieldIn(scope)(attribute)}`
    const { name, declaration } = reader(file, unbounded, names)
    const values = [
      lambda(`func(row *${names.type}) *${type}`, `return ${attribute.optional ? '' : '&'}${field}`),
      declaration === undefined
        ? name
        : lambda(
            `func(v *${platform_}.Values, name string) ${type}`,
            `return ${reading(file, unbounded, names.enums, 'v', 'name')}`,
          ),
    ]
    return [
      quoted(attribute.names.declared),
      `${platform_}.KeyOf(\n${indented(values.map((each) => `${each},`)).join('\n')}\n)`,
    ] as const
  })
  const select = parts.orders['id']?.select ?? ''
  const orders = Object.entries(parts.orders).map(
    ([sort, order]) => [quoted(sort === 'id' ? '' : sort), orderLiteral(scope, order, select)] as const,
  )
  return `var ${names.variable}Search = ${literal(`${platform_}.Search[${names.type}]`, [
    ['Scan', `scan${names.type}`],
    ['ID', `func(row *${names.type}) ${uuid} { return row.ID }`],
    ...(rows === undefined ? [] : [['Rows', textOf(scope, rows.text, 1, ' + ')] as const]),
    ['Select', textOf(scope, select, 1, ' + ')],
    ['Count', sql(parts.count, 1)],
    ...(scope.struct === undefined ? [['List', textOf(scope, list.text, 1, ' + ')] as const] : []),
    ...(limited === undefined ? [] : [['LimitedList', textOf(scope, limited.text, 1, ' + ')] as const]),
    ['UpToID', sql(parts.upToId, 1)],
    ['ByIDText', sql(parts.orderByIdText, 1)],
    ['Orders', literal(`map[string]${platform_}.Order`, orders)],
    ...(keys.length === 0
      ? []
      : [['Keys', literal(`map[string]*${platform_}.Key[${names.type}]`, keys)] as const]),
  ])}`
}

const conditionList = (texts: readonly string[]) =>
  `[]string{${texts.map((text) => sql(text, 3)).join(', ')}}`

/** An order. `common` is what the order of ids selects. */
function orderLiteral(
  scope: QueriesScope,
  { select, orderBy, after, afterNull }: SearchOrder,
  common: string,
): string {
  return literal('', [
    ...(select === common ? [] : [['Select', textOf(scope, select, 3, ' + ')] as const]),
    ['By', sql(orderBy, 3)],
    ['After', conditionList(after)],
    ...(afterNull.length === 0 ? [] : [['AfterNull', conditionList(afterNull)] as const]),
  ])
}

function withoutBounds(attribute: Attribute): Attribute {
  const { type } = attribute
  if (type.kind === 'string') return { ...attribute, type: { ...type, minLength: 0, maxLength: undefined } }
  if (type.kind === 'decimal' || type.kind === 'float')
    return { ...attribute, type: { ...type, min: undefined, max: undefined } }
  if (type.kind !== 'int') return attribute
  const limit =
    type.column === 'bigint' ? Number.MAX_SAFE_INTEGER : 2 ** (type.column === 'integer' ? 31 : 15) - 1
  return { ...attribute, type: { ...type, jsonMin: -limit - 1, jsonMax: limit } }
}

/** Reads what a query asks for. */
function searchLines(scope: QueriesScope, criteria: Criteria, { access, filters }: SearchParts): string[] {
  const { struct, names, platform_, service, file } = scope
  const add = (kind: string, filter: SearchFilter | undefined, value: string) => {
    if (filter === undefined) return []
    const order = filter.indexOrder === undefined ? '""' : sql(filter.indexOrder, 1)
    return [`${platform_}.${kind}(where, ${sql(filter.condition, 1)}, ${order}, ${value})`]
  }
  const conditions = filterFields(criteria, scope).flatMap(({ parameter: { name, operator }, field }) => {
    const isMaybe = filters[`${name}=null`] !== undefined
    return [
      ...add('FilterNull', filters[`${name}=null`], `query.${field}`),
      ...add(
        operator === 'in' ? 'FilterIn' : 'Filter',
        filters[name],
        `query.${field}${isMaybe ? '.Value()' : ''}`,
      ),
    ]
  })
  const nobody = service.readable !== 'all' && !service.readable.creator && struct === undefined
  file.use('context')
  const limit = (...values: string[]) => `where.Limit(${[sql(access ?? '', 1), ...values].join(', ')})`
  const limits =
    access === undefined
      ? []
      : struct === undefined
        ? [block('if d.owner != nil', [nobody ? limit() : limit('*d.owner')])]
        : [limit('query.ParentID')]
  return [
    `where := &${platform_}.Where{}`,
    ...limits,
    ...conditions,
    `return ${names.variable}Search.Read(ctx, d.db, query.ListQuery, where)`,
  ]
}

/** Returns an empty list to a caller who is limited to an owner. */
function nothing({ platform_, names }: QueriesScope): string {
  const empty = `&${platform_}.List[${names.type}]{First: []${names.type}{}}`
  return block('if d.owner != nil', [`return ${empty}, nil`])
}
