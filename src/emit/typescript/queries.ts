import { columnType } from '../../model/columns.ts'
import type { AttributeType } from '../../model/platform.ts'
import { MAX_BODY_BYTES, neededBodyBytes } from '../../limits.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { block, braces, type Code, call, chain, code, hanging, join, list, object } from '../kit/layout.ts'
import { hasTimestamps, storedAttributes, wordUnion, writtenAttributes } from './attributes.ts'
import { accessFunction } from './access.ts'
import { keptAttributes, lookupType } from './entities.ts'
import { queryType } from './list-query.ts'
import { parentKey, statementName } from './names.ts'
import {
  type EntityScope,
  hasOperation,
  hasOwnerColumn,
  isListedByOwner,
  mainEntity,
  type ServiceScope,
} from './scope.ts'

const DRIZZLE = 'drizzle-orm'
const QUERIES = '#lib/queries.ts'
const LISTS = '#lib/lists.ts'
const SEARCH = '#lib/search.ts'

/** When rows may be larger than this, batches of lists are limited by bytes as well as by rows. */
const SMALL_ROW_BYTES = 4 * 1024

/** What the functions that emit a file of queries share. */
interface QueriesScope extends ServiceScope, EntityScope {
  readonly file: CodeFile
  readonly value: (module: string, name: string) => string
  /** The table of the service's own entity. */
  readonly parent: string
  /** Whether statements can be limited to the owner's entities, for reading and for writing. */
  readonly canLimit: { readonly read: boolean; readonly write: boolean }
}

/** `queries/<entity>.ts`: the prepared statements of an entity, and who may read and write it. */
export function queriesFile(scope: ServiceScope, own: EntityScope): string {
  const file = codeFile(`queries/${own.entity.names.kebab}.ts`)
  const all: QueriesScope = {
    ...scope,
    ...own,
    file,
    value: (module, name) => file.value(module, name),
    parent: mainEntity(scope).names.variable,
    canLimit: { read: scope.readers !== undefined, write: scope.writers !== undefined },
  }
  const parts = [
    join(constants(all), '\n'),
    ...(all.canLimit.read || all.canLimit.write || (own.struct === undefined && all.authenticated)
      ? [
          code`/** Whose entities a query concerns. */
type Owner = Pick<${file.type('#lib/tokens.ts', 'Caller')}, 'id'>`,
        ]
      : []),
    queriesFunction(all),
    ...(own.struct === undefined ? [accessFunction(scope, file)] : []),
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
  const needsWritten = hasTimestamps(entity) && (needsAttributes || struct === undefined)
  const written = needsWritten ? 'written' : 'columns'
  return [
    hasOwnerColumn(scope, struct)
      ? code`const { _owner, ...columns } = ${columns}`
      : code`const columns = ${columns}`,
    ...(needsWritten ? ['const { createdAt: _createdAt, updatedAt: _updatedAt, ...written } = columns'] : []),
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
  ]
}

/** `const name = once(() => db...)` */
function prepared(scope: QueriesScope, name: string, verb: string, ...calls: readonly Code[]): Code {
  const query = chain('db', ...calls, `.prepare('${statementName(verb, scope.entity)}')`)
  return code`const ${name} = ${call(scope.value(QUERIES, 'once'), hanging('() =>', query))}`
}

function queriesFunction(scope: QueriesScope): Code {
  const { entity, names, file } = scope
  const statements = [
    ...(limitsEntries(scope) ? [parentQuery(scope)] : []),
    scope.struct === undefined ? insertStatement(scope) : insertEntryStatement(scope),
    selectStatement(scope),
    updateStatement(scope),
    deleteStatement(scope),
    ...listStatements(scope),
    ...searchFunction(scope),
  ]
  const members = [
    createMember(scope),
    readMember(scope),
    updateMember(scope),
    deleteMember(scope),
    ...listMembers(scope),
  ]
  return code`/** The queries on ${entity.names.declared}. They check access only where they are given an owner. */
${block(`export function ${names.queries}(db: ${file.type('schema.ts', 'Database')})`, [
  ...statements,
  '',
  block('return', [
    join(
      members.map((member) => code`${member},`),
      '\n\n',
    ),
  ]),
])}`
}

/** Whether the statements that write entries of a struct check the owner of the parent. */
function limitsEntries({ struct, canLimit }: QueriesScope): boolean {
  return struct !== undefined && (canLimit.write || canLimit.read)
}

/** The condition of statements that read or write one row. */
function condition(scope: QueriesScope, access: 'read' | 'write'): Code {
  if (!scope.canLimit[access]) return 'hasId'
  return call(scope.value(DRIZZLE, 'and'), 'hasId', scope.struct === undefined ? 'isOwned' : 'isInOwn')
}

function parentQuery({ value, names, parent, struct }: QueriesScope): Code {
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

function insertStatement(scope: QueriesScope): Code {
  const { entity, names, value, struct } = scope
  const values = `${value(QUERIES, 'values')}(${hasTimestamps(entity) ? 'written' : 'columns'})`
  const row = hasOwnerColumn(scope, struct) ? `{ ...${values}, _owner: param('_owner') }` : values
  return prepared(
    scope,
    'insert',
    'insert',
    `.insert(${names.variable})`,
    `.values(${row})`,
    '.returning(columns)',
  )
}

function insertEntryStatement(scope: QueriesScope): Code {
  const { entity, struct, names, value, parent, canLimit } = scope
  if (struct === undefined) return ''
  const sql = value(DRIZZLE, 'sql')
  const cast = (key: string, type: string, column: string, result: string) =>
    call(`${sql}<${result}>\`\${param('${key}')}::${type}\`.as`, `'${column}'`)
  const row = object([
    code`id: ${cast('id', 'uuid', 'id', 'string')}`,
    `${parentKey(struct)}: ${parent}.id`,
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
${prepared(scope, 'insert', 'insert', `.insert(${names.variable})`, call('.select', select), '.returning(columns)')}`
}

function valueType(type: AttributeType): string {
  const { kind } = type
  if (kind === 'enum') return wordUnion(type)
  if (kind === 'bool') return 'boolean'
  if (kind === 'int' || kind === 'float') return 'number'
  return kind === 'data' ? 'Buffer' : 'string'
}

function selectStatement(scope: QueriesScope): Code {
  const where = code`.where(${condition(scope, 'read')})`
  return prepared(scope, 'select', 'select', '.select(columns)', `.from(${scope.names.variable})`, where)
}

function updateStatement(scope: QueriesScope): Code {
  const { entity, names, value } = scope
  // Postgres has no UPDATE that sets nothing.
  const set =
    writtenAttributes(entity).length > 0
      ? `${value(QUERIES, 'changes')}(attributes)`
      : `{ id: ${value(DRIZZLE, 'sql')}\`\${${names.variable}.id}\` }`
  const where = code`.where(${condition(scope, 'write')})`
  return prepared(
    scope,
    'update',
    'update',
    `.update(${names.variable})`,
    `.set(${set})`,
    where,
    '.returning(columns)',
  )
}

function deleteStatement(scope: QueriesScope): Code {
  const { names } = scope
  const where = code`.where(${condition(scope, 'write')})`
  return prepared(
    scope,
    'remove',
    'delete',
    `.delete(${names.variable})`,
    where,
    `.returning({ id: ${names.variable}.id })`,
  )
}

/** Whether clients can read lists; otherwise only the service's own code does. */
const isListed = ({ entity }: EntityScope) => hasOperation(entity, 'list')

function listStatements(scope: QueriesScope): Code[] {
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
function searchFunction(scope: QueriesScope): Code[] {
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
  const stored = storedAttributes(entity)
  const sizes = stored.map(({ names: { declared }, type }) => ({
    name: declared,
    kind: type.kind,
    size: sizeOf(type),
  }))
  if (Math.min(neededBodyBytes(sizes), MAX_BODY_BYTES) <= SMALL_ROW_BYTES) return undefined
  const large = stored.filter(({ type }) => type.kind === 'string' || type.kind === 'data')
  const lengths = large.map(({ names: { declared }, optional }) => {
    const length = `octet_length(\${${names.variable}.${declared}})`
    return optional ? `coalesce(${length}, 0)` : length
  })
  return `${value(DRIZZLE, 'sql')}${resultType}\`${lengths.join(' + ')}\``
}

function sizeOf(type: AttributeType): number | undefined {
  if (type.kind === 'string') return type.maxLength
  return type.kind === 'data' ? type.maxSize : undefined
}

/** The optional parameter that limits a query to the owner's entities. */
function ownerParameter(
  scope: QueriesScope,
  access: 'read' | 'write',
): { parameter: Code[]; values: string[] } {
  return scope.canLimit[access]
    ? { parameter: ['owner?: Owner'], values: ['_owner: owner?.id'] }
    : { parameter: [], values: [] }
}

/** `parameters`: in parentheses. */
function method(name: string, parameters: Code, result: string, statements: readonly Code[]): Code {
  return block(code`async ${name}${parameters}: Promise<${result}>`, statements)
}

/** Malformed ids find nothing. */
function requireIds({ struct, value }: QueriesScope): string {
  const isUuid = value('#lib/values.ts', 'isUuid')
  const parent = struct === undefined ? '' : ` || !${isUuid}(input.${parentKey(struct)})`
  return `if (!${isUuid}(input.id)${parent}) return undefined`
}

function createMember(scope: QueriesScope): Code {
  const { entity, struct, names, file, value, service, authenticated } = scope
  const type = () =>
    `Omit<${file.type('entities.ts', names.create)}, 'id'>${service.identity && struct === undefined ? '' : ' & { id?: string }'}`
  const stored = file.type('entities.ts', names.stored)
  const newId = () => `id: ${value('node:crypto', 'randomUUIDv7')}()`
  const name = `create${entity.names.declared}`
  if (struct !== undefined) {
    const { parameter, values } = ownerParameter(scope, 'write')
    const key = parentKey(struct)
    const execute = call(
      'insert().execute',
      braces([newId(), '...input', `_parent: input.${key}`, ...values]),
    )
    return code`/** Returns \`undefined\` without a parent. */
${method(name, list('(', [`input: ${type()}`, ...parameter], ')'), `${stored} | undefined`, [
  `if (!${value('#lib/values.ts', 'isUuid')}(input.${key})) return undefined`,
  code`const [created] = await ${execute}`,
  'return created',
])}`
  }
  // An entity without attributes takes no input.
  const inputs = writtenAttributes(entity).length > 0 ? [`input: ${type()}`] : []
  const spread = inputs.length > 0 ? ['...input'] : []
  const own = service.identity
    ? [...spread, 'id: owner.id']
    : [newId(), ...spread, ...(authenticated ? ['_owner: owner.id'] : [])]
  const parameters = [...inputs, ...(authenticated ? ['owner: Owner'] : [])]
  return method(name, list('(', parameters, ')'), stored, [
    code`return ${call(value(QUERIES, 'single'), code`await ${call('insert().execute', braces(own))}`)}`,
  ])
}

function readMember(scope: QueriesScope): Code {
  const { entity, struct, names, file } = scope
  const { parameter, values } = ownerParameter(scope, 'read')
  const keys = [
    'id: input.id',
    ...(struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`]),
    ...values,
  ]
  const stored = file.type('entities.ts', names.stored)
  return method(
    `read${entity.names.declared}`,
    list('(', [`input: ${lookupType(scope)}`, ...parameter], ')'),
    `${stored} | undefined`,
    [
      requireIds(scope),
      code`const [found] = await ${call('select().execute', braces(keys))}`,
      'return found',
    ],
  )
}

function updateMember(scope: QueriesScope): Code {
  const { entity, struct, names, file } = scope
  const { parameter, values } = ownerParameter(scope, 'write')
  const kept = keptAttributes(scope).map(({ names: { declared } }) => `${declared}: null`)
  const keeps = storedAttributes(entity)
    .filter(({ optional }) => optional)
    .map(({ names: { declared } }) => `keeps_${declared}: input.${declared} === undefined`)
  const parent = struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`]
  const input = file.type('entities.ts', names.update)
  return method(
    `update${entity.names.declared}`,
    list('(', [`input: ${input}`, ...parameter], ')'),
    `${names.stored} | undefined`,
    [
      requireIds(scope),
      code`const [updated] = await ${call('update().execute', braces([...kept, '...input', ...keeps, ...parent, ...values]))}`,
      'return updated',
    ],
  )
}

function deleteMember(scope: QueriesScope): Code {
  const { entity, struct } = scope
  const { parameter, values } = ownerParameter(scope, 'write')
  const keys = [
    'id: input.id',
    ...(struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`]),
    ...values,
  ]
  return code`/** Returns the id. */
${method(
  `delete${entity.names.declared}`,
  list('(', [`input: ${lookupType(scope)}`, ...parameter], ')'),
  'string | undefined',
  [
    requireIds(scope),
    code`const [deleted] = await ${call('remove().execute', braces(keys))}`,
    'return deleted?.id',
  ],
)}`
}

function listMembers(scope: QueriesScope): Code[] {
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
