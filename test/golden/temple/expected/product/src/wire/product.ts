import { requireAttributes } from '../body.ts'
import type { ProductRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readReal } from '../values/float.ts'
import { readInt } from '../values/int.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): ProductRequest {
  requireAttributes(body, ['title', 'shelf', 'price'])
  return {
    title: readString(body, 'title', 1, 200),
    shelf: readInt(body, 'shelf', 1, 100),
    price: readReal(body, 'price', 0),
  }
}
