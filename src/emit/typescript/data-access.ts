import type { Entity } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { type Code, code, hang, join, list, object } from '../kit/layout.ts'
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
  const { service } = scope
  const file = codeFile('data-access.ts')
  const drizzle = file.type('database.ts', 'Drizzle')
  const statements = file.type('statements.ts', 'Statements')
  file.value('values/uuid.ts', 'isUuid')
  const methods = [...entityTypes(service)].map(([entity, types]) =>
    entityMethods(file, scope, entity, types),
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

function entityMethods(file: CodeFile, scope: ServiceScope, entity: Entity, types: EntityTypes): Code {
  const name = entity.names.declared
  const statements = `this.#statements.${entity.names.camel}`
  const isStruct = 'parent' in entity
  const storedType = file.type('entities.ts', types.stored)
  const parent = isStruct ? parentKey(entity) : undefined
  const lookup = parent === undefined ? '{ id: string }' : `{ id: string; ${parent}: string }`
  const invalid = parent === undefined ? '!isUuid(input.id)' : `!isUuid(input.id) || !isUuid(input.${parent})`
  const keys = parent === undefined ? '{ id: input.id }' : `{ id: input.id, _parent: input.${parent} }`

  const method = (
    title: string,
    parameters: readonly Code[],
    result: string,
    body: Code,
  ) => code`  async ${list(`${title}${name}(`, parameters, ')')}: Promise<${result}> {
${body}
  }`
  return join(
    [
      createMethod(file, scope, entity, types, method),
      method(
        'read',
        [`input: ${lookup}`],
        `${storedType} | undefined`,
        `    if (${invalid}) return undefined
    const [found] = await ${statements}.read.execute(${keys})
    return found`,
      ),
      method(
        'update',
        [`input: ${file.type('entities.ts', types.update)}`],
        `${storedType} | undefined`,
        code`    if (${invalid}) return undefined
    const [updated] = await ${statements}.update.execute(${updateValues(entity, [])})
    return updated`,
      ),
      method(
        'delete',
        [`input: ${lookup}`],
        'string | undefined',
        `    if (${invalid}) return undefined
    const [deleted] = await ${statements}.delete.execute(${keys})
    return deleted?.id`,
      ),
      listMethod(entity, storedType, statements, method),
    ],
    '\n\n',
  )
}

type Method = (title: string, parameters: readonly Code[], result: string, body: Code) => Code

function createMethod(
  file: CodeFile,
  { service, authenticated }: ServiceScope,
  entity: Entity,
  types: EntityTypes,
  method: Method,
): Code {
  const stands = file.type('entities.ts', types.stored)
  const input = `input: Omit<${file.type('entities.ts', types.create)}, 'id'>`
  const statement = `this.#statements.${entity.names.camel}.create.execute`
  if ('parent' in entity) {
    const parent = parentKey(entity)
    return method(
      'create',
      [input],
      `${stands} | undefined`,
      `    if (!isUuid(input.${parent})) return undefined
    const values = { ...input, id: ${file.value('uuid', 'v7')}(), _parent: input.${parent} }
    const [created] = await ${statement}(values)
    return created`,
    )
  }
  const caller = authenticated ? ["caller: Pick<Caller, 'id'>"] : []
  if (authenticated) file.type('identity.ts', 'Caller')
  const id = service.identity ? 'caller.id' : `${file.value('uuid', 'v7')}()`
  const owner = authenticated && !service.identity ? ', _caller: caller.id' : ''
  return method(
    'create',
    [input, ...caller],
    stands,
    `    const [created] = await ${statement}({ ...input, id: ${id}${owner} })
    if (created === undefined) throw new Error('Nothing was created')
    return created`,
  )
}

function listMethod(entity: Entity, stands: string, statements: string, method: Method): Code {
  if (!('parent' in entity)) {
    return method(
      'list',
      ['{ after = FIRST, limit }: { after?: string; limit?: number } = {}'],
      `${stands}[]`,
      `    return ${statements}.list.execute({ after, limit: limit ?? null })`,
    )
  }
  const parent = parentKey(entity)
  return method(
    'list',
    [`input: { ${parent}: string; after?: string; limit?: number }`],
    `${stands}[]`,
    `    if (!isUuid(input.${parent})) return []
    const { ${parent}: _parent, after = FIRST, limit = null } = input
    return ${statements}.list.execute({ _parent, after, limit })`,
  )
}

/** The values of an UPDATE: null for what keeps its value. */
export function updateValues(entity: Entity, own: readonly string[]): Code {
  const kept = setByHooks(entity).map(({ names: { declared } }) => `${declared}: input.${declared} ?? null`)
  const parent = 'parent' in entity ? [`_parent: input.${parentKey(entity)}`] : []
  const others = stored(entity).length > kept.length || kept.length > 0 ? ['...input'] : ['id: input.id']
  const members = [...others, ...kept, ...parent, ...own]
  return members.length > 3 ? object(members) : `{ ${members.join(', ')} }`
}
