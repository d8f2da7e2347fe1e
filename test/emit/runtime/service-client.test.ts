import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { NOT_SERVING } from '../../../templates/typescript/lib/errors.ts'
import { clientOf } from '../../../templates/typescript/lib/services.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Sends a request to a service that first answers 503 with this error. Returns how often it was asked. */
async function attempts(method: 'GET' | 'POST', error: string): Promise<number> {
  let asked = 0
  const answering = createServer((_request, response) => {
    asked++
    response.writeHead(asked === 1 ? 503 : 200).end(JSON.stringify(asked === 1 ? { error } : {}))
  })
  server = answering
  await new Promise<void>((resolve) => {
    answering.listen(0, '127.0.0.1', resolve)
  })
  const client = clientOf('City', `http://127.0.0.1:${(answering.address() as AddressInfo).port}`, 2000)
  await client.send(method, '/api/city', undefined, method === 'GET' ? undefined : {}).catch(() => {})
  return asked
}

test.each([
  ['GET', NOT_SERVING, 2],
  ['GET', 'City is unavailable', 2],
  ['POST', NOT_SERVING, 2],
  // Its database may have stored the entity before the connection broke.
  ['POST', 'City is unavailable', 1],
] as const)('%s after 503 %j is sent %i times', async (method, error, expected) => {
  expect(await attempts(method, error)).toBe(expected)
})

test('a service that does not respond is unavailable after two seconds, and asked once', async () => {
  let asked = 0
  const silent = createServer(() => {
    asked++
  })
  server = silent
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const client = clientOf('City', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, 2000)
  const began = performance.now()
  await expect(client.send('GET', '/api/city', undefined)).rejects.toMatchObject({
    status: 503,
    message: 'City is unavailable',
  })
  const took = performance.now() - began
  expect(took).toBeGreaterThan(1500)
  expect(took).toBeLessThan(5000)
  expect(asked).toBe(1)
})
