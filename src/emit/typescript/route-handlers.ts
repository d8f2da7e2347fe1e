import {
  changesWithEachUpdate,
  clientAttributes,
  hasOperation,
  hookAttributes,
  stateAttributes,
  writtenAttributes,
} from '../../model/entities.ts'
import { isSameAccess, type LimitedAccess } from '../../access.ts'
import { stillReferencedText } from '../../model/error-texts.ts'
import type { Operation } from '../../model/platform.ts'
import { block, braces, call, chain, type Code, code, hanging, list, object } from '../codegen/layout.ts'
import { initialValue } from './attributes.ts'
import { lookupType } from './entities.ts'
import {
  catchViolation,
  completeRequest,
  onViolation,
  referenceCheck,
  referencingKeys,
} from './reference-checks.ts'
import { type RouteScope } from './route-scope.ts'

const ERRORS = '#lib/errors.ts'
const ROLES = '#lib/roles.ts'
const VERSIONS = '#lib/versions.ts'

/** Emits the handler of each operation, as statements. */
export const HANDLERS: Readonly<Record<Operation, (scope: RouteScope) => Code[]>> = {
  create: createHandler,
  read: readHandler,
  update: updateHandler,
  patch: updateHandler,
  delete: deleteHandler,
  list: listHandler,
  identify: identifyHandler,
}

const callerLine = ({ authenticated }: RouteScope) => (authenticated ? ['const { caller } = c.var'] : [])

const run = ({ caller }: RouteScope, hook: string, ...values: readonly string[]) =>
  code`await ${call(`hooks.${hook}.run`, 'env', ...values, caller)}`

/** The check that comes before hooks, so that none runs for a caller without access. */
const requireAccess = ({ caller }: RouteScope, kind: 'Readable' | 'Writable', id: string) =>
  `await access.require${kind}(${id}, ${caller})`

/** The queries that are limited to what the caller has access to. */
const datastoreFor = (datastore: string, access: LimitedAccess | undefined) =>
  access === undefined ? datastore : `${datastore}.as(caller)`

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

/** Takes what only hooks see out of what was sent: the rest is stored. */
function clientLines({ entity, key }: RouteScope, sent: 'request' | 'sent'): Code[] {
  const dropped = clientAttributes(entity)
  if (dropped.length === 0) return []
  // In a struct with an attribute `parentId`, `_parentId` is the id of the parent.
  const unused = (name: string) => (`_${name}` === key ? `_${name}_` : `_${name}`)
  const items = [
    ...dropped.map(({ names: { declared } }) => `${declared}: ${unused(declared)}`),
    '...attributes',
  ]
  return [
    code`const ${{ open: '{', items, close: '}', padding: ' ', trailing: '', expanded: false }} = ${sent}`,
  ]
}

/** The values that are stored of what was sent. */
const storedMembers = ({ entity }: RouteScope, sent: 'request' | 'sent') =>
  clientAttributes(entity).length === 0 ? `...${sent}` : '...attributes'

/** The versions that a request accepts, as an expression; none without `#versioned`. */
const acceptedVersions = ({ entity, value }: RouteScope) =>
  entity.version === undefined
    ? []
    : [`${value(VERSIONS, entity.version === 'required' ? 'requireMatch' : 'ifMatch')}(c)`]

/** The argument that limits a write to these versions. It comes after that of the owner. */
const versionArgument = ({ entity }: RouteScope) => (entity.version === undefined ? [] : ['versions'])

/** The header with the version of an entity, as a member of the headers. */
const versionHeader = ({ entity, value }: RouteScope, name: string) =>
  entity.version === undefined ? [] : [`...${value(VERSIONS, 'tagOf')}(${name})`]

/** A write, and what becomes of the violations that it may cause. */
function write(
  access: LimitedAccess | undefined,
  name: string,
  values: readonly string[],
  handlers: readonly Code[],
): Code {
  if (handlers.length === 0) return call(`${datastoreFor('env.datastore', access)}.${name}`, ...values)
  const limits = access === undefined ? [] : ['.as(caller)']
  return { ...chain('env.datastore', ...limits, call(`.${name}`, ...values), ...handlers), expanded: true }
}

function createHandler(scope: RouteScope): Code[] {
  const statements = createStatements(scope)
  if (!scope.service.idempotent) return statements
  const withKey = scope.value('#lib/idempotency.ts', 'withKey')
  return [code`return ${call(withKey, 'c', 'env', block('async (env) =>', statements))}`]
}

function createStatements(scope: RouteScope): Code[] {
  const { entity, struct, names, file, value, service, authenticated, writers, key } = scope
  const declared = entity.names.declared
  const type = file.type('entities.ts', names.create)
  const id =
    service.storesUsers && struct === undefined
      ? 'id: caller.id'
      : `id: ${value('node:crypto', 'randomUUIDv7')}()`
  const zeros = hookAttributes(entity).map(
    (attribute) => `${attribute.names.declared}: ${initialValue(file, attribute)}`,
  )
  const input = object([id, ...(key === undefined ? [] : [key]), storedMembers(scope, 'request'), ...zeros])
  const hasInput = struct !== undefined || writtenAttributes(entity).length > 0
  const owned = struct === undefined && authenticated ? ['caller'] : []
  const references = referenceCheck(scope, false)
  const statement = write(
    struct === undefined ? undefined : writers,
    `create${declared}`,
    [...(hasInput ? ['input'] : []), ...owned],
    onViolation(scope),
  )
  const early =
    key === undefined
      ? roleCheck(scope)
      : [
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
    "const request = c.req.valid('json')",
    ...initialStates(scope),
    ...clientLines(scope, 'request'),
    ...early,
    ...references,
    code`const created = await ${withHooks(scope, 'Create', [
      code`const input: ${type} = ${input}`,
      run(scope, 'beforeCreate', 'request', 'input'),
      ...created,
      run(scope, 'afterCreate', 'created'),
      'return created',
    ])}`,
    code`return ${call('c.json', `${file.value('entities.ts', names.toPublic)}(created)`, '201', braces([`Location: ${location}`, ...versionHeader(scope, 'created')]))}`,
  ]
}

/** A new entity has the first value of attributes with `@transitions`. */
function initialStates({ entity, value }: RouteScope): Code[] {
  return stateAttributes(entity)
    .filter(({ inRequest }) => inRequest)
    .map(({ names: { declared }, type: { transitions } }) => {
      const invalid = call(
        value(ERRORS, 'invalidParameter'),
        `'${declared}'`,
        `'must be ${transitions.initial}'`,
      )
      return code`if (request.${declared} !== '${transitions.initial}') throw ${invalid}`
    })
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
    code`const found = await ${call(`${datastoreFor('datastore', readers)}.read${declared}`, 'input')}`,
    key === undefined
      ? `if (found === undefined) ${missing}`
      : block('if (found === undefined)', [requireAccess(scope, 'Readable', parent), missing]),
    run(scope, 'afterRead', 'found'),
    ...(entity.version === undefined
      ? [`return c.json(${file.value('entities.ts', names.toPublic)}(found))`]
      : [
          `if (${value(VERSIONS, 'isNotModified')}(c, found)) return c.body(null, 304, ${value(VERSIONS, 'tagOf')}(found))`,
          `return c.json(${file.value('entities.ts', names.toPublic)}(found), 200, ${value(VERSIONS, 'tagOf')}(found))`,
        ]),
  ]
}

/** What follows a write that found nothing. */
function explainMissing(scope: RouteScope, result: string): Code {
  const { entity, value, key, service } = scope
  const missing = `throw ${value(ERRORS, 'notFound')}('${entity.names.declared}', input.id)`
  if (entity.version !== undefined) {
    const name = entity.names.declared
    // Access to an entry is that to its parent.
    const found = key === undefined ? 'versions' : 'found'
    return block(`if (${result} === undefined)`, [
      `await env.access.requireWritable(input.${key ?? 'id'}, ${scope.caller})`,
      ...(key === undefined ? [] : [`const found = versions && (await env.datastore.read${name}(input))`]),
      `if (${found} !== undefined) throw ${value(VERSIONS, 'hasChanged')}('${name}')`,
      missing,
    ])
  }
  if (key === undefined && isSameAccess(service.readable, service.writable))
    return `if (${result} === undefined) ${missing}`
  return block(`if (${result} === undefined)`, [
    `await env.access.requireWritable(input.${key ?? 'id'}, ${scope.caller})`,
    missing,
  ])
}

/** PUT and PATCH differ in what a request must contain. */
function updateHandler(scope: RouteScope): Code[] {
  const { entity, names, file, value, authenticated } = scope
  const values = ["c.req.valid('param')", "c.req.valid('json')", ...(authenticated ? ['c.var.caller'] : [])]
  if (entity.version === undefined) return [code`return c.json(await ${call('update', ...values)})`]
  return [
    code`const updated = await ${call('update', ...values, ...acceptedVersions(scope))}`,
    `return c.json(${file.value('entities.ts', names.toPublic)}(updated), 200, ${value(VERSIONS, 'tagOf')}(updated))`,
  ]
}

/** The complete request, for hooks that are called before an update. */
function requestForHooks(scope: RouteScope, requireWritable: Code): Code[] {
  const { entity, names, file, service, writers } = scope
  const declared = entity.names.declared
  // Then the update only reads, which other callers may.
  const mayOnlyRead =
    changesWithEachUpdate(entity) &&
    writers !== undefined &&
    !isSameAccess(service.readable, service.writable)
  const sent = storedMembers(scope, 'sent').slice('...'.length)
  return [
    `let request: ${file.type('entities.ts', names.updateRequest)} | undefined`,
    code`${block('if (hooks.beforeUpdate.isUsed())', [
      requireWritable,
      code`request = ${completeRequest(scope, hanging('() =>', `datastore.read${declared}(lookup)`))}`,
    ])}${mayOnlyRead ? code` else if (Object.keys(${sent}).length === 0) ${requireWritable}` : ''}`,
  ]
}

/** The function that stores what an update sends, and returns what clients see; none without an update. */
export function updateFunction(scope: RouteScope): Code[] {
  const { entity, names, file, writers, key, authenticated } = scope
  if (!hasOperation(entity, 'update')) return []
  const declared = entity.names.declared
  const references = referenceCheck(scope, true)
  const parameters = [
    `lookup: ${lookupType(scope)}`,
    `sent: Partial<${file.type('entities.ts', names.request)}>`,
    ...(authenticated ? [`caller: ${file.type('#lib/tokens.ts', 'Caller')}`] : []),
    ...(entity.version === undefined ? [] : [`versions: ${file.type(VERSIONS, 'Versions')}`]),
  ]
  const require = requireAccess(scope, 'Writable', `lookup.${key ?? 'id'}`)
  const run_ = run(scope, 'beforeUpdate', 'request', 'input')
  const hasReferences = references.length > 0
  return [
    block(code`async ${list('function update(', parameters, ')')}`, [
      ...clientLines(scope, 'sent'),
      ...(hasReferences ? [require, ...references] : requestForHooks(scope, require)),
      code`${entity.version === undefined ? 'const updated = await' : 'return'} ${withHooks(scope, 'Update', [
        code`const input: ${file.type('entities.ts', names.update)} = ${braces(['...lookup', storedMembers(scope, 'sent')])}`,
        hasReferences ? run_ : code`if (request !== undefined) ${run_}`,
        code`const updated = await ${write(writers, `update${declared}`, ['input', ...versionArgument(scope)], onViolation(scope))}`,
        explainMissing(scope, 'updated'),
        run(scope, 'afterUpdate', 'updated'),
        'return updated',
      ])}`,
      ...(entity.version === undefined
        ? [`return ${file.value('entities.ts', names.toPublic)}(updated)`]
        : []),
    ]),
    '',
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
            call(value(ERRORS, 'conflict'), `'${stillReferencedText(declared)}'`),
          ),
        ]
  return [
    ...callerLine(scope),
    "const lookup = c.req.valid('param')",
    ...acceptedVersions(scope).map((versions) => `const versions = ${versions}`),
    `if (hooks.beforeDelete.isUsed()) ${requireAccess(scope, 'Writable', key === undefined ? 'lookup.id' : `lookup.${key}`)}`,
    code`await ${withHooks(scope, 'Delete', [
      'const input = { ...lookup }',
      run(scope, 'beforeDelete', 'input'),
      code`const deleted = await ${write(writers, `delete${declared}`, ['input', ...versionArgument(scope)], violation)}`,
      explainMissing(scope, 'deleted'),
      run(scope, 'afterDelete', 'deleted'),
    ])}`,
    'return c.json({})',
  ]
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
  const datastore = datastoreFor('datastore', key === undefined ? readers : undefined)
  const batches = call(`${datastore}.batchesOf${declared}`, 'input')
  const toPublic = file.value('entities.ts', names.toPublic)
  return [
    ...callerLine(scope),
    ...input,
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
    code`const found = await ${call(`${datastoreFor('datastore', readers)}.read${declared}`, 'input')}`,
    `if (found?.id !== caller.id) throw ${value(ERRORS, 'notFound')}('${declared}', caller.id)`,
    run(scope, 'afterIdentify', 'found'),
    `return c.redirect(\`${service.path}/\${found.id}\`)`,
  ]
}
