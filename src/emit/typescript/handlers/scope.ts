import type { Entity, Operation, Struct } from '../../../model/platform.ts'
import type { CodeFile } from '../../kit/code-file.ts'
import { braces, type Code, code } from '../../kit/layout.ts'
import type { ServiceScope } from '../access.ts'
import { isPresented } from '../attributes.ts'
import { type EntityTypes, parentKey } from '../names.ts'

/** What every handler's emitter works with. */
export interface RouteScope extends ServiceScope {
  readonly file: CodeFile
  /** The service's own entity or a struct's. */
  readonly entity: Entity
  /** The same where it is a struct. */
  readonly struct: Struct | undefined
  readonly types: EntityTypes
  /** Takes a member of the context that the file's handlers need; gives its name. */
  use(member: ContextMember): string
}

/** Members of the generated `ServiceContext`. */
export type ContextMember = 'access' | 'authenticate' | 'env'

/** The function of an operation: \`delete\` is a reserved word. */
export function handlerName(operation: Operation): string {
  return operation === 'delete' ? 'remove' : operation
}

/** The head of a handler: its signature and who calls. */
export function handler(scope: RouteScope, operation: Operation, body: Code): Code {
  const context = scope.file.type('hono', 'Context')
  const caller = scope.authenticated ? `    const caller = await ${scope.use('authenticate')}(c.req)\n` : ''
  return code`  async function ${handlerName(operation)}(c: ${context}<ApiEnv>): Promise<Response> {
${caller}${body}
  }`
}

/** The caller as hooks get it. */
export function callerOf({ authenticated }: ServiceScope): string {
  return authenticated ? 'caller' : 'undefined'
}

/** Imports the check of ids in paths and gives a call of it. */
export function pathId({ file }: RouteScope, parameter: 'id' | 'parentId'): string {
  return `${file.value('ids.ts', 'pathId')}(c.req.param('${parameter}'))`
}

/** What an entity looks like in an answer. */
export function presented({ file, entity }: RouteScope, value: string): string {
  return isPresented(entity) ? `${file.value(`wire/${entity.names.kebab}.ts`, 'present')}(${value})` : value
}

/** `input` of an operation that looks something up by the ids of its path. */
export function lookupInput(scope: RouteScope): string {
  const id = pathId(scope, 'id')
  if (scope.struct === undefined) return `    const input = { id: ${id} }`
  const key = parentKey(scope.struct)
  return `    const ${key} = ${pathId(scope, 'parentId')}
    const input = { id: ${id}, ${key} }`
}

/** What every statement on one row is given. */
export function rowKeys({ struct }: RouteScope, own: boolean): Code {
  const parent = struct === undefined ? [] : [`_parent: input.${parentKey(struct)}`]
  return braces(['id: input.id', ...parent, ...(own ? ['_caller: caller.id'] : [])])
}
