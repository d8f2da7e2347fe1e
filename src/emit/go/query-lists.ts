import { columnType } from '../../model/columns.ts'
import type { Attribute } from '../../model/platform.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import { identifier } from '../database/identifiers.ts'
import { entityStatements, rowSize, type Statement } from '../database/statements.ts'
import { reading, valueType } from './attributes.ts'
import { filterFields } from './entity.ts'
import type { GoFile } from './go-file.ts'
import { block, literal, quoted } from './layout.ts'
import { fieldIn, method, type QueriesScope, query } from './query-statements.ts'
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
  const lines = entity.criteria === undefined ? plainList(scope, pageIn(scope)) : searchLines(scope)
  const reads = struct === undefined && service.readable !== 'all' && !service.readable.creator
  const empty = block('if d.owner != nil', [
    `return &${platform_}.List[${names.type}]{First: []${names.type}{}}, nil`,
  ])
  return [
    `// List${names.type} returns all entities that match, or a page of them.\n${method(
      `List${names.type}`,
      [`${parameter} ${type}`],
      `([]${names.type}, error)`,
      [`return ${platform_}.Collect(d.read${names.type}List(ctx, ${parameter}))`],
    )}`,
    ...(entity.criteria === undefined ? [] : searchParts(scope)),
    `// read${names.type}List reads a list in batches, so that memory does not grow with it.\n${method(
      `read${names.type}List`,
      [`${parameter} ${type}`],
      `(*${platform_}.List[${names.type}], error)`,
      [...(reads && entity.criteria === undefined ? [empty] : []), ...lines],
    )}`,
  ]
}

/** Reads a list in the order of ids. `page` is the expression of the page. */
function plainList(scope: QueriesScope, page: string): string[] {
  const { entity, struct, names, platform_, service, file } = scope
  const { list, listOwn, rows } = entityStatements(service, struct)
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const parent = entity.criteria === undefined ? 'page.ParentID' : 'query.ParentID'
  const value = (parameter: string) =>
    ({ _parent: parent, _owner: '*d.owner', after: 'after', limit: 'limit', ids: 'ids' })[parameter] ??
    parameter
  const isLarge = rows !== undefined
  const scan = isLarge ? `${platform_}.ScanSize` : `scan${names.type}`
  const result = isLarge ? `[]${platform_}.Size` : `[]${names.type}`
  const read = (statement: Statement) => `return ${query(scope, 'Rows', scan, statement, value, 2)}`
  const own =
    listOwn === undefined
      ? []
      : [block('if d.owner != nil', [`return ${query(scope, 'Rows', scan, listOwn, value, 3)}`])]
  const ctx = 'ctx context.Context'
  const reader = block(`read := func(${ctx}, after ${uuid}, limit int) (${result}, error)`, [
    ...own,
    read(list),
  ])
  const id = `id := func(row *${names.type}) ${uuid} { return row.ID }`
  if (!isLarge)
    return [id, reader, `return ${platform_}.ReadList(ctx, ${page}, ${platform_}.SmallRows(id, read))`]
  return [
    id,
    reader.replace('read := ', 'sizes := '),
    block(`find := func(${ctx}, ids []${uuid}) ([]${names.type}, error)`, [
      `return ${query(scope, 'Rows', `scan${names.type}`, rows, value, 2)}`,
    ]),
    `return ${platform_}.ReadList(ctx, ${page}, ${platform_}.LargeRows(id, sizes, find))`,
  ]
}

/** Text is compared by code point, as in its index. */
function comparable(table: string, { names, type }: Attribute): string {
  return `${identifier(table)}.${identifier(names.snake)}${columnType(type) === 'text' ? ' collate "C"' : ''}`
}

/** What reads a list with filters or an order. */
function searchParts(scope: QueriesScope): string[] {
  const { entity, names, platform_, file } = scope
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const sorts = (entity.criteria?.sort ?? []).map((attribute) => {
    const field = fieldIn(scope)(attribute)
    const type = valueType(file, attribute, names)
    // A cursor has any value of the column.
    const unbounded = withoutBounds(attribute)
    const values = [
      `\`${comparable(entity.table, attribute)}\``,
      String(attribute.optional),
      `func(row *${names.type}) *${type} { return ${attribute.optional ? '' : '&'}row.${field} }`,
      `func(v *${platform_}.Values, name string) ${type} { return ${reading(file, unbounded, names.enums, 'v', 'name')} }`,
    ]
    return [quoted(attribute.names.declared), `${platform_}.SortBy(\n\t${values.join(',\n\t')},\n)`] as const
  })
  const size = hasLargeRows(entity) ? [['Size', `\`${rowSize(entity)}\``] as const] : []
  return [
    `var ${names.variable}Search = ${literal(`${platform_}.Search[${names.type}]`, [
      ['Table', `\`${identifier(entity.table)}\``],
      ['Columns', `${names.variable}Columns`],
      ['Scan', `scan${names.type}`],
      ['ID', `func(row *${names.type}) ${uuid} { return row.ID }`],
      ...size,
      ...(sorts.length === 0
        ? []
        : [['Sorts', literal(`map[string]${platform_}.Sort[${names.type}]`, sorts)] as const]),
    ])}`,
  ]
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

function searchLines(scope: QueriesScope): string[] {
  const { entity, struct, names, platform_, service, file } = scope
  if (entity.criteria === undefined) return []
  const filters = filterFields(entity.criteria, scope)
  const conditions = filters.map(({ parameter: { attribute, operator }, field }) => {
    const column = `\`${comparable(entity.table, attribute)}\``
    const value = `query.${field}`
    if (operator === 'in') return `${platform_}.AddIn(where, ${column}, ${value})`
    if (operator === 'eq')
      return `${platform_}.${attribute.optional ? 'AddMaybe' : 'AddEqual'}(where, ${column}, ${value})`
    const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
    return `${platform_}.AddBound(where, ${column}, "${operators[operator]}", ${value})`
  })
  const table = identifier(entity.table)
  const isPage = `func(page ${platform_}.Page) (*${platform_}.List[${names.type}], error)`
  const nobody = service.readable !== 'all' && !service.readable.creator && struct === undefined
  const empty = block('if d.owner != nil', [
    `return &${platform_}.List[${names.type}]{First: []${names.type}{}}, nil`,
  ])
  file.use('context')
  const access =
    struct !== undefined
      ? [`where.Add(\`${table}."_parent" = ?\`, query.ParentID)`]
      : service.readable === 'all'
        ? []
        : [
            block('if d.owner != nil', [
              nobody
                ? 'where.Add("false")'
                : `where.Add(\`${table}.${identifier(service.storesUsers ? 'id' : '_owner')} = ?\`, *d.owner)`,
            ]),
          ]
  return [
    `where := &${platform_}.Where{}`,
    ...access,
    ...conditions,
    `plain := ${block(isPage, [...(nobody ? [empty] : []), ...plainList(scope, 'page')])}`,
    `return ${names.variable}Search.Read(ctx, d.db, query.ListQuery, where, ${filters.length === 0 ? 'false' : 'query.hasFilters()'}, plain)`,
  ]
}
