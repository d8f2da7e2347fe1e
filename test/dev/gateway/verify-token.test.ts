import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTokenVerifier } from '../../../src/dev/gateway/verify-token.ts'
import { slots } from '../../gateway/dev-gateway.ts'
import { now, signed, tokenOf, validClaims } from '../../gateway/tokens.ts'

const [first, second] = slots()
const verify = createTokenVerifier([first, second])

test('tokens of every credential are valid, repeatedly', async () => {
  for (const credential of [first, second]) {
    const token = tokenOf(credential)
    expect(await verify(`Bearer ${token}`)).toBe(true)
    expect(await verify(`Bearer ${token}`)).toBe(true)
    expect(await verify(`bearer  ${token}`)).toBe(true)
  }
})

test('a token is valid until it expires, even if it is cached', async () => {
  const expiry = now() + 2
  const token = signed({ ...validClaims(first), exp: expiry }, first.secret)
  expect(await verify(`Bearer ${token}`)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, expiry * 1000 - Date.now() + 10))
  expect(await verify(`Bearer ${token}`)).toBe(false)
})

// What other gateways reject as well is in test/gateway/tokens.ts.
test.each([
  ['issued in the future', signed({ ...validClaims(first), iat: now() + 3600 }, first.secret)],
  [
    'with a critical extension',
    signed(validClaims(first), first.secret, { alg: 'HS256', crit: ['x'], x: 1 }),
  ],
  ['of an unknown issuer', signed({ ...validClaims(first), iss: randomUUID() }, first.secret)],
])('a token %s is rejected', async (_, token) => {
  expect(await verify(`Bearer ${token}`)).toBe(false)
})
