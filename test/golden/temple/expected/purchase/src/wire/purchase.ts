import { requireAttributes } from '../body.ts'
import type { PurchaseRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readTime } from '../values/time.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): PurchaseRequest {
  requireAttributes(body, ['product', 'when'])
  return {
    product: readUuid(body, 'product'),
    when: readTime(body, 'when'),
  }
}
