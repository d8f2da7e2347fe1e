import type { Entity, Platform, Service } from '../../model/platform.ts'

/** An entity or the entries of a struct, with the service that stores them. */
export interface Placed {
  readonly service: Service
  readonly entity: Entity
  /** The entity of the service that it is an entry of; `undefined` for the service's own. */
  readonly parent: Entity | undefined
}

/**
 * All entities in an order in which they can be created: behind their parents and behind what they have to
 * refer to, else as in the definition. Validation refuses cycles of references that clients must supply.
 */
export function creationOrder({ services }: Platform): Placed[] {
  const waiting = services.flatMap((service): Placed[] => [
    { service, entity: service.entity, parent: undefined },
    ...service.structs.map((entity) => ({ service, entity, parent: service.entity })),
  ])
  const placed = new Map<string, Placed>()
  while (waiting.length > 0) {
    const next = waiting.findIndex((candidate) => needs(candidate).every((name) => placed.has(name)))
    const [ready] = waiting.splice(Math.max(next, 0), 1)
    if (ready !== undefined) placed.set(ready.entity.names.declared, ready)
  }
  return [...placed.values()]
}

/** Declared names, which no two blocks share, of what has to be there before an entity is created. */
function needs({ entity, parent }: Placed): string[] {
  const references = entity.attributes
    .filter(({ requested }) => requested)
    .flatMap(({ type }) => {
      if (type.kind === 'reference') return [type.target.names.declared]
      return type.kind === 'sibling' ? [type.target.declared] : []
    })
  const others = references.filter((name) => name !== entity.names.declared)
  return parent === undefined ? others : [parent.names.declared, ...others]
}
