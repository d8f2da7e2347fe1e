import type { Entity, Operation } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { type Code, code, join, list, object } from '../kit/layout.ts'
import type { ServiceScope } from './access.ts'
import { type EntityTypes, entityTypes, parentKey } from './names.ts'

/** `hooks.ts`: everything that setup.ts imports, and the hooks that the service has. */
export function hooksFile(scope: ServiceScope): string {
  const { service, authenticated } = scope
  const file = codeFile('hooks.ts')
  const types = entityTypes(service)
  const caller = authenticated ? file.type('identity.ts', 'Caller') : 'undefined'
  const hook = () => file.type('hook-lists.ts', 'Hook')
  const registrar = () => file.type('hook-lists.ts', 'Registrar')
  const bindings = file.type('server.ts', 'Bindings')
  const hono = file.type('hono', 'Hono')
  const kinds = [...types]
    .filter(([entity]) => entity.endpoints.length > 0)
    .map(([entity, names]) => ({
      entity,
      name: names.hooks,
      members: hookMembers(file, entity, names),
    }))
  const used = new Set(kinds.flatMap(({ members }) => members.map(({ alias }) => alias)))
  const aliases =
    kinds.length === 0 ? [] : aliasDeclarations(hook(), caller).filter(({ alias }) => used.has(alias))
  const interfaces = kinds.map(({ entity, name, members }) => hookInterface(entity, name, members))
  const own = kinds.find(({ entity }) => entity === service.entity)
  const structs = kinds.filter((kind) => kind !== own)
  const registrars = structs
    .map(({ entity, name }) => `  readonly ${entity.names.camel}: ${registrar()}<${name}>`)
    .join('\n')
  const hooks = [
    ...(own === undefined ? [] : [`${registrar()}<${own.name}>`]),
    ...(structs.length === 0 ? [] : [`{\n${registrars}\n}`]),
  ].join(' & ')
  const lists =
    kinds.length === 0
      ? 'type HookLists = Record<string, never>'
      : `interface HookLists {\n${kinds.map(({ entity, name }) => `  readonly ${entity.names.camel}: ${name}`).join('\n')}\n}`
  const comm = service.calls.length === 0 ? [] : [file.type('comm.ts', 'Comm')]

  return file.text(code`export { HookError } from './errors.ts'

${join(
  aliases.map(({ text }) => text),
  '',
)}${join(
  interfaces.map((text) => code`${text}\n\n`),
  '',
)}/** All hooks, in the order in which they were registered. */
export ${lists}

/** Registers hooks: those of ${service.names.declared} itself${structs.length > 0 ? ', and those of each struct' : ''}. */
export type Hooks = ${hooks === '' ? 'Record<string, never>' : hooks}

/** What hooks and the user's own routes work with. */
export interface Env {
  readonly config: ${file.type('config.ts', 'Config')}
  readonly log: ${file.type('log.ts', 'Log')}
  readonly datastore: ${file.type('datastore.ts', 'Datastore')}
${comm.length === 0 ? '' : '  readonly comm: Comm\n'}  readonly hooks: Hooks
}

/** What Hono's context holds in routes. */
export interface ApiEnv {
  Bindings: ${bindings}
  Variables: {
    caller: ${caller}
    /** Answers with the status and \`{"error": message}\`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: \`/${service.names.kebab}/...\`. */
export type Router = ${hono}<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return ${object(kinds.map(({ entity, members }) => emptyLists(entity, members)))}
}`)
}

interface HookMember {
  readonly name: string
  readonly alias: Alias
  readonly type: Code
}

type Alias = 'BodyHook' | 'LookupHook' | 'AfterHook'

function aliasDeclarations(hook: string, caller: string): { alias: Alias; text: string }[] {
  return [
    {
      alias: 'BodyHook',
      text: `/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = ${hook}<[env: Env, request: Body, input: Input, caller: ${caller}]>

`,
    },
    {
      alias: 'LookupHook',
      text: `/** Runs before an operation without a body. */
type LookupHook<Input> = ${hook}<[env: Env, input: Input, caller: ${caller}]>

`,
    },
    {
      alias: 'AfterHook',
      text: `/** Runs after an operation and may change its answer. */
type AfterHook<Result> = ${hook}<[env: Env, result: Result, caller: ${caller}]>

`,
    },
  ]
}

function hookInterface(entity: Entity, name: string, members: readonly HookMember[]): Code {
  const { declared } = entity.names
  const lines = members.map((member) => code`  readonly ${member.name}: ${member.type}[]`)
  return code`/** The hooks on ${declared}. */
type ${name} = {
${join(lines, '\n')}
}`
}

function emptyLists(entity: Entity, members: readonly HookMember[]): Code {
  return code`${entity.names.camel}: ${object(members.map(({ name }) => `${name}: []`))}`
}

function hookMembers(file: CodeFile, entity: Entity, types: EntityTypes): HookMember[] {
  return entity.endpoints.flatMap(({ operation }) => {
    const kind = operation.charAt(0).toUpperCase() + operation.slice(1)
    return [
      { name: `before${kind}`, ...beforeHook(file, operation, entity, types) },
      { name: `after${kind}`, ...afterHook(file, operation, types) },
    ]
  })
}

function beforeHook(
  file: CodeFile,
  operation: Operation,
  entity: Entity,
  types: EntityTypes,
): { alias: Alias; type: Code } {
  if (operation === 'create' || operation === 'update') {
    const input = file.type('entities.ts', types[operation])
    const request = file.type('entities.ts', types.request)
    return { alias: 'BodyHook', type: { ...list('BodyHook<', [request, input], '>'), trailing: '' } }
  }
  const input = operation === 'list' ? listInput(file, entity) : lookupInput(file, entity)
  return { alias: 'LookupHook', type: `LookupHook<${input}>` }
}

function afterHook(file: CodeFile, operation: Operation, types: EntityTypes): { alias: Alias; type: Code } {
  if (operation === 'delete') return { alias: 'AfterHook', type: 'AfterHook<string>' }
  const stands = file.type('entities.ts', types.stored)
  return { alias: 'AfterHook', type: `AfterHook<${stands}${operation === 'list' ? '[]' : ''}>` }
}

function lookupInput(file: CodeFile, entity: Entity): string {
  if (!('parent' in entity)) return file.type('lookups.ts', 'Lookup')
  const parent = parentKey(entity)
  return parent === 'parentId' ? file.type('lookups.ts', 'EntryLookup') : `{ id: string; ${parent}: string }`
}

function listInput(file: CodeFile, entity: Entity): string {
  const page = file.type('lists.ts', 'Page')
  return 'parent' in entity ? `${page} & { ${parentKey(entity)}: string }` : page
}
