import { ServiceError } from './errors.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** 8-4-4-4-12 hexadecimal digits of either case (RFC 9562, section 4), of any version. */
export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** The id that a segment of the path holds, in lower case. Throws 400. */
export function pathId(segment = ''): string {
  if (!isUuid(segment)) throw new ServiceError(400, `Invalid id: ${segment}`)
  return segment.toLowerCase()
}
