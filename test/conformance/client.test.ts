import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Ask, Client } from '../../src/conformance/client.ts'
import { type Exchange, ShortfallError } from '../../src/conformance/exchange.ts'

const open: (Server | Client)[] = []

afterEach(async () => {
  for (const one of open.splice(0))
    if (one instanceof Client) await one.close()
    else one.close()
})

/** A client of a server that answers as it is told. */
async function clientOf(listener: RequestListener): Promise<Client> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  open.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const client = new Client(`127.0.0.1:${(server.address() as AddressInfo).port}`, 4)
  open.push(client)
  return client
}

/** What a platform that answers like this falls short of; `undefined` where it does not. */
async function shortfall(
  status: number,
  text: string,
  { type = 'application/json', method = 'GET' } = {},
): Promise<string | undefined> {
  const client = await clientOf((_, response) =>
    response.writeHead(status, { 'content-type': type }).end(text),
  )
  return expectationOf(client.send({ method, path: '/' }))
}

async function expectationOf(exchange: Promise<Exchange>): Promise<string | undefined> {
  try {
    await exchange
    return undefined
  } catch (error) {
    if (error instanceof ShortfallError) return error.shortfall.expected
    throw error
  }
}

describe('every answer', () => {
  test('is below 500', async () => {
    expect(await shortfall(500, '{"error":"a"}')).toBe('no status of 500 or above, whatever a client sends')
    expect(await shortfall(499, '{"error":"a"}')).toBeUndefined()
  })

  test('is JSON and says so', async () => {
    expect(await shortfall(200, '{}', { type: 'text/html' })).toBe('content-type: application/json')
    expect(await shortfall(200, '{')).toBe('a JSON body')
    expect(await shortfall(200, '{}', { type: 'application/json; charset=utf-8' })).toBeUndefined()
  })

  test('of failure has one message under one key', async () => {
    const expected = 'an error body with the one key `error` (or, of the gateway, `message`)'
    for (const body of ['{}', '[]', '"a"', '{"errors":"a"}', '{"error":"a","stack":"b"}'])
      expect(await shortfall(400, body), body).toBe(expected)
    expect(await shortfall(401, '{"message":"Unauthorized"}')).toBeUndefined()
  })

  test('comes', async () => {
    const client = await clientOf((request) => request.socket.destroy())
    expect(await expectationOf(client.send({ method: 'GET', path: '/' }))).toBe('an answer')
  })
})

test('a request goes out as it is, with the token of its caller', async () => {
  const seen: string[] = []
  const client = await clientOf((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.writeHead(204).end()
  })
  const as = { name: 'Alice', id: '', token: 'abc' }
  await client.send({ method: 'DELETE', path: '/api/../%2e/x?a=%00', as })
  expect(seen).toEqual(['DELETE /api/../%2e/x?a=%00 Bearer abc'])
  expect(client.count).toBe(1)
})

describe('a body that is too large', () => {
  const ask: Ask = { method: 'POST', path: '/' }

  test('is refused before it has come', async () => {
    const client = await clientOf((request, response) => {
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"error":"large"}')
      request.destroy()
    })
    const { answer } = await client.sendOversize(ask, 8_000_000, false)
    expect([answer.status, answer.text]).toEqual([413, '{"error":"large"}'])
  })

  test('goes out whole, with its length or in chunks', async () => {
    const lengths: (string | undefined)[] = []
    const client = await clientOf((request, response) => {
      let size = 0
      request.on('data', (chunk: Buffer) => (size += chunk.length))
      request.on('end', () => {
        lengths.push(request.headers['content-length'])
        response.setHeader('content-type', 'application/json')
        response.write(`{"size":`)
        response.end(`${size}}`)
      })
    })
    for (const chunked of [false, true])
      expect((await client.sendOversize(ask, 3_000_001, chunked)).answer.text).toBe('{"size":3000001}')
    expect(lengths).toEqual(['3000001', undefined])
  })
})

test('a full queue is waited out', async () => {
  let asked = 0
  const client = await clientOf((_, response) => {
    asked++
    response.setHeader('content-type', 'application/json')
    if (asked === 1) response.writeHead(503, { 'retry-after': '1' }).end('{"error":"full"}')
    else response.end('{}')
  })
  const { answer } = await client.sendPatiently({ method: 'POST', path: '/' })
  expect([answer.status, asked]).toEqual([200, 2])
})
