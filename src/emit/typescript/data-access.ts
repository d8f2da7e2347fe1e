import type { Entity } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { braces, type Code, call, code, hang, join, list, object } from '../kit/layout.ts'
import type { ServiceScope } from './access.ts'
import { setByHooks, stored } from './attributes.ts'
import { type EntityTypes, entityTypes, parentKey } from './names.ts'

/** `statements.ts`: the prepared statements of all entities. */
export function preparedFile({ service }: ServiceScope): string {
  const file = codeFile('statements.ts')
  const entities = [service.entity, ...service.structs]
  const imports = entities.map(
    ({ names }) => code`import * as ${names.camel}Statements from './statements/${names.kebab}.ts'`,
  )
  const members = entities.map(({ names }) =>
    hang(`${names.camel}:`, `${names.camel}Statements.prepare(drizzle)`),
  )
  return file.text(code`import type { Drizzle } from './database.ts'
${join(imports, '\n')}

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return ${object(members)}
}

export type Statements = ReturnType<typeof prepareStatements>`)
}

/** `data-access.ts`: one typed method an operation, for hooks and routes of the user's. */
export function dataAccessFile(scope: ServiceScope): string {
  const file = codeFile('data-access.ts')
  const drizzle = file.type('database.ts', 'Drizzle')
  const statements = file.type('statements.ts', 'Statements')
  file.value('ids.ts', 'isUuid')
  const methods = [...entityTypes(scope.service)].map(([entity, types]) =>
    join(entityMethods({ ...scope, file, entity, types }), '\n\n'),
  )
  return file.text(code`/**
 * What the service stores, for its own code: all stored attributes, no check of access. A method gives
 * \`undefined\` where nothing is found; a malformed id is one that is not there.
 */
export class DataAccess {
  readonly drizzle: ${drizzle}
  readonly #statements: ${statements}

  constructor(drizzle: ${drizzle}, statements: ${statements}) {
    this.drizzle = drizzle
    this.#statements = statements
  }

${join(methods, '\n\n')}
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'`)
}

interface MethodScope extends ServiceScope {
  readonly file: CodeFile
  readonly entity: Entity
  readonly types: EntityTypes
}

function entityMethods(scope: MethodScope): Code[] {
  return [createMethod(scope), readMethod(scope), updateMethod(scope), deleteMethod(scope), listMethod(scope)]
}

function method(
  { entity }: MethodScope,
  operation: string,
  parameters: readonly Code[],
  result: string,
  body: readonly Code[],
): Code {
  const signature = list(`${operation}${entity.names.declared}(`, parameters, ')')
  return code`  async ${signature}: Promise<${result}> {
    const { ${operation === 'delete' ? 'delete: remove' : operation} } = this.#statements.${entity.names.camel}
    ${join(body, '\n    ')}
  }`
}

/** The type that finds one entity, one whose parent's id has another name written out. */
function lookupType({ file, entity }: MethodScope): Code {
  if (!('parent' in entity)) return file.type('lookups.ts', 'Lookup')
  const parent = parentKey(entity)
  return parent === 'parentId' ? file.type('lookups.ts', 'EntryLookup') : `{ id: string; ${parent}: string }`
}

/** What is not an id is not there. */
function guard({ entity }: MethodScope): string {
  const invalid =
    'parent' in entity ? `!isUuid(input.id) || !isUuid(input.${parentKey(entity)})` : '!isUuid(input.id)'
  return `if (${invalid}) return undefined`
}

function keys({ entity }: MethodScope): Code {
  return braces(['id: input.id', ...('parent' in entity ? [`_parent: input.${parentKey(entity)}`] : [])])
}

function createMethod(scope: MethodScope): Code {
  const { file, entity, types, service, authenticated } = scope
  const stands = file.type('entities.ts', types.stored)
  const input = () => `input: Omit<${file.type('entities.ts', types.create)}, 'id'>`
  if ('parent' in entity) {
    const parent = parentKey(entity)
    const values = braces(['...input', `id: ${file.value('uuid', 'v7')}()`, `_parent: input.${parent}`])
    return method(scope, 'create', [input()], `${stands} | undefined`, [
      `if (!isUuid(input.${parent})) return undefined`,
      code`const [created] = await ${call('create.execute', values)}`,
      'return created',
    ])
  }
  // An entity without attributes is created from nothing.
  const values = stored(entity).length > 0 ? ['...input'] : []
  const inputs = values.length > 0 ? [input()] : []
  const caller = authenticated ? [`caller: Pick<${file.type('identity.ts', 'Caller')}, 'id'>`] : []
  const id = service.identity ? 'caller.id' : `${file.value('uuid', 'v7')}()`
  const owner = authenticated && !service.identity ? ['_caller: caller.id'] : []
  return method(scope, 'create', [...inputs, ...caller], stands, [
    code`const [created] = await ${call('create.execute', braces([...values, `id: ${id}`, ...owner]))}`,
    "if (created === undefined) throw new Error('Nothing was created')",
    'return created',
  ])
}

function readMethod(scope: MethodScope): Code {
  const stands = scope.file.type('entities.ts', scope.types.stored)
  return method(scope, 'read', [code`input: ${lookupType(scope)}`], `${stands} | undefined`, [
    guard(scope),
    code`const [found] = await ${call('read.execute', keys(scope))}`,
    'return found',
  ])
}

function updateMethod(scope: MethodScope): Code {
  const { file, entity, types } = scope
  const stands = file.type('entities.ts', types.stored)
  const input = `input: ${file.type('entities.ts', types.update)}`
  return method(scope, 'update', [input], `${stands} | undefined`, [
    guard(scope),
    code`const [updated] = await ${call('update.execute', updateValues(entity, []))}`,
    'return updated',
  ])
}

function deleteMethod(scope: MethodScope): Code {
  return method(scope, 'delete', [code`input: ${lookupType(scope)}`], 'string | undefined', [
    guard(scope),
    code`const [deleted] = await ${call('remove.execute', keys(scope))}`,
    'return deleted?.id',
  ])
}

function listMethod(scope: MethodScope): Code {
  const { file, entity, types } = scope
  const stands = file.type('entities.ts', types.stored)
  const range = () => file.type('lookups.ts', 'Range')
  if (!('parent' in entity)) {
    return method(scope, 'list', [`range: ${range()} = {}`], `${stands}[]`, [
      'const { after = FIRST, limit = null } = range',
      'return list.execute({ after, limit })',
    ])
  }
  const parent = parentKey(entity)
  const type =
    parent === 'parentId' ? file.type('lookups.ts', 'EntryRange') : `${range()} & { ${parent}: string }`
  return method(scope, 'list', [`input: ${type}`], `${stands}[]`, [
    `if (!isUuid(input.${parent})) return []`,
    `const { ${parent}: _parent, after = FIRST, limit = null } = input`,
    'return list.execute({ _parent, after, limit })',
  ])
}

/** The values of an UPDATE: null for what keeps its value. */
export function updateValues(entity: Entity, own: readonly string[]): Code {
  const kept = setByHooks(entity).map(({ names: { declared } }) =>
    hang(`${declared}:`, `input.${declared} ?? null`),
  )
  const parent = 'parent' in entity ? [`_parent: input.${parentKey(entity)}`] : []
  return braces(['...input', ...kept, ...parent, ...own])
}
