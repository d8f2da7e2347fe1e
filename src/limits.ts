/** The smallest limit of a request body in bytes, whatever the definition needs. */
export const MIN_BODY_BYTES = 64 * 1024
/** The largest body of a request to register or log in, which is short. */
export const AUTHENTICATION_BODY_BYTES = 16 * 1024
export const MAX_BODY_BYTES = 64 * 1024 * 1024
/** The size of an attribute without a bound in the largest body. */
export const UNBOUNDED_ATTRIBUTE_BYTES = 10 * 1024 * 1024
/** The maximum size of a code point in JSON: two `\uXXXX` escapes. */
const BYTES_PER_CODE_POINT = 12

/** The largest `limit` of a page of a list. */
export const MAX_PAGE = 1000

/** The largest number of ids that a list can be limited to. */
export const MAX_IDS = 100

/** The maximum number of digits of a `decimal`, before and after the point, which other databases can store too. */
export const DECIMAL_DIGITS = 38

/** The length of `bytes` bytes as padded base64, without the quotes of the JSON string. */
export function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** The maximum size of a key, its punctuation and a value of a fixed-size type, besides the name itself. */
const FIXED_VALUE_BYTES = 64

/** The properties of an attribute that limit the size of its value. */
interface SizedAttribute {
  readonly name: string
  readonly kind: string
  /** Code points of a string or bytes of data, `undefined` if there is no bound; ignored for other types. */
  readonly size: number | undefined
}

/** The largest body in bytes that a client needs to send these attributes, before the limits are applied. */
function neededBodyBytes(attributes: readonly SizedAttribute[]): number {
  return attributes.reduce((sum, attribute) => sum + attribute.name.length + attributeBytes(attribute), 2)
}

/** The largest body in bytes that an operation with these attributes accepts: 64 KiB to 64 MiB. */
export function maxBodyBytes(attributes: readonly SizedAttribute[]): number {
  return Math.min(MAX_BODY_BYTES, Math.max(MIN_BODY_BYTES, neededBodyBytes(attributes)))
}

function attributeBytes({ kind, size }: SizedAttribute): number {
  if (kind === 'string')
    return size === undefined ? UNBOUNDED_ATTRIBUTE_BYTES : FIXED_VALUE_BYTES + size * BYTES_PER_CODE_POINT
  if (kind === 'data')
    return size === undefined ? UNBOUNDED_ATTRIBUTE_BYTES : FIXED_VALUE_BYTES + base64Bytes(size)
  return FIXED_VALUE_BYTES
}
