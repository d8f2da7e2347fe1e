import { requireAttributes } from '../body.ts'
import type { TLSCert, TLSCertRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { base64, readData } from '../values/data.ts'
import { readDatetime } from '../values/datetime.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): TLSCertRequest {
  requireAttributes(body, ['sha256Sum', 'notAfter'])
  return {
    sha256Sum: readData(body, 'sha256Sum', 32),
    notAfter: readDatetime(body, 'notAfter'),
  }
}

/** What clients see of it. */
export function present(entity: TLSCert): unknown {
  return {
    id: entity.id,
    sha256Sum: base64(entity.sha256Sum),
    notAfter: entity.notAfter,
  }
}
