import { randomBytes } from 'node:crypto'
import postgres from 'postgres'

const url = process.env['DATABASE_URL']
if (url === undefined) throw new Error('DATABASE_URL is not set')

const asText = (oids: number[]) => ({
  to: oids[0] ?? 0,
  from: oids,
  serialize: String,
  parse: (text: string) => text,
})

/** The pool. Dates and times stay the text that Postgres sends. */
export const sql = postgres(url, {
  max: Number(process.env['DATABASE_POOL_SIZE'] ?? 10),
  connection: { TimeZone: 'UTC' },
  types: { date: asText([1082]), timestamptz: asText([1184]) },
})

/** `2026-01-02 03:04:05.6+00` as `2026-01-02T03:04:05.6Z`. */
export function toInstant(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

/** A UUID of version 7 (RFC 9562, section 5.7). */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
