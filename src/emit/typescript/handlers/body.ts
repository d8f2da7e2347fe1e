import type { Attribute } from '../../../model/platform.ts'
import { braces, type Code, call, code, hang, list } from '../../kit/layout.ts'
import { requested, requestedReferences, stored } from '../attributes.ts'
import { parentKey } from '../names.ts'
import type { RouteScope } from './scope.ts'

/** Reads and checks the body as `request`. */
export function readRequest(scope: RouteScope): Code {
  const { file, entity, types } = scope
  const env = scope.use('env')
  if (requested(entity).length === 0) {
    const read = file.value('body.ts', 'readOptionalBody')
    return `    await ${read}(c, ${env}.config.maxBodyBytes)
    const request: ${file.type('entities.ts', types.request)} = {}`
  }
  const parse = file.value(`wire/${entity.names.kebab}.ts`, 'parse')
  return `    const request = ${parse}(await ${file.value('body.ts', 'readBody')}(c, ${env}.config.maxBodyBytes))`
}

/** The attributes that a request and what is stored have in common, as `...request` or one by one. */
export function sentMembers({ entity }: RouteScope): Code[] {
  const sent = requested(entity)
  if (sent.length === 0) return []
  if (sent.every((attribute) => attribute.stored)) return ['...request']
  return stored(entity)
    .filter((attribute) => attribute.requested)
    .map(({ names: { declared } }) => hang(`${declared}:`, `request.${declared}`))
}

/** The check of the references that the request holds; of an update those that it changes. Empty without any. */
export function referenceCheck(scope: RouteScope, operation: 'create' | 'update'): Code {
  const references = requestedReferences(scope.entity)
  if (references.length === 0) return ''
  const require = scope.file.value('references.ts', 'requireReferences')
  const siblings = [...new Set(references.flatMap((attribute) => siblingTarget(attribute)))]
  const declarations = siblings.map((target) => siblingDeclaration(scope, target))
  const items = references.map((attribute) => {
    const { declared } = attribute.names
    const current = operation === 'update' && attribute.stored ? [`stored: current.${declared}`] : []
    return braces([`to: ${targetOf(scope, attribute)}`, `id: request.${declared}`, ...current])
  })
  const caller = scope.authenticated ? 'caller' : 'undefined'
  return code`${declarations}    await ${call(require, { ...list('[', items, ']'), expanded: items.length > 1 }, caller)}\n`
}

function targetOf(scope: RouteScope, { type }: Attribute): string {
  if (type.kind === 'sibling') return siblingVariable(type.target.camel)
  if (type.kind !== 'reference') throw new Error(`Not a reference: ${type.kind}`)
  if (type.own) return scope.use('access')
  scope.use('env')
  return `env.comm.${type.target.names.camel}`
}

function siblingTarget({ type }: Attribute): string[] {
  return type.kind === 'sibling' ? [type.target.declared] : []
}

function siblingVariable(camel: string): string {
  return `${camel}Entries`
}

function siblingDeclaration(scope: RouteScope, declared: string): Code {
  const { file, service, struct } = scope
  const sibling = service.structs.find(({ names }) => names.declared === declared)
  if (sibling === undefined || struct === undefined) throw new Error(`No sibling ${declared}`)
  const { camel } = sibling.names
  const target = call(
    file.value('siblings.ts', 'siblings'),
    `'${declared}'`,
    `context.statements.${camel}.read`,
    parentKey(struct),
  )
  return code`    const ${siblingVariable(camel)} = ${target}\n`
}
