import type {
  AttributeType,
  Entity,
  Operation,
  Service,
  ServiceReference,
  SiblingReference,
} from './platform.ts'

/** The entity of a service, then those of its structs. */
export function entitiesOf({ entity, structs }: Pick<Service, 'entity' | 'structs'>): readonly Entity[] {
  return [entity, ...structs]
}

/** Whether an entity has an endpoint of one of these operations. */
export function hasOperation({ endpoints }: Entity, ...operations: readonly Operation[]): boolean {
  return endpoints.some(({ operation }) => operations.includes(operation))
}

/** Whether values of a type are ids of other entities. */
export function isReference(type: AttributeType): type is ServiceReference | SiblingReference {
  return type.kind === 'reference' || type.kind === 'sibling'
}
