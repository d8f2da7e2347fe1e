import { checksReferences, requestReferences } from '../../model/entities.ts'
import type { AttributeType } from '../../model/platform.ts'
import { block, indented, quoted } from './layout.ts'
import { exported } from './names.ts'
import { check, fieldOf, returned, type RouteScope } from './route-scope.ts'

/** A reference that fits on the line of its check. */
export const SHORT = 70

/**
 * The check of the references in a request. An update compares those that are stored with the stored entity. Whether a
 * struct's entry exists is not part of the access to it.
 */
export function referenceCheck(scope: RouteScope, isUpdate: boolean): string[] {
  const { entity, names, platform_, service } = scope
  const references = requestReferences(entity)
  if (!checksReferences(entity)) return []
  const items = references.map((attribute) => {
    const field = fieldOf(scope, attribute)
    const pointer = attribute.optional ? '' : '&'
    // An update may lack what is not stored.
    if (isUpdate && !attribute.stored)
      return `${platform_}.Reference{To: ${target(attribute.type)}, ID: request.${field}}`
    const stored = isUpdate ? `, Stored: ${pointer}stored.${field}` : ''
    return `${platform_}.Reference{To: ${target(attribute.type)}, ID: ${pointer}request.${field}${stored}}`
  })
  const compared = [
    `stored, err := env.Datastore.Read${names.type}(ctx, lookup)`,
    block('if err != nil', [`return ${platform_}.OrNotFound(err, ${scope.declared}, lookup.ID)`]),
    'request.complete(body, &stored)',
  ]
  const hasOwn = references.some(({ type }) => type.kind === 'reference' && type.local)
  const [only = ''] = items
  const required =
    items.length === 1 && only.length < SHORT
      ? check(`${platform_}.RequireReferences(ctx, caller, ${only})`)
      : [
          `err = ${platform_}.RequireReferences(ctx, caller,`,
          ...indented(items.map((item) => `${item},`)),
          ')',
          returned,
        ].join('\n')
  return [
    ...(isUpdate ? compared : []),
    ...(hasOwn
      ? [`own := ${platform_}.OwnTarget(${quoted(service.names.declared)}, env.Datastore.findReadable)`]
      : []),
    ...siblingTargets(scope),
    required,
  ]
}

/** The expression of what a reference refers to. */
export function target(type: AttributeType): string {
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
