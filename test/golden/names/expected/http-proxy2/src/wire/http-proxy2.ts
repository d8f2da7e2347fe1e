import { requireAttributes } from '../body.ts'
import type { HTTPProxy2Request } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readBool } from '../values/bool.ts'
import { readInt } from '../values/int.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): HTTPProxy2Request {
  requireAttributes(body, ['a', 'bC', 'dEF', 'userID', 'ipV4Address', 'x2y', 'iPhone'])
  return {
    a: readString(body, 'a'),
    bC: readString(body, 'bC'),
    dEF: readInt(body, 'dEF', -2147483648, 2147483647),
    userID: readString(body, 'userID'),
    ipV4Address: readString(body, 'ipV4Address'),
    x2y: readInt(body, 'x2y', -2147483648, 2147483647),
    iPhone: readBool(body, 'iPhone'),
  }
}
