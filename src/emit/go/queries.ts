import { isOnlyCreator, isSameAccess } from '../../access.ts'
import { hasOperation, storedAttributes } from '../../model/entities.ts'
import { columnType } from '../../model/columns.ts'
import type { Attribute } from '../../model/platform.ts'
import { hasLargeRows } from '../../model/row-size.ts'
import { withArticle } from '../../naming.ts'
import { identifier } from '../database/identifiers.ts'
import { entityStatements, rowSize, type Statement, storedColumns } from '../database/statements.ts'
import { reading, valueType } from './attributes.ts'
import { filterFields } from './entity.ts'
import { goFile, type GoFile } from './go-file.ts'
import { block, call, func, literal, quoted, sql } from './layout.ts'
import { comparesOwner, mainEntity, ownerOf, type EntityScope, type ServiceScope } from './scope.ts'

/** What the functions that emit a file of queries share. */
interface QueriesScope extends ServiceScope, EntityScope {
  readonly file: GoFile
  readonly platform_: string
  readonly columns: string
}

/** `<entity>_queries.go`: the data access of an entity, and who has access to it. */
export function queriesFile(service: ServiceScope, own: EntityScope): string {
  const file = goFile(service.module, 'main')
  const columns = storedColumns(own.entity, own.struct)
  const scope: QueriesScope = { ...service, ...own, file, platform_: file.internal('platform'), columns }
  const { names } = own
  const pgx = file.use('github.com/jackc/pgx/v5')
  const targets = [
    'ID',
    ...(own.struct === undefined ? [] : ['ParentID']),
    ...storedAttributes(own.entity).map(fieldIn(own)),
  ]
  return file.text([
    `const ${names.variable}Columns = ${sql(columns, 0)}`,
    func(
      {
        name: `scan${names.type}`,
        parameters: [`row ${pgx}.CollectableRow`],
        result: `(found ${names.type}, err error)`,
      },
      [
        `err = ${call(
          'row.Scan',
          targets.map((field) => `&found.${field}`),
        )}`,
        'return found, err',
      ],
    ),
    createMethod(scope),
    readMethod(scope),
    updateMethod(scope),
    deleteMethod(scope),
    ...listMethods(scope),
    ...(own.struct === undefined ? accessMethods(scope) : []),
  ])
}

const fieldIn =
  ({ names }: EntityScope) =>
  ({ names: { declared } }: Attribute) =>
    names.fields.get(declared) ?? declared

/** The text of a statement, which names the columns once. */
function textOf({ names, columns }: QueriesScope, { text }: Statement, indent: number): string {
  const [head = '', ...rest] = columns.includes(',') ? splitLast(text, columns) : [text]
  const tail = rest.join('')
  const start = sql(head, indent)
  if (rest.length === 0) return start
  return [start, `${names.variable}Columns`, ...(tail === '' ? [] : [sql(tail, indent)])].join('+')
}

/** Cuts a text at the last occurrence of a part. */
function splitLast(text: string, part: string): string[] {
  const at = text.lastIndexOf(part)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + part.length)]
}

/** `platform.Row(ctx, d.db, scan, statement, values...)` */
function query(
  scope: QueriesScope,
  kind: 'Row' | 'Rows',
  scan: string,
  statement: Statement,
  value: (parameter: string) => string,
  indent = 1,
): string {
  const values = statement.parameters.map(value)
  const head = `${scope.platform_}.${kind}(ctx, d.db, ${scan}, ${textOf(scope, statement, indent)},`
  const flat = `${head} ${values.join(', ')})`
  if (values.length === 0) return `${head.slice(0, -1)})`
  return flat.split('\n').every((line) => line.length < 110) ? flat : `${head}\n\t${values.join(', ')})`
}

/** The expression of a parameter of a statement on one row. `id` etc. are members of `input`. */
function rowValue(scope: QueriesScope, isUpdate = false): (parameter: string) => string {
  const { entity } = scope
  return (parameter) => {
    if (parameter === 'id') return 'input.ID'
    if (parameter === '_parent') return 'input.ParentID'
    if (parameter === '_owner') return 'd.owner'
    const keeps = parameter.startsWith('keeps_') ? parameter.slice('keeps_'.length) : undefined
    const attribute = storedAttributes(entity).find(({ names }) => names.declared === (keeps ?? parameter))
    if (attribute === undefined) throw new Error(`Unknown parameter ${parameter}`)
    const field = `input.${fieldIn(scope)(attribute)}`
    const isMaybe = isUpdate && attribute.optional && !attribute.inRequest
    if (keeps !== undefined) return isMaybe ? `!${field}.IsPresent()` : 'false'
    return isMaybe ? `${field}.Value()` : field
  }
}

const method = (name: string, parameters: readonly string[], result: string, lines: readonly string[]) =>
  func({ receiver: 'd Datastore', name, parameters: ['ctx context.Context', ...parameters], result }, lines)

function createMethod(scope: QueriesScope): string {
  const { entity, struct, names, service, authenticated, file } = scope
  file.use('context')
  const { insert } = entityStatements(service, struct)
  const isOwned = struct === undefined && authenticated
  const owner = isOwned ? [`owner ${file.use('github.com/google/uuid')}.UUID`] : []
  const value = rowValue(scope)
  const ownerless = (parameter: string) => (parameter === '_owner' && isOwned ? 'owner' : value(parameter))
  const setsId = service.storesUsers && struct === undefined
  const text =
    struct === undefined
      ? ''
      : ' Returns ErrNotFound without a parent. The lock keeps the parent until it is stored.'
  return `// Create${names.type} stores ${withArticle(entity.names.declared)}.${text}\n${method(
    `Create${names.type}`,
    [`input ${names.type}`, ...owner],
    `(${names.type}, error)`,
    [
      ...(setsId ? ['input.ID = owner'] : []),
      `return ${query(scope, 'Row', `scan${names.type}`, insert, ownerless)}`,
    ],
  )}`
}

function readMethod(scope: QueriesScope): string {
  const { entity, struct, names, service } = scope
  const { select } = entityStatements(service, struct)
  return `// Read${names.type} returns ${withArticle(entity.names.declared)}, or ErrNotFound.\n${method(
    `Read${names.type}`,
    [`input ${names.id}`],
    `(${names.type}, error)`,
    [`return ${query(scope, 'Row', `scan${names.type}`, select, rowValue(scope))}`],
  )}`
}

function updateMethod(scope: QueriesScope): string {
  const { entity, struct, names, service } = scope
  const { update } = entityStatements(service, struct)
  return `// Update${names.type} changes ${withArticle(entity.names.declared)}. Returns ErrNotFound without one.\n${method(
    `Update${names.type}`,
    [`input ${names.update}`],
    `(${names.type}, error)`,
    [`return ${query(scope, 'Row', `scan${names.type}`, update, rowValue(scope, true))}`],
  )}`
}

function deleteMethod(scope: QueriesScope): string {
  const { entity, struct, names, service, file } = scope
  const { delete: remove } = entityStatements(service, struct)
  const scan = `${file.use('github.com/jackc/pgx/v5')}.RowTo[${file.use('github.com/google/uuid')}.UUID]`
  return `// Delete${names.type} deletes ${withArticle(entity.names.declared)}. Returns ErrNotFound without one.\n${method(
    `Delete${names.type}`,
    [`input ${names.id}`],
    'error',
    [`_, err := ${query(scope, 'Row', scan, remove, rowValue(scope))}`, 'return err'],
  )}`
}

/** The type of what is asked of a list. */
export function listType(file: GoFile, { entity, struct, names }: EntityScope): string {
  return entity.criteria === undefined && struct === undefined
    ? `${file.internal('platform')}.Page`
    : names.query
}

/** The name of the part of what is asked of a list that is a page. */
const pageIn = ({ struct }: EntityScope) => (struct === undefined ? 'page' : 'page.Page')

function listMethods(scope: QueriesScope): string[] {
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

/** The access checks of a service. Entries of structs have the checks of their parent. */
function accessMethods(scope: QueriesScope): string[] {
  const { service, entity, names, file, platform_ } = scope
  const { readable, writable } = service
  const { find, findAll } = entityStatements(service)
  if (find === undefined) return []
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const pgx = file.use('github.com/jackc/pgx/v5')
  const parameters = (isUsed: boolean) => [
    'ctx context.Context',
    `id ${uuid}`,
    `${isUsed ? 'caller' : '_'} ${platform_}.Caller`,
  ]
  const isLimited = find.parameters.includes('_owner')
  const isOwnOnly = comparesOwner(readable)
  const usesCaller = isLimited || isOwnOnly
  const value = (parameter: string) =>
    parameter === '_owner' && readable !== 'all' ? ownerOf(readable) : parameter
  const findCall = query(scope, 'Row', `${pgx}.RowTo[${uuid}]`, find, value).replace(
    'd.db',
    'env.Datastore.db',
  )
  const declared = quoted(entity.names.declared)
  const finder = func(
    {
      receiver: 'env *Env',
      name: `find${names.type}`,
      parameters: parameters(usesCaller),
      result: `(${uuid}, error)`,
    },
    [
      `found, err := ${findCall}`,
      ...(isOwnOnly
        ? [block('if err == nil && found != caller.ID', [`err = ${platform_}.ErrNotFound`])]
        : []),
      `return found, ${platform_}.OrNotFound(err, ${declared}, id)`,
    ],
  )
  const isSame = isSameAccess(readable, writable)
  const check =
    isSame || writable === 'all'
      ? ['return env.RequireReadable(ctx, id, caller)']
      : [
          `owner, err := env.find${names.type}(ctx, id, caller)`,
          ...(isOnlyCreator(writable)
            ? [block('if err == nil && owner != caller.ID', [`return ${platform_}.Forbidden()`])]
            : [
                `writer := ${ownerOf(writable)}`,
                block('if err == nil && writer != nil && *writer != owner', [
                  `return ${platform_}.Forbidden()`,
                ]),
              ]),
          'return err',
        ]
  return [
    `// RequireReadable returns 404 unless the caller may read the entity.\n${func(
      { receiver: 'env *Env', name: 'RequireReadable', parameters: parameters(true), result: 'error' },
      [`_, err := env.find${names.type}(ctx, id, caller)`, 'return err'],
    )}`,
    `// RequireWritable returns ${isSame ? '404' : '404 or 403'} unless the caller may write the entity.\n${func(
      { receiver: 'env *Env', name: 'RequireWritable', parameters: parameters(true), result: 'error' },
      check,
    )}`,
    `// find${names.type} returns ${isOwnOnly || !isSame ? 'who owns an entity' : 'the id of an entity'}, or 404 unless the caller may read it.\n${finder}`,
    ...(findAll === undefined
      ? []
      : [
          `// findReadable returns those of the ids that exist and that the caller may read.\n${method(
            'findReadable',
            [`ids []${uuid}`, `${readable === 'all' ? '_' : 'caller'} ${platform_}.Caller`],
            `([]${uuid}, error)`,
            [`return ${query(scope, 'Rows', `${pgx}.RowTo[${uuid}]`, findAll, value)}`],
          )}`,
        ]),
  ]
}

/** Whether the service's own entity can be the target of references. */
export function hasFindReadable(scope: ServiceScope): boolean {
  return entityStatements(scope.service).findAll !== undefined && mainEntity(scope) !== undefined
}

/** Whether clients can read the lists of an entity. */
export const isListed = ({ entity }: EntityScope) => hasOperation(entity, 'list')
