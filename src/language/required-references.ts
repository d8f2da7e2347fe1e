import { AstUtils } from 'langium'
import { type Attribute, type Entity, isAttribute, isDefinition, isStruct } from './generated/ast.ts'
import { definitionIndex } from './validation/definition-index.ts'

const namesByEntity = new WeakMap<Entity, ReadonlySet<string>>()

/**
 * Returns the names of the entities that depend on `entity`, including itself: directly or indirectly, clients must
 * supply a reference to it. A required reference from `entity` to one of them closes a cycle. Services depend only on
 * services, and only siblings depend on a struct. Linear in the number of services or siblings, because the
 * dependencies of each are cached.
 *
 * @param except an attribute of `entity` to ignore
 */
export function dependentsOf(entity: Entity, except?: Attribute): ReadonlySet<string> {
  const dependents = new Map<string, string[]>()
  for (const other of relativesOf(entity)) {
    // The entity itself may be a changed version of the one in the definition.
    const needed = other.name === entity.name ? namesIn(entity, except) : namesNeededBy(other)
    for (const name of needed) {
      const list = dependents.get(name)
      if (list === undefined) dependents.set(name, [other.name])
      else list.push(other.name)
    }
  }
  const found = new Set([entity.name])
  for (const name of found) for (const dependent of dependents.get(name) ?? []) found.add(dependent)
  return found
}

/** Whether clients must supply a reference: it is not optional, `@server` or `@serverSet`. */
export function isRequired(attribute: Attribute): boolean {
  return (
    !attribute.optional &&
    !attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')
  )
}

/** The entities that can depend on each other: all services, or the structs of one service. */
function relativesOf(entity: Entity): readonly Entity[] {
  if (entity.$type === 'Struct')
    return entity.$container.$type === 'Definition' ? [] : entity.$container.members.filter(isStruct)
  const definition = AstUtils.getContainerOfType(entity, isDefinition)
  return definition === undefined ? [] : definitionIndex(definition).services
}

function namesNeededBy(entity: Entity): ReadonlySet<string> {
  let names = namesByEntity.get(entity)
  if (names === undefined) namesByEntity.set(entity, (names = namesIn(entity)))
  return names
}

function namesIn(entity: Entity, except?: Attribute): ReadonlySet<string> {
  const names = new Set<string>()
  for (const attribute of entity.members) {
    if (!isAttribute(attribute) || attribute === except || attribute.type.$type !== 'ReferenceType') continue
    if (isRequired(attribute)) names.add(attribute.type.entity.$refText)
  }
  return names
}
