import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { get } from './raw.ts'
import { tokenOf } from './tokens.ts'

const CLIENTS = 8

/** Replaces a credential under load. */
export function rotationTests(gateway: () => TestGateway): void {
  test('while a credential is replaced, both are valid and no request fails', async () => {
    const { port, credentials, rotate } = gateway()
    const [old, unused] = credentials
    const fresh = { id: unused.id, secret: randomBytes(32).toString('base64url') }
    const bearer = { old: tokenOf(old), fresh: tokenOf(fresh) }
    const statusOf = async (token: string): Promise<number> =>
      (await get(port, '/api/home/x', [`Authorization: Bearer ${token}`])).status

    const failures: number[] = []
    let answered = 0
    let token = bearer.old
    const flow = { on: true }
    const client = async (): Promise<void> => {
      while (flow.on) {
        const status = await statusOf(token)
        answered += 1
        if (status !== 200) failures.push(status)
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)

    expect(await statusOf(bearer.fresh)).toBe(401)
    await rotate(old.secret, fresh.secret)
    await expect.poll(() => statusOf(bearer.fresh)).toBe(200)
    expect(await statusOf(bearer.old)).toBe(200)

    token = bearer.fresh
    await flowed(() => answered)
    await rotate(randomBytes(32).toString('base64url'), fresh.secret)
    await expect.poll(() => statusOf(bearer.old)).toBe(401)
    expect(await statusOf(bearer.fresh)).toBe(200)

    flow.on = false
    await Promise.all(clients)
    expect(failures).toEqual([])
    await rotate(old.secret, unused.secret)
    expect(answered).toBeGreaterThan(CLIENTS * 4)
    await expect.poll(() => statusOf(bearer.old)).toBe(200)
  })
}

/** Waits for some more responses, after which all requests use the new token. */
async function flowed(answered: () => number): Promise<void> {
  const before = answered()
  while (answered() < before + CLIENTS * 4) await sleep(5)
}
