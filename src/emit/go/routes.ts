import { isSameAccess, type Access } from '../../access.ts'
import {
  checksReferences,
  hasOperation,
  hookAttributes,
  requestReferences,
  storedAttributes,
} from '../../model/entities.ts'
import { stillReferencedText } from '../../model/error-texts.ts'
import type { Attribute, AttributeType, Endpoint, Operation } from '../../model/platform.ts'
import { constraintName } from '../database/identifiers.ts'
import { initialValue } from './attributes.ts'
import { goFile, type GoFile } from './go-file.ts'
import { block, call, func, indented, literal, quoted } from './layout.ts'
import { exported } from './names.ts'
import { listType } from './queries.ts'
import { datastoreFor, type EntityScope, type ServiceScope } from './scope.ts'

/** What the functions that emit the endpoints of an entity share. */
interface RouteScope extends ServiceScope, EntityScope {
  readonly file: GoFile
  readonly platform_: string
  /** The name of the entity as a literal. */
  readonly declared: string
}

const HANDLERS: Readonly<Record<Operation, (scope: RouteScope) => string[]>> = {
  create: createHandler,
  read: readHandler,
  update: updateHandler,
  delete: deleteHandler,
  list: listHandler,
  identify: identifyHandler,
}

/** `<entity>_routes.go`: the endpoints of an entity. */
export function routesFile(service: ServiceScope, own: EntityScope): string {
  const file = goFile(service.module, 'main')
  const platform_ = file.internal('platform')
  const scope: RouteScope = {
    ...service,
    ...own,
    file,
    platform_,
    declared: quoted(own.entity.names.declared),
  }
  const { entity, names } = own
  const http = file.use('net/http')
  const handlers = entity.endpoints.map(({ operation }) =>
    func(
      {
        receiver: 'env *Env',
        name: handlerName(operation, names.type),
        parameters: [`w ${http}.ResponseWriter`, `r *${http}.Request`],
        result: 'error',
      },
      HANDLERS[operation](scope),
    ),
  )
  return file.text([
    `// add${names.type}Routes adds the endpoints of ${entity.names.declared}.\n${func(
      { receiver: 'env *Env', name: `add${names.type}Routes`, parameters: [`router *${platform_}.Router`] },
      entity.endpoints
        .toSorted((a, b) => Number(b.operation === 'list') - Number(a.operation === 'list'))
        .flatMap((endpoint) => registrations(scope, endpoint)),
    )}`,
    ...(own.struct === undefined || entity.endpoints.length === 0 ? [] : [pathFunction(scope)]),
    ...handlers,
  ])
}

const handlerName = (operation: Operation, type: string) => `${operation}${type}`

/** The path of an endpoint in the form of Go: `/home/{parentId}/photo/{id}`. */
export function goPath(path: string): string {
  return path.replace('/api', '').replace('{parent-id}', '{parentId}')
}

function registrations({ names, entity }: RouteScope, { operation, method, paths }: Endpoint): string[] {
  const handler = `env.${handlerName(operation, names.type)}`
  return paths.map((path, index) =>
    operation === 'list' && index === paths.length - 1 && hasOperation(entity, 'update', 'delete')
      ? `router.HandleList("${goPath(path)}", ${handler})`
      : `router.Handle("${method} ${goPath(path)}", ${handler})`,
  )
}

/** What reads the ids in the path of an entry. */
function pathFunction({ names, file, platform_ }: RouteScope): string {
  const http = file.use('net/http')
  const head = {
    name: `pathOf${names.type}`,
    parameters: [`r *${http}.Request`],
    result: `(input ${names.id}, err error)`,
  }
  return func(head, [
    block(`if input.ParentID, err = ${platform_}.PathID(r, "parentId"); err != nil`, ['return input, err']),
    '// A list has two paths, of which one has an id that is ignored.',
    block('if r.PathValue("id") != ""', [`input.ID, err = ${platform_}.PathID(r, "id")`]),
    'return input, err',
  ])
}

const check = (expression: string) => block(`if err := ${expression}; err != nil`, ['return err'])
const returned = block('if err != nil', ['return err'])

/** The first line of every handler. */
function begin({ platform_, struct, names }: RouteScope): string {
  const hooks = struct === undefined ? 'env.Hooks' : `&env.Hooks.${names.hooksField}`
  return `ctx, caller, hooks := r.Context(), ${platform_}.CallerOf(r.Context()), ${hooks}`
}

/** Reads the ids in the path. */
function lookup({ struct, names, platform_ }: RouteScope, name: string): string[] {
  return struct === undefined
    ? [`id, err := ${platform_}.PathID(r, "id")`, returned, `${name} := ${names.id}{ID: id}`]
    : [`${name}, err := pathOf${names.type}(r)`, returned]
}

const isUsed = (...kinds: readonly string[]) => kinds.map((kind) => `hooks.${kind}.IsUsed()`).join(' || ')

function fieldOf({ names }: EntityScope, { names: { declared } }: Attribute): string {
  return names.fields.get(declared) ?? exported(declared)
}

/** The check that comes before hooks, so that none runs for a caller without access. */
function early(kind: 'Readable' | 'Writable', id: string, hook: string | undefined): string {
  const required = check(`env.Require${kind}(ctx, ${id}, caller)`)
  return hook === undefined ? required : block(`if ${isUsed(hook)}`, [required])
}

/** Runs a write in a transaction with its hooks, if there are any. */
function write(
  operation: 'Create' | 'Update' | 'Delete',
  lines: readonly string[],
  result: string,
): string[] {
  return [
    `hasHooks := ${isUsed(`Before${operation}`, `After${operation}`)}`,
    `err = env.write(ctx, hasHooks, func(ctx context.Context) ${result} {`,
    ...indented(lines),
    '})',
    returned,
  ]
}

function createHandler(scope: RouteScope): string[] {
  const { entity, struct, names, service, platform_, file, authenticated } = scope
  file.use('context')
  const parent = 'lookup.ParentID'
  const references = referenceCheck(scope, false)
  const entries: (readonly [string, string])[] = [
    ['ID', service.storesUsers && struct === undefined ? 'caller.ID' : `${platform_}.NewID()`],
    ...(struct === undefined ? [] : [['ParentID', parent] as const]),
    ...storedAttributes(entity)
      .filter(({ inRequest }) => inRequest)
      .map((attribute) => [fieldOf(scope, attribute), `request.${fieldOf(scope, attribute)}`] as const),
    ...hookAttributes(entity).flatMap((attribute) => {
      const value = initialValue(file, attribute, names)
      return value === undefined ? [] : [[fieldOf(scope, attribute), value] as const]
    }),
  ]
  const owner = struct === undefined && authenticated ? ', caller.ID' : ''
  const datastore = struct === undefined ? 'env.Datastore' : datastoreFor(service.writable)
  const paths = service.path.slice('/api/'.length)
  const location =
    struct === undefined
      ? [`"${paths}"`, 'created.ID.String()']
      : [`"${paths}"`, 'created.ParentID.String()', `"${entity.names.kebab}"`, 'created.ID.String()']
  const missing =
    struct === undefined
      ? []
      : [
          explained(
            scope,
            'env.RequireWritable(ctx, input.ParentID, caller)',
            `${platform_}.NotFound(${quoted(service.names.declared)}, input.ParentID)`,
          ),
        ]
  return [
    begin(scope),
    ...(struct === undefined ? [] : lookup(scope, 'lookup')),
    `request, err := read${names.request}(r)`,
    returned,
    ...(struct === undefined
      ? roleCheck(scope)
      : [early('Writable', parent, references.length > 0 ? undefined : 'BeforeCreate')]),
    ...references,
    `var created ${names.type}`,
    ...write(
      'Create',
      [
        `input := ${literal(names.type, entries)}`,
        check('hooks.BeforeCreate.Run(ctx, env, request, &input, caller)'),
        `created, err = ${datastore}.Create${names.type}(ctx, input${owner})`,
        ...missing,
        ...violations(scope),
        returned,
        'return hooks.AfterCreate.Run(ctx, env, &created, caller)',
      ],
      '(err error)',
    ),
    `return ${call(`${platform_}.Created`, ['w', '&created', ...location])}`,
  ]
}

/** Creating needs one of the roles where the creator is not among those who may write. */
function roleCheck({ service: { writable } }: RouteScope): string[] {
  if (writable === 'all' || writable.creator) return []
  return [check(`caller.RequireRole(${writable.roles.map((role) => `"${role}"`).join(', ')})`)]
}

/** Explains why a statement has found nothing. */
function explained({ file, platform_ }: RouteScope, access: string, notFound: string): string {
  return block(`if ${file.use('errors')}.Is(err, ${platform_}.ErrNotFound)`, [
    `return ${call(`${platform_}.FirstError`, [access, notFound], 3)}`,
  ])
}

/** What follows a write that found nothing. */
function afterWrite(scope: RouteScope, isRelevant: boolean): string {
  const { struct, service, platform_, declared } = scope
  const isSame = struct === undefined && isSameAccess(service.readable, service.writable)
  const notFound = `${platform_}.NotFound(${declared}, input.ID)`
  if (isSame) return block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, input.ID)`])
  const key = struct === undefined ? 'input.ID' : 'input.ParentID'
  const parts = [explained(scope, `env.RequireWritable(ctx, ${key}, caller)`, notFound)]
  return [...parts, ...(isRelevant ? [returned] : [])].join('\n')
}

/** Turns violations of foreign keys, which a concurrent deletion causes, into the error of the check. */
function violations(scope: RouteScope): string[] {
  const { entity, platform_ } = scope
  return storedAttributes(entity).flatMap((attribute) => {
    const { names, type, inRequest, optional } = attribute
    if (type.kind !== 'sibling' || !inRequest) return []
    const id = `${optional ? '' : '&'}input.${fieldOf(scope, attribute)}`
    const unknown = `${platform_}.UnknownReference(${quoted(type.target.declared)}, ${id})`
    return [
      `err = ${call(`${platform_}.OnViolation`, ['err', unknown, quoted(constraintName(entity.table, [names.snake], 'fkey'))], 2)}`,
    ]
  })
}

function readHandler(scope: RouteScope): string[] {
  const { struct, names, service, platform_, declared } = scope
  const key = struct === undefined ? 'input.ID' : 'input.ParentID'
  const datastore = datastoreFor(service.readable)
  const missing =
    struct === undefined
      ? [block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, input.ID)`])]
      : [
          explained(
            scope,
            `env.RequireReadable(ctx, input.ParentID, caller)`,
            `${platform_}.NotFound(${declared}, input.ID)`,
          ),
          returned,
        ]
  return [
    begin(scope),
    ...lookup(scope, 'input'),
    block(`if ${isUsed('BeforeRead')}`, [
      check(`env.RequireReadable(ctx, ${key}, caller)`),
      check('hooks.BeforeRead.Run(ctx, env, &input, caller)'),
    ]),
    `found, err := ${datastore}.Read${names.type}(ctx, input)`,
    ...missing,
    check('hooks.AfterRead.Run(ctx, env, &found, caller)'),
    `return ${platform_}.JSON(w, http.StatusOK, &found)`,
  ]
}

function updateHandler(scope: RouteScope): string[] {
  const { struct, names, service, platform_, file } = scope
  file.use('context')
  const references = referenceCheck(scope, true)
  const key = struct === undefined ? 'lookup.ID' : 'lookup.ParentID'
  return [
    begin(scope),
    ...lookup(scope, 'lookup'),
    `request, err := read${names.request}(r)`,
    returned,
    early('Writable', key, references.length > 0 ? undefined : 'BeforeUpdate'),
    ...references,
    `var updated ${names.type}`,
    ...write(
      'Update',
      [
        `input := ${names.update}{${names.id}: lookup, ${names.request}: request}`,
        check('hooks.BeforeUpdate.Run(ctx, env, request, &input, caller)'),
        `updated, err = ${datastoreFor(service.writable)}.Update${names.type}(ctx, input)`,
        ...violations(scope),
        afterWrite(scope, true),
        'return hooks.AfterUpdate.Run(ctx, env, &updated, caller)',
      ],
      '(err error)',
    ),
    `return ${platform_}.JSON(w, http.StatusOK, &updated)`,
  ]
}

function deleteHandler(scope: RouteScope): string[] {
  const { entity, struct, names, service, platform_, file } = scope
  file.use('context')
  const key = struct === undefined ? 'lookup.ID' : 'lookup.ParentID'
  const keys = struct?.referenced === true ? referencingKeys(scope) : []
  const conflict = `${platform_}.Conflict(${quoted(stillReferencedText(entity.names.declared))})`
  return [
    begin(scope),
    ...lookup(scope, 'lookup'),
    early('Writable', key, 'BeforeDelete'),
    ...write(
      'Delete',
      [
        'input := lookup',
        check('hooks.BeforeDelete.Run(ctx, env, &input, caller)'),
        `err := ${datastoreFor(service.writable)}.Delete${names.type}(ctx, input)`,
        ...(keys.length === 0
          ? []
          : [`err = ${call(`${platform_}.OnViolation`, ['err', conflict, ...keys.map(quoted)], 2)}`]),
        afterWrite(scope, true),
        'return hooks.AfterDelete.Run(ctx, env, input, caller)',
      ],
      'error',
    ),
    `return ${platform_}.JSON(w, http.StatusOK, struct{}{})`,
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

function listHandler(scope: RouteScope): string[] {
  const { entity, struct, names, service, platform_, file } = scope
  const readers: Access = struct === undefined ? service.readable : 'all'
  const page = entity.criteria === undefined ? `${platform_}.PageOf(r)` : `read${names.query}(r)`
  const plain = struct !== undefined && entity.criteria === undefined
  const input =
    struct === undefined
      ? [`input, err := ${page}`, returned]
      : [
          ...lookup(scope, 'lookup'),
          `${plain ? 'page' : 'input'}, err := ${page}`,
          returned,
          ...(plain
            ? [`input := ${listType(file, scope)}{Page: page, ParentID: lookup.ParentID}`]
            : ['input.ParentID = lookup.ParentID']),
          early('Readable', 'lookup.ParentID', undefined),
        ]
  const moved =
    struct === undefined
      ? []
      : [block('if input.ParentID != lookup.ParentID', [early('Readable', 'input.ParentID', undefined)])]
  return [
    begin(scope),
    ...input,
    check('hooks.BeforeList.Run(ctx, env, &input, caller)'),
    ...moved,
    `list, err := ${datastoreFor(readers)}.read${names.type}List(ctx, input)`,
    returned,
    check(`${platform_}.RunAfterList(ctx, &hooks.AfterList, env, list, caller)`),
    `return list.Respond(w, r, ${quoted(entity.listKey)})`,
  ]
}

function identifyHandler(scope: RouteScope): string[] {
  const { names, service, platform_, declared } = scope
  return [
    begin(scope),
    `input := ${names.id}{ID: caller.ID}`,
    check('hooks.BeforeIdentify.Run(ctx, env, &input, caller)'),
    `found, err := ${datastoreFor(service.readable)}.Read${names.type}(ctx, input)`,
    block('if err == nil && found.ID != caller.ID', [`err = ${platform_}.ErrNotFound`]),
    block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, caller.ID)`]),
    check('hooks.AfterIdentify.Run(ctx, env, &found, caller)'),
    `return ${platform_}.Redirect(w, "${service.path.slice('/api/'.length)}", found.ID.String())`,
  ]
}

/** The check of the references in a request. An update compares those that are stored with the stored entity. */
function referenceCheck(scope: RouteScope, isUpdate: boolean): string[] {
  const { entity, names, platform_, service } = scope
  const references = requestReferences(entity)
  if (!checksReferences(entity)) return []
  const items = references.map((attribute) => {
    const field = fieldOf(scope, attribute)
    const pointer = attribute.optional ? '' : '&'
    const stored = isUpdate && attribute.stored ? `, Stored: ${pointer}stored.${field}` : ''
    return `${platform_}.Reference{To: ${target(attribute.type)}, ID: ${pointer}request.${field}${stored}}`
  })
  const compared =
    isUpdate && references.some(({ stored }) => stored)
      ? [
          `stored, err := env.Datastore.Read${names.type}(ctx, lookup)`,
          block('if err != nil', [`return ${platform_}.OrNotFound(err, ${scope.declared}, lookup.ID)`]),
        ]
      : []
  const hasOwn = references.some(({ type }) => type.kind === 'reference' && type.local)
  const [only = ''] = items
  const required =
    items.length === 1
      ? check(`${platform_}.RequireReferences(ctx, caller, ${only})`)
      : [
          `err = ${platform_}.RequireReferences(ctx, caller,`,
          ...indented(items.map((item) => `${item},`)),
          ')',
          returned,
        ].join('\n')
  return [
    ...compared,
    ...(hasOwn
      ? [`own := ${platform_}.OwnTarget(${quoted(service.names.declared)}, env.Datastore.findReadable)`]
      : []),
    ...siblingTargets(scope),
    required,
  ]
}

function target(type: AttributeType): string {
  if (type.kind === 'sibling') return `${type.target.camel}Entries`
  if (type.kind === 'reference')
    return type.local ? 'own' : `env.Comm.${exported(type.target.names.declared)}`
  return ''
}

function siblingTargets({ entity, entities, platform_, file }: RouteScope): string[] {
  const siblings = new Map(
    requestReferences(entity).flatMap(({ type }) =>
      type.kind === 'sibling' ? [[type.table, type.target] as const] : [],
    ),
  )
  return Array.from(siblings, ([table, names]) => {
    const sibling = entities.find((own) => own.entity.table === table)
    if (sibling === undefined) return ''
    file.use('context')
    const uuid = `${file.use('github.com/google/uuid')}.UUID`
    const { type, id } = sibling.names
    return [
      `${names.camel}Entries := ${platform_}.Entries(${quoted(names.declared)}, func(ctx context.Context, id ${uuid}) error {`,
      `\t_, err := env.Datastore.Read${type}(ctx, ${id}{ID: id, ParentID: lookup.ParentID})`,
      '\treturn err',
      '})',
    ].join('\n')
  })
}
