import type { Entity, Platform, Service } from '../../model/platform.ts'

/** An entity or struct to create, with its service. */
export interface CreationStep {
  readonly service: Service
  readonly entity: Entity
  /** The parent of a struct; `undefined` for the service's own entity. */
  readonly parent: Entity | undefined
}

/**
 * All entities in an order in which they can be created: after their parents and after everything that they
 * must reference, otherwise as in the definition. Validation rejects cycles of required references.
 */
export function creationOrder({ services }: Platform): CreationStep[] {
  const waiting = services.flatMap((service): CreationStep[] => [
    { service, entity: service.entity, parent: undefined },
    ...service.structs.map((entity) => ({ service, entity, parent: service.entity })),
  ])
  const placed = new Map<string, CreationStep>()
  while (waiting.length > 0) {
    const next = waiting.findIndex((candidate) => needs(candidate).every((name) => placed.has(name)))
    const [ready] = waiting.splice(Math.max(next, 0), 1)
    if (ready !== undefined) placed.set(ready.entity.names.declared, ready)
  }
  return [...placed.values()]
}

/** The declared names of everything that must exist before an entity is created. */
function needs({ entity, parent }: CreationStep): string[] {
  const references = entity.attributes
    .filter(({ required }) => required)
    .flatMap(({ type }) => {
      if (type.kind === 'reference') return [type.target.names.declared]
      return type.kind === 'sibling' ? [type.target.declared] : []
    })
  const others = references.filter((name) => name !== entity.names.declared)
  return parent === undefined ? others : [parent.names.declared, ...others]
}
