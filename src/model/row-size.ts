import { UNBOUNDED_ATTRIBUTE_BYTES } from '../limits.ts'
import type { AttributeType, Entity } from './platform.ts'

/** Of a value of a fixed size, with the description of its field. */
const FIXED_BYTES = 64
const UTF8_BYTES = 4

/** When rows may be larger than this, batches of lists are limited by bytes as well as by rows: 1,000 are 4 MiB. */
const SMALL_ROW_BYTES = 4 * 1024

/** Whether rows may be so large that lists have to know their sizes. */
export const hasLargeRows = (entity: Entity) => rowBytes(entity) > SMALL_ROW_BYTES

/** The size in bytes of the largest row with these attributes, in a message of the database. */
export function rowBytes({ attributes }: Pick<Entity, 'attributes'>): number {
  return attributes.reduce((sum, { stored, type }) => sum + (stored ? valueBytes(type) : 0), 0)
}

function valueBytes(type: AttributeType): number {
  if (type.kind === 'string')
    return (
      FIXED_BYTES + (type.maxLength === undefined ? UNBOUNDED_ATTRIBUTE_BYTES : type.maxLength * UTF8_BYTES)
    )
  if (type.kind === 'data') return FIXED_BYTES + (type.maxSize ?? UNBOUNDED_ATTRIBUTE_BYTES)
  return FIXED_BYTES
}
