import type { Attribute, Criteria } from '../../model/platform.ts'
import { identifier } from '../database/identifiers.ts'
import { OPERATORS, searchColumn, searchParts } from '../database/search-parts.ts'
import { entityStatements, rowSize, type Statement } from '../database/statements.ts'
import { reader, reading, valueType } from './attributes.ts'
import { filterFields } from './entity.ts'
import type { GoFile } from './go-file.ts'
import { block, call, lambda, literal, quoted, sql } from './layout.ts'
import { fieldIn, method, namesColumns, type QueriesScope, textOf } from './query-statements.ts'
import type { EntityScope } from './scope.ts'

/** The type of what is asked of a list. */
export function listType(file: GoFile, { entity, struct, names }: EntityScope): string {
  return entity.criteria === undefined && struct === undefined
    ? `${file.internal('platform')}.Page`
    : names.query
}

/** The methods that read a list. */
export function listMethods(scope: QueriesScope): string[] {
  const { entity, struct, names, platform_, file, service } = scope
  const type = listType(file, scope)
  const parameter = entity.criteria === undefined ? 'page' : 'query'
  const parts = searchParts(service, struct)
  const lines =
    entity.criteria === undefined || parts === undefined
      ? [plainList(scope)]
      : searchLines(scope, entity.criteria, parts.access)
  return [
    `// List${names.type} returns all entities that match, or a page of them.\n${method(
      `List${names.type}`,
      [`${parameter} ${type}`],
      `([]${names.type}, error)`,
      [
        ...parentCheck(scope, `${parameter}.ParentID`),
        `return ${platform_}.Collect(d.read${names.type}List(ctx, ${parameter}))`,
      ],
    )}`,
    readManyMethod(scope, parts !== undefined),
    parts === undefined
      ? `var ${names.variable}Lists = ${listsLiteral(scope)}`
      : `var ${names.variable}Search = ${searchLiteral(scope)}`,
    `// read${names.type}List reads a list in batches, so that memory does not grow with it.\n${method(
      `read${names.type}List`,
      [`${parameter} ${type}`],
      `(*${platform_}.List[${names.type}], error)`,
      lines,
    )}`,
  ]
}

/** Whose entities a list is limited to. */
const readerOf = ({ service }: QueriesScope) => (service.readable === 'all' ? 'nil' : 'd.reader')

/** Entries are read as their parent is. */
function parentCheck(
  { struct, service, entities, names, platform_ }: QueriesScope,
  parent: string,
): string[] {
  const main = entities[0]?.names
  if (struct === undefined || main === undefined || service.readable === 'all') return []
  const read = `_, err := d.Read${main.type}(ctx, ${main.id}{ID: ${parent}})`
  return [
    block('if d.reader != nil', [
      block(`if ${read}; err != nil`, [`return []${names.type}{}, ${platform_}.IgnoreNotFound(err)`]),
    ]),
  ]
}

/** Reads entities by their ids. */
function readManyMethod(scope: QueriesScope, hasCriteria: boolean) {
  const { struct, names, platform_, file } = scope
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const lists = hasCriteria ? `${names.variable}Search.Lists` : `${names.variable}Lists`
  const of = struct === undefined ? readerOf(scope) : '&parent'
  return `// ReadMany${names.type} returns those that exist, in the order of their ids.\n${method(
    `ReadMany${names.type}`,
    [...(struct === undefined ? [] : [`parent ${uuid}`]), `ids []${uuid}`],
    `([]${names.type}, error)`,
    [
      ...parentCheck(scope, 'parent'),
      `return ${platform_}.Collect(${lists}.Read(ctx, d.db, ${platform_}.WithIDs(ids), ${of}))`,
    ],
  )}`
}

/** What reads a list in the order of ids. */
function listsLiteral(scope: QueriesScope, indent = 1): string {
  const { struct, names, platform_, service, file } = scope
  const { list, listOwn, listIds, rows } = entityStatements(service, struct)
  const limited = struct === undefined ? listOwn : list
  const text = (key: string, statement: Statement | undefined) =>
    statement === undefined ? [] : [[key, textOf(scope, statement.text, indent, ' + ')] as const]
  return literal(`${platform_}.Lists[${names.type}]`, [
    ['Scan', `scan${names.type}`],
    ['ID', `func(row *${names.type}) ${file.use('github.com/google/uuid')}.UUID { return row.ID }`],
    ...text('Rows', rows),
    ...text('List', struct === undefined ? list : undefined),
    ...text('LimitedList', limited),
    ...text('ByIDs', listIds),
  ])
}

/** Reads a list in the order of ids. */
function plainList(scope: QueriesScope): string {
  const { struct, names } = scope
  const [page, of] = struct === undefined ? ['page', readerOf(scope)] : ['page.Page', '&page.ParentID']
  return `return ${names.variable}Lists.Read(ctx, d.db, ${page}, ${of})`
}

/** What reads a list with filters or an order. */
function searchLiteral(scope: QueriesScope): string {
  const { entity, struct, names, platform_, file, columns } = scope
  const keys = (entity.criteria?.sort ?? []).map((attribute) => {
    const type = valueType(file, attribute, names)
    // A cursor has any value of the column.
    const unbounded = withoutBounds(attribute)
    const field = `row.${fieldIn(scope)(attribute)}`
    const { name, declaration } = reader(file, unbounded, names)
    const key = call(
      `${platform_}.KeyOf`,
      [
        `\`${searchColumn(entity, attribute)}\``,
        lambda(`func(row *${names.type}) *${type}`, `return ${attribute.optional ? '' : '&'}${field}`),
        declaration === undefined
          ? name
          : lambda(
              `func(v *${platform_}.Values, name string) ${type}`,
              `return ${reading(file, unbounded, names.enums, 'v', 'name')}`,
            ),
      ],
      2,
    )
    return [quoted(attribute.names.declared), attribute.optional ? `${key}.Nullable()` : key] as const
  })
  const isLarge = entityStatements(scope.service, struct).rows !== undefined
  const named = namesColumns(columns) ? `${names.variable}Columns` : sql(columns, 1)
  return literal(`${platform_}.Search[${names.type}]`, [
    ['Lists', listsLiteral(scope, 2)],
    ['Table', `\`${identifier(entity.table)}\``],
    ['Columns', isLarge ? sql(rowSize(entity), 1) : named],
    ...(keys.length === 0
      ? []
      : [['Keys', literal(`map[string]*${platform_}.Key[${names.type}]`, keys)] as const]),
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
function searchLines(scope: QueriesScope, criteria: Criteria, access: string | undefined): string[] {
  const { entity, struct, names, platform_, service, file } = scope
  const conditions = filterFields(criteria, scope).flatMap(
    ({ parameter: { attribute, operator }, field }) => {
      const column = `\`${searchColumn(entity, attribute)}\``
      const value = `query.${field}`
      if (operator === 'in') return [`${platform_}.FilterIn(where, ${column}, ${value})`]
      const isMaybe = operator === 'eq' && attribute.optional
      return [
        ...(isMaybe ? [`${platform_}.FilterNull(where, ${column}, ${value})`] : []),
        `${platform_}.Filter(where, ${column}, "${OPERATORS[operator]}", ${value}${isMaybe ? '.Value()' : ''})`,
      ]
    },
  )
  const nobody = service.readable !== 'all' && !service.readable.creator && struct === undefined
  file.use('context')
  const limit = (...values: string[]) => `where.Limit(${[sql(access ?? '', 1), ...values].join(', ')})`
  const limits =
    access === undefined
      ? []
      : struct === undefined
        ? [block('if d.reader != nil', [nobody ? limit() : limit('*d.reader')])]
        : [limit('query.ParentID')]
  return [
    `where := &${platform_}.Where{}`,
    ...limits,
    ...conditions,
    `return ${names.variable}Search.Read(ctx, d.db, query.ListQuery, where)`,
  ]
}
