import { randomUUID } from 'node:crypto'
import type { SigningCredential } from '../check.ts'
import type { Json } from '../json.ts'
import { type Claims, claimsOf, foreignKey, sign, unsigned, withClaims } from '../tokens.ts'

/** A value of the Authorization header that lets nobody in, and why; no header with `undefined`. */
export interface Forgery {
  readonly what: string
  readonly header: string | undefined
}

/** Headers that anybody can make without a token of their own. */
export function malformedHeaders(): Forgery[] {
  return [
    { what: 'no header', header: undefined },
    { what: 'an empty header', header: '' },
    { what: 'Bearer alone', header: 'Bearer' },
    { what: 'Bearer and white space', header: 'Bearer  ' },
    { what: 'another scheme', header: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
    { what: 'no token', header: 'Bearer x' },
    { what: 'two dots alone', header: 'Bearer ..' },
    { what: 'parts that are no base64', header: 'Bearer %.%.%' },
    { what: 'parts that are no JSON', header: `Bearer ${['a', 'b', 'c'].map(base64).join('.')}` },
    { what: 'a token of 6,000 characters', header: `Bearer ${'a'.repeat(6000)}` },
  ]
}

/** Tokens forged from a valid one without knowing the key. */
export function forgeries(token: string): Forgery[] {
  const claims = claimsOf(token)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  return [
    { what: 'the token without a scheme', header: token },
    { what: 'the token under another scheme', header: `Token ${token}` },
    bearer('alg none', unsigned(claims)),
    bearer('alg nOnE', unsigned(claims, 'nOnE')),
    bearer('alg none with the old signature', `${unsigned(claims)}${signature}`),
    bearer('no signature', `${header}.${payload}.`),
    bearer('two parts', `${header}.${payload}`),
    bearer('a changed signature', `${header}.${payload}.${flipped}`),
    bearer('a cut signature', `${header}.${payload}.${signature.slice(0, -4)}`),
    bearer('another user under the old signature', withClaims(token, { ...claims, id: randomUUID() })),
    bearer('a later expiry under the old signature', withClaims(token, { ...claims, exp: 4_102_444_800 })),
    bearer('another key', sign(claims, foreignKey())),
    bearer('an empty key', sign(claims, new Uint8Array())),
    bearer('the issuer as key', sign(claims, Buffer.from(textOf(claims['iss'])))),
    bearer('another issuer and key', sign({ ...claims, iss: randomUUID() }, foreignKey())),
  ]
}

/** Tokens signed with the right key that are still none: expired, without expiry, of another algorithm or issuer. */
export function signedForgeries(token: string, { secret, id }: SigningCredential): Forgery[] {
  const key = Buffer.from(secret, 'base64url')
  const claims: Claims = { ...claimsOf(token), iss: id }
  const now = Math.floor(Date.now() / 1000)
  return [
    bearer('expired an hour ago', sign({ ...claims, exp: now - 3600 }, key)),
    bearer('expired in 1970', sign({ ...claims, exp: 1 }, key)),
    bearer('no expiry', sign({ ...claims, exp: undefined }, key)),
    bearer('an expiry of null', sign({ ...claims, exp: null }, key)),
    bearer('an expiry that is a string', sign({ ...claims, exp: String(now + 3600) }, key)),
    bearer('valid in an hour', sign({ ...claims, nbf: now + 3600, exp: now + 7200 }, key)),
    bearer('another issuer', sign({ ...claims, iss: randomUUID() }, key)),
    bearer('no issuer', sign({ ...claims, iss: undefined }, key)),
    bearer('HS512', sign(claims, key, { alg: 'HS512', hash: 'sha512' })),
    bearer('HS384', sign(claims, key, { alg: 'HS384', hash: 'sha384' })),
    bearer('RS256 over an HMAC', sign(claims, key, { alg: 'RS256' })),
    bearer('the text of the secret as key', sign(claims, Buffer.from(secret))),
  ]
}

/** Tokens signed with the right key whose `id` is of nobody: the service itself refuses them. */
export function namelessTokens(token: string, { secret, id }: SigningCredential): Forgery[] {
  const key = Buffer.from(secret, 'base64url')
  const claims: Claims = { ...claimsOf(token), iss: id }
  return [
    bearer('no id', sign({ ...claims, id: undefined }, key)),
    bearer('an id that is no UUID', sign({ ...claims, id: "' OR 1=1 --" }, key)),
    bearer('an id that is a number', sign({ ...claims, id: 1 }, key)),
    bearer('an id that is an array', sign({ ...claims, id: [textOf(claims['id'])] }, key)),
    bearer('a subject in place of an id', sign({ ...claims, id: undefined, sub: textOf(claims['id']) }, key)),
  ]
}

function bearer(what: string, forged: string): Forgery {
  return { what, header: `Bearer ${forged}` }
}

function textOf(claim: Json | undefined): string {
  return typeof claim === 'string' ? claim : ''
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
