import { isOnlyCreator, isSameAccess, type LimitedAccess } from '../../access.ts'
import { constraintName } from '../database/identifiers.ts'
import type { AttributeType, Endpoint, Operation, Struct } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { block, braces, type Code, call, chain, code, hanging, list, moving, object } from '../kit/layout.ts'
import { ownerOf } from './access.ts'
import {
  hookAttributes,
  initialValue,
  requestReferences,
  storedAttributes,
  writtenAttributes,
} from './attributes.ts'
import { parentKey } from './names.ts'
import { checksReferences, type EntityScope, hasOperation, type ServiceScope } from './scope.ts'

/** What the functions that emit the routes of an entity share. */
interface RouteScope extends ServiceScope, EntityScope {
  readonly file: CodeFile
  readonly value: (module: string, name: string) => string
  /** The caller as it is passed on. */
  readonly caller: 'caller' | 'undefined'
  /** The key of the parent's id in a struct. */
  readonly key: string | undefined
}

const ERRORS = '#lib/errors.ts'
const REQUESTS = '#lib/requests.ts'
const ROLES = '#lib/roles.ts'

const HANDLERS: Readonly<Record<Operation, (scope: RouteScope) => Code[]>> = {
  create: createHandler,
  read: readHandler,
  update: updateHandler,
  delete: deleteHandler,
  list: listHandler,
  identify: identifyHandler,
}

/** `routes/<entity>.ts`: the endpoints of an entity. */
export function routesFile(service: ServiceScope, own: EntityScope): string {
  const file = codeFile(`routes/${own.entity.names.kebab}.ts`)
  const scope: RouteScope = {
    ...service,
    ...own,
    file,
    value: (module, name) => file.value(module, name),
    caller: service.authenticated ? 'caller' : 'undefined',
    key: own.struct === undefined ? undefined : parentKey(own.struct),
  }
  const { entity, names, struct } = scope
  const routes = entity.endpoints
    .toSorted((a, b) => Number(b.operation === 'list') - Number(a.operation === 'list'))
    .flatMap((endpoint) => [
      ...route(scope, endpoint),
      ...(endpoint.operation === 'list' ? otherMethods(scope, endpoint) : []),
    ])
  const head = `return new ${file.value('hono', 'Hono')}${environment(scope)}()`
  const members = usedMembers(scope)
  return file.text(code`/** The endpoints of ${entity.names.declared}. */
${block(`export function ${names.routes}(env: ${file.type('hooks.ts', 'Env')})`, [
  ...(members.length === 0 ? [] : [`const { ${members.join(', ')} } = env`]),
  `const hooks = env.hooks${struct === undefined ? '' : `.${entity.names.camel}`}`,
  ...targets(scope),
  '',
  ...listApp(scope),
  // The formatter keeps one call after its head.
  routes.length === 1 ? code`${head}${routes}` : { ...chain(head, ...routes), expanded: true },
])}`)
}

function environment({ file, authenticated }: RouteScope): string {
  const apiEnv = file.type('#lib/api.ts', 'ApiEnv')
  return authenticated
    ? `<${apiEnv} & { Variables: { caller: ${file.type('#lib/tokens.ts', 'Caller')} } }>`
    : `<${apiEnv}>`
}

/** The members of the environment that handlers use outside of a transaction. */
function usedMembers(scope: RouteScope): string[] {
  const { entity, struct } = scope
  const has = (...operations: readonly Operation[]) => operations.some((each) => hasOperation(entity, each))
  const references = checksReferences(entity)
  const kinds = new Set(
    requestReferences(entity).map(({ type }) =>
      type.kind === 'reference' && !type.own ? 'comm' : type.kind,
    ),
  )
  return [
    ...(references && kinds.has('comm') ? ['comm'] : []),
    ...(has('read', 'list', 'identify') || (references && (has('update') || kinds.has('sibling')))
      ? ['datastore']
      : []),
    ...(has('update', 'delete') ||
    (struct !== undefined && has('create', 'read', 'list')) ||
    has('read') ||
    (references && kinds.has('reference') && hasOwnReference(scope))
      ? ['access']
      : []),
    ...(has('list') ? ['log'] : []),
  ]
}

function hasOwnReference({ entity }: RouteScope): boolean {
  return requestReferences(entity).some(({ type }) => type.kind === 'reference' && type.own)
}

/** The service's own entities as a target of references. */
function targets(scope: RouteScope): Code[] {
  const { entity, service } = scope
  if (!checksReferences(entity) || !hasOwnReference(scope)) return []
  return [code`const own = ${object([`...access`, `name: '${service.names.declared}'`])}`]
}

/** The parts of a route that come before its handler. */
function middleware(scope: RouteScope, { operation, paths: [path] }: Endpoint): Code[] {
  const { value, names, file, key } = scope
  const ids = [
    ...(path.includes('{parent-id}') ? [`'${key}'`] : []),
    ...(path.includes('{id}') ? ["'id'"] : []),
  ]
  return [
    ...(ids.length === 0 ? [] : [call(value(REQUESTS, 'ids'), ...ids)]),
    ...(operation === 'list' ? [listParameters(scope)] : []),
    ...(operation === 'create' || operation === 'update'
      ? [call(value(REQUESTS, 'body'), file.value('entities.ts', names.request))]
      : []),
  ]
}

/** Reads the query parameters of a list. */
function listParameters({ entity, names, file, value }: RouteScope): Code {
  if (entity.criteria === undefined) return value('#lib/lists.ts', 'page')
  return call(value('#lib/filters.ts', 'listQuery'), file.value('entities.ts', names.query))
}

function route(scope: RouteScope, endpoint: Endpoint): Code[] {
  const { method, paths } = endpoint
  const [path, ...others] = paths.map((each) => `'${honoPath(scope.struct, each)}'`)
  if (others.length > 0) return [path, ...others].map((each) => call('.route', each ?? '', 'all'))
  return [call(`.${method.toLowerCase()}`, path ?? '', ...steps(scope, endpoint))]
}

/** What a route runs: its middleware and its handler. */
function steps(scope: RouteScope, endpoint: Endpoint): Code[] {
  return [...middleware(scope, endpoint), block('async (c) =>', HANDLERS[endpoint.operation](scope))]
}

/** The endpoint of a struct's list, which has two paths. */
function listApp(scope: RouteScope): Code[] {
  const endpoint = scope.entity.endpoints.find(({ paths }) => paths.length > 1)
  if (endpoint === undefined) return []
  return [
    code`const all = new ${scope.value('hono', 'Hono')}${environment(scope)}()${call('.get', "'/'", ...steps(scope, endpoint))}`,
    '',
  ]
}

/** The path of an endpoint in the form of Hono: `/home/:id`. */
export function honoPath(struct: Struct | undefined, path: string): string {
  const parent = struct === undefined ? '' : parentKey(struct)
  return path.replace('/api', '').replace('{parent-id}', `:${parent}`).replace('{id}', ':id')
}

/** Rejects other methods of the list's path, which would otherwise match an entity with the id `all`. */
function otherMethods(scope: RouteScope, { paths }: Endpoint): Code[] {
  const { entity } = scope
  if (!hasOperation(entity, 'update') && !hasOperation(entity, 'delete')) return []
  const path = honoPath(scope.struct, paths.at(-1) ?? '')
  const response = call('c.json', "{ error: 'Method not allowed' }", '405', "{ Allow: 'GET, HEAD' }")
  return [call('.all', `'${path}'`, moving('(c) =>', response))]
}

const callerLine = ({ authenticated }: RouteScope) => (authenticated ? ['const { caller } = c.var'] : [])

const run = ({ caller }: RouteScope, hook: string, ...values: readonly string[]) =>
  code`await ${call(`hooks.${hook}.run`, 'env', ...values, caller)}`

/** The check that comes before hooks, so that none runs for a caller without access. */
const requireAccess = ({ caller }: RouteScope, kind: 'Readable' | 'Writable', id: string) =>
  `await access.require${kind}(${id}, ${caller})`

/** Sets the owner to whom the access of a caller with or without a role is limited. */
const ownerLine = ({ file }: RouteScope, access: LimitedAccess | undefined): Code[] =>
  access === undefined || isOnlyCreator(access) ? [] : [code`const owner = ${ownerOf(file, access)}`]

/** The argument that limits a query to what the caller has access to. */
const owner = (access: LimitedAccess | undefined) =>
  access === undefined ? [] : [isOnlyCreator(access) ? 'caller' : 'owner']

function withHooks(
  { value }: RouteScope,
  operation: 'Create' | 'Update' | 'Delete',
  statements: readonly Code[],
): Code {
  return call(
    value('#lib/hooks.ts', 'withHooks'),
    'env',
    `[hooks.before${operation}, hooks.after${operation}]`,
    block('async (env) =>', statements),
  )
}

/** The values that are stored from a request: its attributes without those that only hooks see. */
function requestMembers({ entity }: RouteScope): string[] {
  const dropped = entity.attributes.filter(({ inRequest, stored }) => inRequest && !stored)
  return dropped.length === 0 ? ['...request'] : ['...attributes']
}

function requestLines({ entity }: RouteScope): Code[] {
  const dropped = entity.attributes.filter(({ inRequest, stored }) => inRequest && !stored)
  const names = dropped.map(({ names: { declared } }) => `${declared}: _${declared}`)
  return [
    "const request = c.req.valid('json')",
    ...(dropped.length === 0
      ? []
      : [
          code`const ${{ open: '{', items: [...names, '...attributes'], close: '}', padding: ' ', trailing: '', expanded: false }} = request`,
        ]),
  ]
}

/** The check of the references in a request. `stored` is what an update compares with. */
function referenceCheck(scope: RouteScope, stored: boolean): Code[] {
  const { entity, value, caller } = scope
  const references = requestReferences(entity)
  if (references.length === 0) return []
  const items = references.map(({ names: { declared }, type }) =>
    braces([
      `to: ${target(type)}`,
      `id: request.${declared}`,
      ...(stored ? [`stored: stored.${declared}`] : []),
    ]),
  )
  return [
    ...siblingTargets(scope, stored ? `lookup.${scope.key}` : String(scope.key)),
    code`await ${call(value('#lib/references.ts', 'requireReferences'), { ...list('[', items, ']'), expanded: items.length > 1 }, caller)}`,
  ]
}

function target(type: AttributeType): string {
  if (type.kind === 'sibling') return `${type.target.camel}Entries`
  if (type.kind === 'reference') return type.own ? 'own' : `comm.${type.target.names.camel}`
  return ''
}

function siblingTargets({ entity, value, service }: RouteScope, parentId: string): Code[] {
  const siblings = new Map(
    requestReferences(entity).flatMap(({ type }) =>
      type.kind === 'sibling' ? [[type.table, type.target] as const] : [],
    ),
  )
  return Array.from(siblings, ([table, names]) => {
    const sibling = service.structs.find((struct) => struct.table === table)
    const parent = sibling === undefined ? 'parentId' : parentKey(sibling)
    const own = parentId === parent ? parent : `${parent}: ${parentId}`
    const lookup = `datastore.read${names.declared}({ id, ${own} })`
    return code`const ${names.camel}Entries = ${call(value('#lib/references.ts', 'entries'), `'${names.declared}'`, hanging('(id) =>', lookup))}`
  })
}

/** Turns violations of foreign keys, which a concurrent deletion causes, into the error of the check. */
function onViolation(scope: RouteScope): Code[] {
  const { entity, value } = scope
  return storedAttributes(entity).flatMap(({ names: { declared, snake }, type, inRequest }) => {
    if (type.kind !== 'sibling' || !inRequest) return []
    const unknown = call(
      value('#lib/references.ts', 'unknownReference'),
      `'${type.target.declared}'`,
      `input.${declared}`,
    )
    return [catchViolation(scope, [constraintName(entity.table, [snake], 'fkey')], unknown)]
  })
}

function catchViolation({ value }: RouteScope, constraints: readonly string[], error: Code): Code {
  const names = list(
    '[',
    constraints.map((name) => `'${name}'`),
    ']',
  )
  return call('.catch', call(value('#lib/database.ts', 'onViolation'), hanging('() =>', error), names))
}

/** A write, and what becomes of the violations that it may cause. */
function write(name: string, values: readonly string[], handlers: readonly Code[]): Code {
  if (handlers.length === 0) return call(`env.datastore.${name}`, ...values)
  return { ...chain('env.datastore', call(`.${name}`, ...values), ...handlers), expanded: true }
}

function createHandler(scope: RouteScope): Code[] {
  const { entity, struct, names, file, value, service, authenticated, writers, key } = scope
  const declared = entity.names.declared
  const type = file.type('entities.ts', names.create)
  const id =
    service.identity && struct === undefined
      ? 'id: caller.id'
      : `id: ${value('node:crypto', 'randomUUIDv7')}()`
  const zeros = hookAttributes(entity).map(
    (attribute) => `${attribute.names.declared}: ${initialValue(file, attribute)}`,
  )
  const input = object([id, ...(key === undefined ? [] : [key]), ...requestMembers(scope), ...zeros])
  const hasInput = struct !== undefined || writtenAttributes(entity).length > 0
  const owned = struct === undefined ? (authenticated ? ['caller'] : []) : owner(writers)
  const references = referenceCheck(scope, false)
  const statement = write(`create${declared}`, [...(hasInput ? ['input'] : []), ...owned], onViolation(scope))
  const early =
    key === undefined
      ? roleCheck(scope)
      : [
          ...ownerLine(scope, writers),
          `${references.length > 0 ? '' : 'if (hooks.beforeCreate.isUsed()) '}${requireAccess(scope, 'Writable', key)}`,
        ]
  const location =
    key === undefined
      ? `\`${service.path}/\${created.id}\``
      : `\`${service.path}/\${created.${key}}/${entity.names.kebab}/\${created.id}\``
  const created: Code[] =
    key === undefined
      ? [code`const created = await ${statement}`]
      : [
          code`const created = await ${statement}`,
          block('if (created === undefined)', [
            `await env.access.requireWritable(input.${key}, ${scope.caller})`,
            `throw ${value(ERRORS, 'notFound')}('${service.names.declared}', input.${key})`,
          ]),
        ]
  return [
    ...callerLine(scope),
    ...(key === undefined ? [] : [`const { ${key} } = c.req.valid('param')`]),
    ...requestLines(scope),
    ...early,
    ...references,
    code`const created = await ${withHooks(scope, 'Create', [
      code`const input: ${type} = ${input}`,
      run(scope, 'beforeCreate', 'request', 'input'),
      ...created,
      run(scope, 'afterCreate', 'created'),
      'return created',
    ])}`,
    code`return ${call('c.json', `${file.value('entities.ts', names.toPublic)}(created)`, '201', braces([`Location: ${location}`]))}`,
  ]
}

/** Creating needs one of the roles where the creator is not among those who may write. */
function roleCheck({ value, writers }: RouteScope): Code[] {
  if (writers === undefined || writers.creator) return []
  return [call(value(ROLES, 'requireRole'), 'caller', ...writers.roles.map((role) => `'${role}'`))]
}

function readHandler(scope: RouteScope): Code[] {
  const { entity, names, file, value, readers, key } = scope
  const declared = entity.names.declared
  const missing = `throw ${value(ERRORS, 'notFound')}('${declared}', input.id)`
  const parent = key === undefined ? 'input.id' : `input.${key}`
  return [
    ...callerLine(scope),
    "const input = c.req.valid('param')",
    `if (hooks.beforeRead.isUsed()) ${requireAccess(scope, 'Readable', parent)}`,
    run(scope, 'beforeRead', 'input'),
    ...ownerLine(scope, readers),
    code`const found = await ${call(`datastore.read${declared}`, 'input', ...owner(readers))}`,
    key === undefined
      ? `if (found === undefined) ${missing}`
      : block('if (found === undefined)', [requireAccess(scope, 'Readable', parent), missing]),
    run(scope, 'afterRead', 'found'),
    `return c.json(${file.value('entities.ts', names.toPublic)}(found))`,
  ]
}

/** What follows a write that found nothing. */
function explainMissing(scope: RouteScope, result: string): Code {
  const { entity, value, key, service } = scope
  const missing = `throw ${value(ERRORS, 'notFound')}('${entity.names.declared}', input.id)`
  if (key === undefined && isSameAccess(service.readable, service.writable))
    return `if (${result} === undefined) ${missing}`
  return block(`if (${result} === undefined)`, [
    `await env.access.requireWritable(input.${key ?? 'id'}, ${scope.caller})`,
    missing,
  ])
}

function updateHandler(scope: RouteScope): Code[] {
  const { entity, names, file, value, writers, key } = scope
  const declared = entity.names.declared
  const type = file.type('entities.ts', names.update)
  const references = referenceCheck(scope, true)
  const parent = `lookup.${key ?? 'id'}`
  const early =
    references.length > 0
      ? [
          requireAccess(scope, 'Writable', parent),
          `const stored = await datastore.read${declared}(lookup)`,
          `if (stored === undefined) throw ${value(ERRORS, 'notFound')}('${declared}', lookup.id)`,
          ...references,
        ]
      : [`if (hooks.beforeUpdate.isUsed()) ${requireAccess(scope, 'Writable', parent)}`]
  return [
    ...callerLine(scope),
    "const lookup = c.req.valid('param')",
    ...requestLines(scope),
    ...early,
    ...ownerLine(scope, writers),
    code`const updated = await ${withHooks(scope, 'Update', [
      code`const input: ${type} = ${braces(['...lookup', ...requestMembers(scope)])}`,
      run(scope, 'beforeUpdate', 'request', 'input'),
      code`const updated = await ${write(`update${declared}`, ['input', ...owner(writers)], onViolation(scope))}`,
      explainMissing(scope, 'updated'),
      run(scope, 'afterUpdate', 'updated'),
      'return updated',
    ])}`,
    `return c.json(${file.value('entities.ts', names.toPublic)}(updated))`,
  ]
}

function deleteHandler(scope: RouteScope): Code[] {
  const { entity, value, writers, key, struct } = scope
  const declared = entity.names.declared
  const referenced = struct?.referenced === true ? referencingKeys(scope) : []
  const violation =
    referenced.length === 0
      ? []
      : [
          catchViolation(
            scope,
            referenced,
            call(value(ERRORS, 'conflict'), `'${declared} is still referenced'`),
          ),
        ]
  return [
    ...callerLine(scope),
    "const lookup = c.req.valid('param')",
    `if (hooks.beforeDelete.isUsed()) ${requireAccess(scope, 'Writable', key === undefined ? 'lookup.id' : `lookup.${key}`)}`,
    ...ownerLine(scope, writers),
    code`await ${withHooks(scope, 'Delete', [
      'const input = { ...lookup }',
      run(scope, 'beforeDelete', 'input'),
      code`const deleted = await ${write(`delete${declared}`, ['input', ...owner(writers)], violation)}`,
      explainMissing(scope, 'deleted'),
      run(scope, 'afterDelete', 'deleted'),
    ])}`,
    'return c.json({})',
  ]
}

/** The foreign keys of sibling structs that refer to the struct. */
function referencingKeys({ service, entity }: RouteScope): string[] {
  return service.structs.flatMap((sibling) =>
    storedAttributes(sibling).flatMap(({ names, type }) =>
      type.kind === 'sibling' && type.table === entity.table
        ? [constraintName(sibling.table, [names.snake], 'fkey')]
        : [],
    ),
  )
}

function listHandler(scope: RouteScope): Code[] {
  const { entity, names, file, value, readers, key, caller } = scope
  const declared = entity.names.declared
  const input =
    key === undefined
      ? ["const input = c.req.valid('query')", run(scope, 'beforeList', 'input')]
      : [
          `const { ${key} } = c.req.valid('param')`,
          `const input = { ...c.req.valid('query'), ${key} }`,
          requireAccess(scope, 'Readable', key),
          run(scope, 'beforeList', 'input'),
          `if (input.${key} !== ${key}) ${requireAccess(scope, 'Readable', `input.${key}`)}`,
        ]
  const batches = call(
    `datastore.batchesOf${declared}`,
    'input',
    ...owner(key === undefined ? readers : undefined),
  )
  const toPublic = file.value('entities.ts', names.toPublic)
  return [
    ...callerLine(scope),
    ...input,
    ...(key === undefined ? ownerLine(scope, readers) : []),
    code`const found = await ${batches}`,
    code`const list = await ${call(value('#lib/lists.ts', 'afterList'), 'hooks.afterList', 'env', 'found', caller)}`,
    code`return ${call(value('#lib/lists.ts', 'listResponse'), 'c', 'log', `'${entity.listKey}'`, 'list', toPublic)}`,
  ]
}

function identifyHandler(scope: RouteScope): Code[] {
  const { entity, value, service, readers } = scope
  const declared = entity.names.declared
  return [
    ...callerLine(scope),
    'const input = { id: caller.id }',
    run(scope, 'beforeIdentify', 'input'),
    ...ownerLine(scope, readers),
    code`const found = await ${call(`datastore.read${declared}`, 'input', ...owner(readers))}`,
    `if (found?.id !== caller.id) throw ${value(ERRORS, 'notFound')}('${declared}', caller.id)`,
    run(scope, 'afterIdentify', 'found'),
    `return c.redirect(\`${service.path}/\${found.id}\`)`,
  ]
}
