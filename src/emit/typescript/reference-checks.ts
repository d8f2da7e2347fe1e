import { requestReferences, storedAttributes, checksReferences } from '../../model/entities.ts'
import type { AttributeType } from '../../model/platform.ts'
import { constraintName } from '../database/identifiers.ts'
import { braces, call, type Code, code, hanging, list, object } from '../codegen/layout.ts'
import { parentKey } from './names.ts'
import type { RouteScope } from './route-scope.ts'

/** Whether requests refer to the service's own entities. */
export function hasOwnReference({ entity }: RouteScope): boolean {
  return requestReferences(entity).some(({ type }) => type.kind === 'reference' && type.local)
}

/** The service's own entities as a target of references. */
export function referenceTargets(scope: RouteScope): Code[] {
  const { entity, service } = scope
  if (!checksReferences(entity) || !hasOwnReference(scope)) return []
  return [code`const ownEntities = ${object([`...access`, `name: '${service.names.declared}'`])}`]
}

/** The complete request that results from an update. `read`: a function that returns the stored entity. */
export function completeRequest({ names, file, value }: RouteScope, read: Code): Code {
  const schema = file.value('entities.ts', names.request)
  return code`await ${call(value('#lib/requests.ts', 'complete'), schema, 'sent', read)}`
}

/**
 * The check of the references in a request. An update compares those that are stored with the stored entity. Whether a
 * struct's entry exists is not part of the access to it.
 */
export function referenceCheck(scope: RouteScope, isUpdate: boolean): Code[] {
  const { entity, names, file, value, caller } = scope
  const references = requestReferences(entity)
  if (references.length === 0) return []
  const items = references.map(({ names: { declared }, type, stored }) =>
    braces([
      `to: ${target(type)}`,
      `id: request.${declared}`,
      ...(isUpdate && stored ? [`stored: stored.${declared}`] : []),
    ]),
  )
  const declared = entity.names.declared
  const compared = isUpdate
    ? [
        `const stored = await datastore.read${declared}(lookup)`,
        `if (stored === undefined) throw ${value('#lib/errors.ts', 'notFound')}('${declared}', lookup.id)`,
        code`const request: ${file.type('entities.ts', names.updateRequest)} = ${completeRequest(scope, '() => stored')}`,
      ]
    : []
  return [
    ...compared,
    ...siblingTargets(scope, isUpdate ? `lookup.${scope.key}` : String(scope.key)),
    code`await ${call(value('#lib/references.ts', 'requireReferences'), { ...list('[', items, ']'), expanded: items.length > 1 }, caller)}`,
  ]
}

function target(type: AttributeType): string {
  if (type.kind === 'sibling') return `${type.target.camel}Entries`
  if (type.kind === 'reference') return type.local ? 'ownEntities' : `comm.${type.target.names.camel}`
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
    const parentMember = parentId === parent ? parent : `${parent}: ${parentId}`
    const lookup = `datastore.read${names.declared}({ id, ${parentMember} })`
    return code`const ${names.camel}Entries = ${call(value('#lib/siblings.ts', 'entries'), `'${names.declared}'`, hanging('(id) =>', lookup))}`
  })
}

/** Turns violations of foreign keys, which a concurrent deletion causes, into the error of the check. */
export function onViolation(scope: RouteScope): Code[] {
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

/** Turns the violation of one of these constraints into an error. */
export function catchViolation({ value }: RouteScope, constraints: readonly string[], error: Code): Code {
  const names = list(
    '[',
    constraints.map((name) => `'${name}'`),
    ']',
  )
  return call('.catch', call(value('#lib/siblings.ts', 'onViolation'), hanging('() =>', error), names))
}

/** The foreign keys of sibling structs that refer to the struct. */
export function referencingKeys({ service, entity }: RouteScope): string[] {
  return service.structs.flatMap((sibling) =>
    storedAttributes(sibling).flatMap(({ names, type }) =>
      type.kind === 'sibling' && type.table === entity.table
        ? [constraintName(sibling.table, [names.snake], 'fkey')]
        : [],
    ),
  )
}
