import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Calls: project { #authMethod(email); }
Person: service { name: string; #auth; }
City: service { name: string; }
Trip: service { from: City; to: City; with: Person; }
`
/** What the stand-in for City answers with, and what it was asked. */
const city = { status: 200, body: '{"unknown":[]}', drop: 0, starting: 0 }
const asked: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []

let server: Server
let platform: RunningPlatform
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ url: request.url, headers: request.headers, body })
      if (city.drop-- > 0) request.socket.destroy()
      else if (city.starting-- > 0) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.writeHead(city.status).end(city.body)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  platform = await runPlatform(DEFINITION, { env: { CITY_INTERNAL_URL: `http://127.0.0.1:${address.port}` } })
})
afterAll(async () => {
  await platform.stop()
  server.closeAllConnections()
  server.close()
})

const user = newUser()
async function create(headers: Record<string, string> = {}) {
  const [from, to] = [newUser(), newUser()]
  await platform.call('POST', '/person', { as: user, body: { name: 'x' } })
  asked.splice(0)
  const answer = await platform.call('POST', '/trip', { as: user, body: { from, to, with: user }, headers })
  return { answer, from, to }
}

describe('a call to another service', () => {
  test('is one for all references to it, with the caller’s token and the request’s id', async () => {
    const { answer, from, to } = await create({ 'x-request-id': 'the-request' })
    expect(answer.status).toBe(201)
    expect(asked).toEqual([
      {
        url: '/references',
        headers: expect.objectContaining({
          authorization: await platform.authorization(user),
          'x-request-id': 'the-request',
        }),
        body: JSON.stringify({ ids: [from, to] }),
      },
    ])
  })

  test('is made again where kept connections were closed', async () => {
    city.drop = 3
    expect((await create()).answer.status).toBe(201)
    expect(asked).toHaveLength(4)
  })

  test('is made again where it met an instance that starts', async () => {
    city.starting = 3
    expect((await create()).answer.status).toBe(201)
    expect(asked).toHaveLength(4)
  })

  test('is made again where nobody takes it for a moment, and given up where nobody ever does', async () => {
    const address = server.address() as AddressInfo
    server.closeAllConnections()
    server.close()
    const away = await create()
    expect([away.answer.status, away.answer.json]).toEqual([503, { error: 'City is unavailable' }])
    const answered = create()
    await setTimeout(100)
    await new Promise<void>((resolve) => {
      server.listen(address.port, '127.0.0.1', resolve)
    })
    expect((await answered).answer.status).toBe(201)
  })

  test.each([
    ['an error', 500, '{"error":"x"}', 503, 'City is unavailable'],
    ['what is not JSON', 200, '<html>', 503, 'City is unavailable'],
    ['that the token expired meanwhile', 401, '{"error":"Unauthorized"}', 401, 'Unauthorized'],
  ])(
    'answered with %s is not taken for a reference that holds',
    async (_what, status, body, answered, error) => {
      Object.assign(city, { status, body })
      const { answer } = await create()
      expect([answer.status, answer.json]).toEqual([answered, { error }])
    },
  )
})

describe('a setup that fails', () => {
  test('keeps the service from starting, and the log says why', async () => {
    const setup = setupText(
      `export default async function setup(): Promise<void> {
  throw new Error('No such queue')
}
`,
      'failing.go',
    )
    const started = runPlatform('P: project {}\nThing: service { text: string; }', {
      setup: { thing: setup },
    })
    await expect(started).rejects.toThrow(/No such queue/)
  })
})
