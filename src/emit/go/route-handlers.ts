import { type Access, isSameAccess } from '../../access.ts'
import { hookAttributes, stateAttributes, storedAttributes } from '../../model/entities.ts'
import { stillReferencedText } from '../../model/error-texts.ts'
import type { Operation } from '../../model/platform.ts'
import { constraintName } from '../database/identifiers.ts'
import { enumOf, initialValue } from './attributes.ts'
import { changesNothing, onlyReadsWithoutChanges } from './entity.ts'
import { block, call, indented, literal, quoted } from './layout.ts'
import { listType } from './query-lists.ts'
import { referenceCheck } from './route-references.ts'
import { check, fieldOf, returned, type RouteScope } from './route-scope.ts'
import { datastoreFor } from './scope.ts'

/** Emits the handler of each operation, as statements. */
export const HANDLERS: Readonly<Record<Operation, (scope: RouteScope) => string[]>> = {
  create: createHandler,
  read: readHandler,
  update: updateHandler,
  patch: updateHandler,
  delete: deleteHandler,
  list: listHandler,
  identify: identifyHandler,
}

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
    `err = env.Datastore.db.WithHooks(ctx, &hooks.Before${operation}, &hooks.After${operation}, func(ctx context.Context) ${result} {`,
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
  const isUser = service.storesUsers && struct === undefined
  const entries: (readonly [string, string])[] = [
    ['ID', isUser ? 'caller.ID' : `${platform_}.NewID()`],
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
  const failed =
    struct === undefined
      ? returned
      : explained(
          scope,
          'env.RequireWritable(ctx, input.ParentID, caller)',
          quoted(service.names.declared),
          'input.ParentID',
        )
  const read = [
    begin(scope),
    ...(struct === undefined ? [] : lookup(scope, 'lookup')),
    ...(service.idempotent ? [`key, err := ${platform_}.ReadKey(r)`, returned] : []),
    `request, err := ${platform_}.ReadRequest(r, read${names.request})`,
    returned,
    ...initialStates(scope),
  ]
  const run = [
    ...(struct === undefined
      ? roleCheck(scope)
      : [early('Writable', parent, references.length > 0 ? undefined : 'BeforeCreate')]),
    ...references,
    `var created ${names.type}`,
    ...write(
      'Create',
      [
        `input := ${literal(names.type, entries)}`,
        ...(isUser ? [] : ['id := input.ID']),
        check('hooks.BeforeCreate.Run(ctx, env, request, &input, caller)'),
        ...(isUser ? [] : ['input.ID = id']),
        `created, err = ${datastore}.Create${names.type}(ctx, input${owner})`,
        ...violations(scope, 'create'),
        failed,
        'return hooks.AfterCreate.Run(ctx, env, &created, caller)',
      ],
      '(err error)',
    ),
    ...setVersion(scope, 'created'),
    `return ${call(`${platform_}.Created`, ['w', '&created', ...location])}`,
  ]
  if (!service.idempotent) return [...read, ...run]
  return [
    ...read,
    'return key.Run(ctx, w, env.DB, env.Conflicts, func(ctx context.Context, w http.ResponseWriter) (err error) {',
    ...indented(run),
    '})',
  ]
}

/** A new entity has the first value of attributes with `@transitions`. */
function initialStates(scope: RouteScope): string[] {
  const { entity, names, platform_ } = scope
  return stateAttributes(entity)
    .filter(({ inRequest }) => inRequest)
    .map((attribute) => {
      const { names: own, type } = attribute
      const { initial } = type.transitions
      const word = enumOf(own.declared, names.enums).constants[type.values.indexOf(initial)] ?? ''
      return block(`if request.${fieldOf(scope, attribute)} != ${word}`, [
        `return ${platform_}.InvalidParameter(${quoted(own.declared)}, ${quoted(`must be ${initial}`)})`,
      ])
    })
}

/** Creating needs one of the roles where the creator is not among those who may write. */
function roleCheck({ service: { writable } }: RouteScope): string[] {
  if (writable === 'all' || writable.creator) return []
  return [check(`caller.RequireRole(${writable.roles.map((role) => `"${role}"`).join(', ')})`)]
}

/** Reads the versions that a request accepts; nothing without `#versioned`. */
function acceptedVersions({ entity: { version }, platform_ }: RouteScope): string[] {
  if (version === undefined) return []
  return version === 'required'
    ? [`versions, err := ${platform_}.RequireMatch(r)`, returned]
    : [`versions := ${platform_}.IfMatch(r)`]
}

/** Sets the header with the version of an entity. */
const setVersion = ({ entity: { version }, platform_ }: RouteScope, name: string) =>
  version === undefined ? [] : [`${platform_}.SetVersion(w, ${name}.Version)`]

/** The argument of a write that limits it to these versions. */
const versionArgument = ({ entity: { version } }: RouteScope) =>
  version === undefined ? '' : ', versions...'

/** Returns the error of a statement, which found nothing if the caller has no access, or else if there is no entity. */
function explained({ platform_ }: RouteScope, access: string, declared: string, id: string): string {
  const start = `return ${platform_}.OrNotFound(err, ${declared}, ${id}, func() error {`
  const flat = `${start} return ${access} })`
  const lines = flat.length <= 108 ? [flat] : [start, `\treturn ${access}`, '})']
  return block('if err != nil', lines)
}

/** Returns the error of a write. `id` is the expression of what identifies the entity. */
function afterWrite(scope: RouteScope, id: string): string {
  const { entity, struct, names, service, platform_, declared } = scope
  const isSame = struct === undefined && isSameAccess(service.readable, service.writable)
  if (isSame && entity.version === undefined)
    return block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, input.ID)`])
  const key = struct === undefined ? 'input.ID' : 'input.ParentID'
  const access = `env.RequireWritable(ctx, ${key}, caller)`
  if (entity.version === undefined) return explained(scope, access, declared, 'input.ID')
  // Access to an entry is that to its parent.
  const exists =
    struct === undefined
      ? []
      : [
          `_, err := env.Datastore.Read${names.type}(ctx, ${id})`,
          block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, input.ID)`]),
        ]
  return block('if err != nil', [
    `return ${platform_}.OrNotFound(err, ${declared}, input.ID, func() error {`,
    ...indented([check(access), ...exists, `return ${platform_}.Changed(${declared}, versions)`]),
    '})',
  ])
}

/** Turns violations of foreign keys, which a concurrent deletion causes, into the error of the check. */
function violations(scope: RouteScope, operation: 'create' | 'update'): string[] {
  const { entity, platform_ } = scope
  return storedAttributes(entity).flatMap((attribute) => {
    const { names, type, inRequest, optional } = attribute
    if (type.kind !== 'sibling' || !inRequest) return []
    const field = `input.${fieldOf(scope, attribute)}`
    const id =
      operation === 'create' ? `${optional ? '' : '&'}${field}` : optional ? `${field}.Value()` : field
    const unknown = `${platform_}.UnknownReference(${quoted(type.target.declared)}, ${id})`
    return [
      `err = ${call(`${platform_}.OnViolation`, ['err', unknown, quoted(constraintName(entity.table, [names.snake], 'fkey'))], 2)}`,
    ]
  })
}

function readHandler(scope: RouteScope): string[] {
  const { entity, struct, names, service, platform_, declared } = scope
  const key = struct === undefined ? 'input.ID' : 'input.ParentID'
  const datastore = datastoreFor(service.readable)
  const failed =
    struct === undefined
      ? block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, input.ID)`])
      : explained(scope, 'env.RequireReadable(ctx, input.ParentID, caller)', declared, 'input.ID')
  return [
    begin(scope),
    ...lookup(scope, 'input'),
    block(`if ${isUsed('BeforeRead')}`, [
      check(`env.RequireReadable(ctx, ${key}, caller)`),
      check('hooks.BeforeRead.Run(ctx, env, &input, caller)'),
    ]),
    `found, err := ${datastore}.Read${names.type}(ctx, input)`,
    failed,
    check('hooks.AfterRead.Run(ctx, env, &found, caller)'),
    ...(entity.version === undefined
      ? []
      : [block(`if ${platform_}.NotModified(w, r, found.Version)`, ['return nil'])]),
    `return ${platform_}.JSON(w, http.StatusOK, &found)`,
  ]
}

/** PUT and PATCH: the body tells which of them it is. */
function updateHandler(scope: RouteScope): string[] {
  const { entity, struct, names, service, platform_, file } = scope
  file.use('context')
  const references = referenceCheck(scope, true)
  const key = struct === undefined ? 'lookup.ID' : 'lookup.ParentID'
  const require = check(`env.RequireWritable(ctx, ${key}, caller)`)
  const mayOnlyRead =
    onlyReadsWithoutChanges(entity) &&
    service.writable !== 'all' &&
    !isSameAccess(service.readable, service.writable)
  return [
    begin(scope),
    ...lookup(scope, 'lookup'),
    `body, request, err := ${platform_}.ReadUpdate(r, read${names.updateRequest})`,
    returned,
    ...acceptedVersions(scope),
    ...(references.length > 0
      ? [require, ...references]
      : [
          block(
            `if ${isUsed('BeforeUpdate')}${mayOnlyRead ? ` || ${changesNothing(names, 'request.changes(lookup, body)', 'lookup')}` : ''}`,
            [require, ...completed(scope)],
          ),
        ]),
    `var updated ${names.type}`,
    ...write(
      'Update',
      [
        'input := request.changes(lookup, body)',
        check('hooks.BeforeUpdate.Run(ctx, env, request, &input, caller)'),
        `updated, err = ${datastoreFor(service.writable)}.Update${names.type}(ctx, input${versionArgument(scope)})`,
        ...violations(scope, 'update'),
        afterWrite(scope, `input.${names.id}`),
        'return hooks.AfterUpdate.Run(ctx, env, &updated, caller)',
      ],
      '(err error)',
    ),
    ...setVersion(scope, 'updated'),
    `return ${platform_}.JSON(w, http.StatusOK, &updated)`,
  ]
}

/** Makes the request complete for hooks, which needs what is stored only for a patch. */
function completed({ names, platform_, declared }: RouteScope): string[] {
  return [
    block('if body.IsPatch()', [
      `stored, err := env.Datastore.Read${names.type}(ctx, lookup)`,
      block('if err != nil', [`return ${platform_}.OrNotFound(err, ${declared}, lookup.ID)`]),
      'request.complete(body, &stored)',
    ]),
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
    ...acceptedVersions(scope),
    early('Writable', key, 'BeforeDelete'),
    ...write(
      'Delete',
      [
        'input := lookup',
        check('hooks.BeforeDelete.Run(ctx, env, &input, caller)'),
        `err := ${datastoreFor(service.writable)}.Delete${names.type}(ctx, input${versionArgument(scope)})`,
        ...(keys.length === 0
          ? []
          : [`err = ${call(`${platform_}.OnViolation`, ['err', conflict, ...keys.map(quoted)], 2)}`]),
        afterWrite(scope, 'input'),
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
