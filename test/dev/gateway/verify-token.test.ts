import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createTokenVerifier } from '../../../src/dev/gateway/verify-token.ts'

const first = { id: randomUUID(), secret: randomBytes(32).toString('base64url') }
const second = { id: randomUUID(), secret: randomBytes(32).toString('base64url') }
const verify = createTokenVerifier([first, second])
const HOUR = 3600

function now(): number {
  return Math.floor(Date.now() / 1000)
}

function sign(
  claims: Record<string, unknown> = {},
  { credential = first, algorithm = 'HS256' } = {},
): Promise<string> {
  const payload = { id: randomUUID(), iss: credential.id, iat: now(), exp: now() + HOUR, ...claims }
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
  return new SignJWT(given)
    .setProtectedHeader({ alg: algorithm })
    .sign(Buffer.from(credential.secret, 'base64url'))
}

function handmade(header: object, payload: object, secret: string): string {
  const parts = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${parts}.${createHmac('sha256', Buffer.from(secret, 'base64url')).update(parts).digest('base64url')}`
}

test('tokens of every credential are valid, repeatedly', async () => {
  for (const credential of [first, second]) {
    const token = await sign({}, { credential })
    expect(await verify(`Bearer ${token}`)).toBe(true)
    expect(await verify(`Bearer ${token}`)).toBe(true)
    expect(await verify(`bearer  ${token}`)).toBe(true)
  }
})

test('a token is valid until it expires, even if it is cached', async () => {
  const expiry = now() + 2
  const token = await sign({ exp: expiry })
  expect(await verify(`Bearer ${token}`)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, expiry * 1000 - Date.now() + 10))
  expect(await verify(`Bearer ${token}`)).toBe(false)
})

test.each<[string, () => Promise<string | undefined> | string | undefined]>([
  ['no header', () => undefined],
  ['an empty header', () => ''],
  ['no token', () => 'Bearer '],
  ['another scheme', async () => `Basic ${await sign()}`],
  ['no scheme', () => sign()],
  ['two tokens', async () => `Bearer ${await sign()}, Bearer ${await sign()}`],
  ['rubbish', () => 'Bearer a.b.c'],
  ['expired', async () => `Bearer ${await sign({ exp: now() - 1 })}`],
  ['no expiry', async () => `Bearer ${await sign({ exp: undefined })}`],
  ['an expiry that is not a number', async () => `Bearer ${await sign({ exp: 'never' })}`],
  ['not valid yet', async () => `Bearer ${await sign({ nbf: now() + HOUR })}`],
  ['issued in the future', async () => `Bearer ${await sign({ iat: now() + HOUR })}`],
  ['no issuer', async () => `Bearer ${await sign({ iss: undefined })}`],
  ['an unknown issuer', async () => `Bearer ${await sign({ iss: randomUUID() })}`],
  ['the issuer of another secret', async () => `Bearer ${await sign({ iss: second.id })}`],
  ['another algorithm', async () => `Bearer ${await sign({}, { algorithm: 'HS512' })}`],
  [
    'no algorithm',
    () =>
      `Bearer ${handmade({ alg: 'none' }, { iss: first.id, exp: now() + HOUR }, first.secret).replace(/[^.]*$/, '')}`,
  ],
  [
    'a critical extension',
    () =>
      `Bearer ${handmade({ alg: 'HS256', crit: ['x'], x: 1 }, { iss: first.id, exp: now() + HOUR }, first.secret)}`,
  ],
  [
    'a changed payload',
    async () => {
      const [header, , signature] = (await sign()).split('.')
      const payload = { id: randomUUID(), iss: first.id, iat: now(), exp: now() + HOUR }
      return `Bearer ${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`
    },
  ],
])('%s is rejected', async (_, header) => {
  expect(await verify(await header())).toBe(false)
})
