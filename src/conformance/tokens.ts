import { createHmac, randomBytes } from 'node:crypto'
import { isObject, type Json, parseJson } from './json.ts'

/** Members of a JWT's header or claims. */
export type Claims = Readonly<Record<string, Json | undefined>>

/** The claims of a token (RFC 7519), unchecked; empty where it has none that can be read. */
export function claimsOf(token: string): Readonly<Record<string, Json>> {
  return decoded(token, 1)
}

/** The header of a token (RFC 7515), unchecked. */
export function headerOf(token: string): Readonly<Record<string, Json>> {
  return decoded(token, 0)
}

/** The `id` claim of a token; empty where it has none. */
export function idOf(token: string): string {
  const id = claimsOf(token)['id']
  return typeof id === 'string' ? id : ''
}

/** A token with these claims, signed with HMAC over this key; `alg` in the header may be any. */
export function sign(
  claims: Claims,
  key: Uint8Array,
  { alg = 'HS256', hash = 'sha256' }: { alg?: string; hash?: string } = {},
): string {
  const content = `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

/** A token without a signature (RFC 7519, section 6). */
export function unsigned(claims: Claims, alg = 'none'): string {
  return `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}.`
}

/** The token with other claims under its old signature. */
export function withClaims(token: string, claims: Claims): string {
  const [header, , signature] = token.split('.')
  return `${header}.${encoded(claims)}.${signature}`
}

/** A key that no platform has. */
export function foreignKey(): Uint8Array {
  return randomBytes(32)
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decoded(token: string, part: number): Readonly<Record<string, Json>> {
  const value = parseJson(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'))
  return isObject(value) ? value : {}
}
