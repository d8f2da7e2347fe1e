import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Deployment } from './deployment.ts'

const CREATES = 10
/** The largest `plan` of a home. Random, so that the database cannot compress it. */
const PLAN_BYTES = 10_000_000

/** Many large rows at the same time. */
export function largeRows(small: () => Deployment): void {
  async function post(target: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const text = JSON.stringify(body)
    for (;;) {
      const options = { method: 'POST', headers, body: text }
      const response = await fetch(`http://${small().gateway}/api/${target}`, options).catch(() => undefined)
      if (response?.status === 201) return (await response.json()) as Record<string, string>
      // Too many large bodies are refused. The connection may break if that happens before all of one was sent.
      expect(response?.status ?? 503).toBe(503)
      await sleep(1000)
    }
  }

  test('created at the same time do not exhaust the memory of the database', async () => {
    const user = { email: 'large@example.com', password: 'correct horse' }
    const { AccessToken } = await post('auth/register', user)
    const headers = { authorization: `Bearer ${AccessToken}` }
    const { id: owner } = await post('owner', { name: 'Ada' }, headers)
    const plan = randomBytes(PLAN_BYTES).toString('base64')
    const home = (_: unknown, index: number) => post('home', { address: `${index}`, plan, owner }, headers)
    await Promise.all(Array.from({ length: CREATES }, home))

    const [database] = await small().containers('home-db')
    expect(database?.State.OOMKilled).toBe(false)
    expect(database?.RestartCount).toBe(0)
    // Otherwise the server went on without the process of a connection.
    const { stdout } = await small().compose('logs', 'home-db')
    expect(stdout).not.toContain('was terminated by signal')
  })
}
