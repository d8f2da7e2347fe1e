import { createHmac, randomBytes } from 'node:crypto'
import { isObject, type Json, parseJson } from '../json.ts'

/** Members of a JWT's header or payload. */
export type Claims = Readonly<Record<string, Json | undefined>>

/** Decodes the claims of a token (RFC 7519) without verification; empty if it has none. */
export function claimsOf(token: string): Readonly<Record<string, Json>> {
  return decoded(token, 1)
}

/** Decodes the header of a token (RFC 7515) without verification. */
export function headerOf(token: string): Readonly<Record<string, Json>> {
  return decoded(token, 0)
}

/** Returns the `id` claim of a token, or an empty string. */
export function idOf(token: string): string {
  const id = claimsOf(token)['id']
  return typeof id === 'string' ? id : ''
}

/** Signs claims with HMAC and this key. `alg` in the header may differ from the algorithm. */
export function sign(
  claims: Claims,
  key: Uint8Array,
  { alg = 'HS256', hash = 'sha256' }: { alg?: string; hash?: string } = {},
): string {
  const content = `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

/** Creates a token without a signature (RFC 7519, section 6). */
export function unsigned(claims: Claims, alg = 'none'): string {
  return `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}.`
}

/** Replaces the claims of a token but keeps its signature. */
export function withClaims(token: string, claims: Claims): string {
  const [header, , signature] = token.split('.')
  return `${header}.${encoded(claims)}.${signature}`
}

/** Returns a key that no platform has. */
export function unknownSigningKey(): Uint8Array {
  return randomBytes(32)
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decoded(token: string, part: number): Readonly<Record<string, Json>> {
  const value = parseJson(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'))
  return isObject(value) ? value : {}
}
