import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign as signWith } from 'node:crypto'
import type { Credential } from './gateway.ts'

type Claims = Readonly<Record<string, unknown>>

/** Seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** Returns the claims of a token that is valid for an hour. */
export function validClaims(credential: Credential): Claims {
  return { id: randomUUID(), iss: credential.id, iat: now() - 1, exp: now() + 3600 }
}

/** A valid token. */
export function tokenOf(credential: Credential): string {
  return signed(validClaims(credential), credential.secret)
}

/** Signs a token with any claims and header. Correct by default. */
export function signed(
  claims: Claims | string,
  secret: string | Buffer,
  header: Claims = { alg: 'HS256', typ: 'JWT' },
  hash = 'sha256',
): string {
  const key = typeof secret === 'string' ? Buffer.from(secret, 'base64url') : secret
  const text = `${encode(header)}.${typeof claims === 'string' ? base64(claims) : encode(claims)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

let pair: ReturnType<typeof makeKeys> | undefined

function makeKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function keys(): ReturnType<typeof makeKeys> {
  pair ??= makeKeys()
  return pair
}

/** Invalid tokens, by what is wrong with them. */
export function forgedTokens(credential: Credential, other: Credential): Readonly<Record<string, string>> {
  const claims = validClaims(credential)
  const { secret } = credential
  const good = signed(claims, secret)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const { privateKey, publicKey } = keys()
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' })
  const rsaText = `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}`
  const without = (name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
  const admin = encode({ ...claims, id: randomUUID() })
  return {
    'alg none without a signature': `${encode({ alg: 'none' })}.${payload}.`,
    'alg none with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
    'alg None': `${encode({ alg: 'None' })}.${payload}.`,
    'alg NONE': `${encode({ alg: 'NONE' })}.${payload}.x`,
    'alg nOnE with two parts': `${encode({ alg: 'nOnE' })}.${payload}`,
    'no alg': signed(claims, secret, { typ: 'JWT' }),
    'alg of another type': signed(claims, secret, { alg: 256 }),
    'alg HS256 in lower case': signed(claims, secret, { alg: 'hs256' }),
    'alg HS384 with the right secret': signed(claims, secret, { alg: 'HS384' }, 'sha384'),
    'alg HS512 with the right secret': signed(claims, secret, { alg: 'HS512' }, 'sha512'),
    'alg RS256 with a key of its own': `${rsaText}.${signWith('sha256', Buffer.from(rsaText), privateKey).toString('base64url')}`,
    'alg RS256 over an HMAC': signed(claims, secret, { alg: 'RS256' }),
    'alg HS256 with a public key as the secret': signed(claims, Buffer.from(publicPem)),
    'a key in its header': signed(claims, randomBytes(32), {
      alg: 'HS256',
      jwk: { kty: 'oct', k: base64('x'.repeat(32)) },
    }),
    'a URL of keys in its header': signed(claims, randomBytes(32), {
      alg: 'HS256',
      jku: 'http://127.0.0.1/keys',
    }),
    'a key id that is a path': signed(claims, Buffer.alloc(0), { alg: 'HS256', kid: '../../../../dev/null' }),
    'a key id that is SQL': signed(claims, Buffer.from('x'), {
      alg: 'HS256',
      kid: "' UNION SELECT 'x' --",
    }),
    'another secret': signed(claims, randomBytes(32)),
    'an empty secret': signed(claims, Buffer.alloc(0)),
    'the secret as its text': signed(claims, Buffer.from(secret)),
    'the name of the issuer as the secret': signed(claims, Buffer.from(credential.id)),
    'another issuer': signed({ ...claims, iss: 'nobody' }, secret),
    'the issuer of the other credential': signed({ ...claims, iss: other.id }, secret),
    'the secret of the other credential': signed(claims, other.secret),
    'no issuer': signed(without('iss'), secret),
    'issuers in a list': signed({ ...claims, iss: [credential.id] }, secret),
    'no expiry': signed(without('exp'), secret),
    'an expiry in the past': signed({ ...claims, exp: now() - 60 }, secret),
    'an expiry of zero': signed({ ...claims, exp: 0 }, secret),
    'a negative expiry': signed({ ...claims, exp: -1 }, secret),
    'an expiry that is null': signed({ ...claims, exp: null }, secret),
    'an expiry that is text': signed({ ...claims, exp: String(now() + 3600) }, secret),
    'a beginning in the future': signed({ ...claims, nbf: now() + 3600 }, secret),
    'another payload under its signature': `${header}.${admin}.${signature}`,
    'another header under its signature': `${encode({ alg: 'HS256', x: 1 })}.${payload}.${signature}`,
    'half its signature': `${header}.${payload}.${signature.slice(0, 20)}`,
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'four parts': `${good}.${signature}`,
    'five parts, as if encrypted': `${encode({ alg: 'dir', enc: 'A256GCM' })}..a.b.c`,
    'a payload that is not JSON': signed('not json', secret),
    'a payload that is a list': signed('[]', secret),
    'a header that is not JSON': `${base64('x')}.${payload}.${signature}`,
    'characters of another base64': `${header}.${payload}.+/==`,
    garbage: 'garbage',
    dots: '..',
    nothing: '',
    'ten kilobytes under another secret': signed({ ...claims, x: 'x'.repeat(7000) }, randomBytes(32)),
    'ten kilobytes of rubbish': 'x'.repeat(10_000),
  }
}

function encode(value: unknown): string {
  return base64(JSON.stringify(value))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
