import { randomUUID } from 'node:crypto'
import type { SigningCredential } from '../test-context.ts'
import type { Json } from '../../json.ts'
import { type Claims, claimsOf, unknownSigningKey, sign, unsigned, withClaims } from '../jwt.ts'

/** An Authorization header that must be rejected. `undefined`: no header. */
export interface InvalidToken {
  readonly description: string
  readonly header: string | undefined
}

/** Returns headers that need no valid token. */
export function malformedHeaders(): InvalidToken[] {
  return [
    { description: 'no header', header: undefined },
    { description: 'an empty header', header: '' },
    { description: '`Bearer` without a token', header: 'Bearer' },
    { description: '`Bearer` and spaces', header: 'Bearer  ' },
    { description: 'another scheme', header: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
    { description: 'a token of one letter', header: 'Bearer x' },
    { description: 'only two dots', header: 'Bearer ..' },
    { description: 'parts that are not base64', header: 'Bearer %.%.%' },
    { description: 'parts that are not JSON', header: `Bearer ${['a', 'b', 'c'].map(base64).join('.')}` },
    { description: 'a token of 6,000 characters', header: `Bearer ${'a'.repeat(6000)}` },
  ]
}

/** Returns tokens forged from a valid one without its key. */
export function forgedTokens(token: string): InvalidToken[] {
  const claims = claimsOf(token)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  return [
    { description: 'the token without a scheme', header: token },
    { description: 'the token under another scheme', header: `Token ${token}` },
    bearer('alg none', unsigned(claims)),
    bearer('alg nOnE', unsigned(claims, 'nOnE')),
    bearer('alg none with the old signature', `${unsigned(claims)}${signature}`),
    bearer('no signature', `${header}.${payload}.`),
    bearer('two parts', `${header}.${payload}`),
    bearer('a changed signature', `${header}.${payload}.${flipped}`),
    bearer('a truncated signature', `${header}.${payload}.${signature.slice(0, -4)}`),
    bearer('another user with the old signature', withClaims(token, { ...claims, id: randomUUID() })),
    bearer('a later expiry with the old signature', withClaims(token, { ...claims, exp: 4_102_444_800 })),
    bearer('roles with the old signature', withClaims(token, { ...claims, roles: ['admin'] })),
    bearer('another key', sign(claims, unknownSigningKey())),
    bearer('an empty key', sign(claims, new Uint8Array())),
    bearer('the issuer as the key', sign(claims, Buffer.from(textOf(claims['iss'])))),
    bearer('another issuer and key', sign({ ...claims, iss: randomUUID() }, unknownSigningKey())),
  ]
}

/** Returns invalid tokens signed with the right key: expired, without expiry, or with another algorithm or issuer. */
export function signedInvalidTokens(token: string, { secret, id }: SigningCredential): InvalidToken[] {
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
    bearer('the text of the secret as the key', sign(claims, Buffer.from(secret))),
  ]
}

/** Returns tokens signed with the right key but without a valid user id or roles, which the service rejects. */
export function tokensWithoutUser(token: string, { secret, id }: SigningCredential): InvalidToken[] {
  const key = Buffer.from(secret, 'base64url')
  const claims: Claims = { ...claimsOf(token), iss: id }
  return [
    bearer('a role that is not in a list', sign({ ...claims, roles: 'admin' }, key)),
    bearer('roles that are not names', sign({ ...claims, roles: [1, { admin: true }] }, key)),
    bearer('no id', sign({ ...claims, id: undefined }, key)),
    bearer('an id that is not a UUID', sign({ ...claims, id: "' OR 1=1 --" }, key)),
    bearer('an id that is a number', sign({ ...claims, id: 1 }, key)),
    bearer('an id that is an array', sign({ ...claims, id: [textOf(claims['id'])] }, key)),
    bearer('a subject instead of an id', sign({ ...claims, id: undefined, sub: textOf(claims['id']) }, key)),
  ]
}

function bearer(description: string, forged: string): InvalidToken {
  return { description, header: `Bearer ${forged}` }
}

function textOf(claim: Json | undefined): string {
  return typeof claim === 'string' ? claim : ''
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
