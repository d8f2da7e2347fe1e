import { type Attribute, type AttributeType, assertNever, type Entity } from '../../model/platform.ts'

/** The TypeScript type of an attribute's value in the service's code. */
export function valueType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'int':
    case 'float':
      return 'number'
    case 'data':
      return 'Uint8Array'
    case 'string':
    case 'date':
    case 'time':
    case 'datetime':
    case 'reference':
    case 'sibling':
      return 'string'
    default:
      return assertNever(type)
  }
}

/** What an attribute holds that no hook sets, as TypeScript writes it. */
export function zeroValue(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'false'
    case 'int':
    case 'float':
      return '0'
    case 'string':
      return "''"
    case 'date':
      return "'0001-01-01'"
    case 'time':
      return "'00:00:00'"
    case 'datetime':
      return "'0001-01-01T00:00:00Z'"
    case 'data':
      return 'new Uint8Array()'
    case 'reference':
    case 'sibling':
      return "'00000000-0000-0000-0000-000000000000'"
    default:
      return assertNever(type)
  }
}

/** The attributes that clients send. */
export function requested(entity: Entity): Attribute[] {
  return entity.attributes.filter((attribute) => attribute.requested)
}

/** The attributes that have a column. */
export function stored(entity: Entity): Attribute[] {
  return entity.attributes.filter((attribute) => attribute.stored)
}

/** The attributes that hooks set and clients do not: `@server` and `@serverSet`. */
export function setByHooks(entity: Entity): Attribute[] {
  return entity.attributes.filter((attribute) => attribute.stored && !attribute.requested)
}

/** The references that clients send and that are stored, or checked at least. */
export function requestedReferences(entity: Entity): Attribute[] {
  return entity.attributes.filter(
    ({ requested: sent, type }) => sent && (type.kind === 'reference' || type.kind === 'sibling'),
  )
}

/** Whether an answer differs from what is stored: something is left out or written in another form. */
export function isPresented(entity: Entity): boolean {
  return 'parent' in entity || stored(entity).some(({ answered, type }) => !answered || type.kind === 'data')
}
