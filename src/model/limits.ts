/** Sizes in bytes that bound what a client can send. */
export const MIN_BODY_BYTES = 1024 * 1024
export const MAX_BODY_BYTES = 64 * 1024 * 1024
/** What an attribute without a bound counts in the largest body. */
export const UNBOUNDED_ATTRIBUTE_BYTES = 10 * 1024 * 1024
/** The most bytes that one code point takes in JSON: two `\uXXXX` escapes. */
export const BYTES_PER_CODE_POINT = 12

/** Bytes of a JSON string that holds `bytes` bytes as padded base64, quotes excluded. */
export function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** What a key, its punctuation and a value of a fixed-size type take at most, besides the name itself. */
const FIXED_VALUE_BYTES = 64

/** What bounds the size of an attribute's value. */
export interface SizedAttribute {
  readonly name: string
  readonly kind: string
  /** Code points of a string or bytes of data, `undefined` where there is no bound; ignored for other types. */
  readonly size: number | undefined
}

/** The largest body in bytes, before it is cut to the limits, that a client needs to send these attributes. */
export function neededBodyBytes(attributes: readonly SizedAttribute[]): number {
  return attributes.reduce((sum, attribute) => sum + attribute.name.length + attributeBytes(attribute), 2)
}

/** The largest body in bytes that an operation with these attributes accepts: 1 MiB to 64 MiB. */
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
