/** Why the database refused or failed, as far as a client's answer depends on it. */
export type Failure =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unique'; readonly constraint: string }
  | { readonly kind: 'foreignKey'; readonly constraint: string }
  | { readonly kind: 'deadlock' }
  | { readonly kind: 'other' }

/** The database is known not to answer, so it was not asked. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

const UNAVAILABLE: Failure = { kind: 'unavailable' }
const OTHER: Failure = { kind: 'other' }

/** Codes of Node and of postgres.js for a connection that cannot be made or that broke. */
const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAGAIN',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * SQLSTATEs of a server that is starting, stopping or full: classes 08 (connection exception) and 53
 * (insufficient resources), and 57P01 to 57P05.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const UNAVAILABLE_STATE = /^(?:08|53)...$|^57P0[1-5]$/

/** Tells what an error of a query means; Drizzle keeps the database's own error as the `cause`. */
export function classify(error: unknown): Failure {
  for (let next = error, depth = 0; next instanceof Error && depth < 10; next = next.cause, depth++) {
    if (next instanceof DatabaseUnavailable) return UNAVAILABLE
    if ('code' in next && typeof next.code === 'string') return classifyCode(next.code, next)
  }
  return OTHER
}

function classifyCode(code: string, error: Error): Failure {
  if (CONNECTION_CODES.has(code) || UNAVAILABLE_STATE.test(code)) return UNAVAILABLE
  // The server's Unix socket is not there while it is down; other files may be missing for other reasons.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return UNAVAILABLE
  const constraint = 'constraint_name' in error ? String(error.constraint_name) : ''
  // A unique index and, for values that it cannot hold, an exclusion constraint.
  if (code === '23505' || code === '23P01') return { kind: 'unique', constraint }
  if (code === '23503') return { kind: 'foreignKey', constraint }
  if (code === '40P01') return { kind: 'deadlock' }
  return OTHER
}
