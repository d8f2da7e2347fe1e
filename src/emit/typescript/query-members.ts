import { hasWritable } from '../database/statements.ts'
import { changesWithEachUpdate, stateAttributes, writtenAttributes } from '../../model/entities.ts'
import { block, braces, call, type Code, code, hanging, list } from '../codegen/layout.ts'
import { lookupType } from './entities.ts'
import { parentKey } from './names.ts'
import { isLimitable, QUERIES, type QueriesScope } from './query-scope.ts'

/** The value that limits a query to the owner's entities. */
function ownerValues(scope: QueriesScope, access: 'read' | 'write'): string[] {
  if (!scope.canLimit[access]) return []
  return [access === 'read' ? '_owner: reader?.id' : '_owner: writer?.id']
}

/** What limits a write: the owner, and the versions that the entity may have, which are a parameter. */
function writeParameters(scope: QueriesScope): { parameter: Code[]; values: string[] } {
  const values = ownerValues(scope, 'write')
  if (scope.entity.version === undefined) return { parameter: [], values }
  return { parameter: ['versions?: readonly number[]'], values: [...values, '_versions: versions'] }
}

/** An asynchronous function. `parameters`: in parentheses. */
export function method(name: string, parameters: Code, result: string, statements: readonly Code[]): Code {
  return block(code`async ${name}${parameters}: Promise<${result}>`, statements)
}

/** Malformed ids find nothing. */
function requireIds({ struct, value }: QueriesScope): string {
  const isUuid = value('#lib/values.ts', 'isUuid')
  const parent = struct === undefined ? '' : ` || !${isUuid}(input.${parentKey(struct)})`
  return `if (!${isUuid}(input.id)${parent}) return undefined`
}

/** The function that creates an entity. */
export function createMember(scope: QueriesScope): Code {
  const { entity, struct, names, file, value, service, authenticated } = scope
  const type = () =>
    `Omit<${file.type('entities.ts', names.create)}, 'id'>${service.storesUsers && struct === undefined ? '' : ' & { id?: string }'}`
  const stored = file.type('entities.ts', names.stored)
  const newId = () => `id: ${value('node:crypto', 'randomUUIDv7')}()`
  const name = `create${entity.names.declared}`
  if (struct !== undefined) {
    const values = ownerValues(scope, 'write')
    const key = parentKey(struct)
    const execute = call(
      'insert().execute',
      braces([newId(), '...input', `_parent: input.${key}`, ...values]),
    )
    return code`/** Returns \`undefined\` without a parent. */
${method(name, list('(', [`input: ${type()}`], ')'), `${stored} | undefined`, [
  `if (!${value('#lib/values.ts', 'isUuid')}(input.${key})) return undefined`,
  code`const [created] = await ${execute}`,
  'return created',
])}`
  }
  // An entity without attributes takes no input.
  const inputs = writtenAttributes(entity).length > 0 ? [`input: ${type()}`] : []
  const spread = inputs.length > 0 ? ['...input'] : []
  const isLimited = isLimitable(scope)
  const owner = isLimited ? '(creator ?? owner).id' : 'owner.id'
  const values = service.storesUsers
    ? [...spread, `id: ${owner}`]
    : [newId(), ...spread, ...(authenticated ? [`_owner: ${owner}`] : [])]
  const parameters = [...inputs, ...(authenticated ? [`owner: ${file.type('#lib/limits.ts', 'Owner')}`] : [])]
  return method(name, list('(', parameters, ')'), stored, [
    // Creating needs one of the roles where the creator is not among those who may write.
    ...(isLimited && scope.writers?.creator === false
      ? [`if (writer !== undefined) throw ${value('#lib/errors.ts', 'forbidden')}()`]
      : []),
    code`return ${call(value(QUERIES, 'single'), code`await ${call('insert().execute', braces(values))}`)}`,
  ])
}

/** The function that reads an entity. */
export function readMember(scope: QueriesScope): Code {
  const { entity, struct, names, file } = scope
  const values = ownerValues(scope, 'read')
  const keys = [
    'id: input.id',
    ...(struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`]),
    ...values,
  ]
  const stored = file.type('entities.ts', names.stored)
  return method(
    `read${entity.names.declared}`,
    list('(', [`input: ${lookupType(scope)}`], ')'),
    `${stored} | undefined`,
    [
      requireIds(scope),
      code`const [found] = await ${call('select().execute', braces(keys))}`,
      'return found',
    ],
  )
}

/** The function that updates an entity. */
export function updateMember(scope: QueriesScope): Code {
  const { entity, struct, names, file, value } = scope
  const { parameter, values } = writeParameters(scope)
  const keys = ['id: input.id', ...(struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`])]
  const changed =
    writtenAttributes(entity).length === 0
      ? []
      : [code`...${call(value(QUERIES, 'changed'), 'attributes', 'input')}`]
  const isLimited = stateAttributes(entity).length > 0
  const all = isLimited ? ['...keys'] : [...keys, ...values]
  const update = call('update().execute', braces([...changed, ...all]))
  const input = file.type('entities.ts', names.update)
  // An update would set the time of the last change, or count a version.
  const read = call('select().execute', braces([...keys, ...ownerValues(scope, 'read')]))
  const reads = changesWithEachUpdate(entity) && changed.length > 0
  const isEmpty = () => call(value(QUERIES, 'isEmpty'), 'attributes', 'input')
  const readsAlone = () =>
    block(code`if (${isEmpty()})`, [
      code`const [found] = await ${read}`,
      entity.version === undefined
        ? 'return found'
        : 'return versions?.includes(found?._version ?? 0) === false ? undefined : found',
    ])
  const stored = hasWritable(scope.service, entity) ? 'writable' : 'select'
  const statements =
    entity.version === undefined && !isLimited
      ? [
          reads
            ? code`const [updated] = ${isEmpty()}
  ? await ${read}
  : await ${update}`
            : code`const [updated] = await ${update}`,
          'return updated',
        ]
      : [
          ...(reads ? [readsAlone()] : []),
          ...(isLimited
            ? [
                code`const keys = ${braces([...keys, ...values])}`,
                code`return ${call('states.update', 'input', hanging('() =>', update), `() => ${stored}().execute(keys)`)}`,
              ]
            : [code`const [updated] = await ${update}`, 'return updated']),
        ]
  return method(
    `update${entity.names.declared}`,
    list('(', [`input: ${input}`, ...parameter], ')'),
    `${names.stored} | undefined`,
    [requireIds(scope), ...statements],
  )
}

/** The function that deletes an entity. */
export function deleteMember(scope: QueriesScope): Code {
  const { entity, struct } = scope
  const { parameter, values } = writeParameters(scope)
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
