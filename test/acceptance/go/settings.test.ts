import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../../emit/platform.ts'
import { startService, writeCredentials } from '../../emit/service-process.ts'
import { freshDatabase } from '../../postgres.ts'

const definition = (language: string) => `Shop: project { #authMethod(email); #language(${language}); }
Customer: service { name: string(80); #auth; }
Order: service { customer: Customer; #readable(by: all); }
`

test.each(['typescript', 'go'])('settings replace constants: %s', async (language) => {
  const files = emitProject(platformOf(definition(language)))
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-settings-'))
  const credentials = await writeCredentials(directory)
  const [accounts, orders] = [await freshDatabase(), await freshDatabase()]
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const common = { GATEWAY_CREDENTIALS_FILE: credentials.file }
  const auth = await startService(files, 'auth', {
    ...common,
    DATABASE_URL: accounts.url,
    TOKEN_LIFETIME_MINUTES: '5',
    BCRYPT_COST: '11',
  })
  const order = await startService(files, 'order', {
    ...common,
    DATABASE_URL: orders.url,
    CUSTOMER_INTERNAL_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    SERVICE_TIMEOUT_MS: '300',
    DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: '7000',
    DATABASE_CONNECT_TIMEOUT_MS: '1000',
    DATABASE_IDLE_TIMEOUT_MS: '1000',
  })
  try {
    const post = (url: string, body: object, token = '') =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
    const user = { email: 'a@example.com', password: 'correct horse' }
    const registered = await post(`${auth.url}/auth/register`, user)
    const { AccessToken: token } = (await registered.json()) as { AccessToken: string }
    const { iat = 0, exp } = decodeJwt(token)
    expect(exp).toBe(iat + 5 * 60)
    expect(await accounts.sql`SELECT * FROM auth`).toMatchObject([
      { password_hash: expect.stringMatching(/^\$2[aby]\$11\$/) },
    ])
    const began = performance.now()
    const { status } = await post(`${order.url}/order`, { customer: crypto.randomUUID() }, token)
    expect({ status, isSoon: performance.now() - began < 1500 }).toEqual({ status: 503, isSoon: true })
  } finally {
    silent.closeAllConnections()
    silent.close()
    await Promise.all([auth.discard(), order.discard()])
    await Promise.all([accounts.drop(), orders.drop()])
    await rm(directory, { recursive: true })
  }
})
