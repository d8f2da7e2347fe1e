import type { Attribute, Combination, Entity } from '../model/platform.ts'
import { valueCount } from './values/sample.ts'
import { isReference } from '../model/entities.ts'

/**
 * Whether the checks give an attribute another value in each entity: a `@unique` attribute, or the one that keeps the
 * entities of a `#unique` apart.
 */
export function isDistinct(entity: Entity, attribute: Attribute): boolean {
  return (
    attribute.unique ||
    entity.combinations.some((combination) => distinguishingAttribute(combination) === attribute)
  )
}

/**
 * The attribute that keeps the entities of a combination apart: the one with the most values that clients send.
 * `undefined` if another attribute of it is `@unique`.
 */
export function distinguishingAttribute(combination: Combination): Attribute | undefined {
  const attributes = combination.filter((member) => member !== 'parent')
  if (attributes.some(({ unique, inRequest }) => unique && inRequest)) return undefined
  return attributes.toSorted((a, b) => valuesOf(b) - valuesOf(a))[0]
}

/** How many values an attribute can have. A reference has fewer than a range that is not enumerated. */
function valuesOf({ inRequest, type }: Attribute): number {
  if (!inRequest) return 0
  if (isReference(type)) return Number.MAX_SAFE_INTEGER
  return valueCount(type)
}
