import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type RequestOptions, Client } from '../../src/conformance/client.ts'
import { type Exchange, ViolationError } from '../../src/conformance/exchange.ts'

const open: (Server | Client)[] = []

afterEach(async () => {
  for (const one of open.splice(0))
    if (one instanceof Client) await one.close()
    else one.close()
})

/** Creates a client of a server with this listener. */
async function clientOf(listener: RequestListener): Promise<Client> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  open.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const client = new Client(`127.0.0.1:${(server.address() as AddressInfo).port}`, 4)
  open.push(client)
  return client
}

/** Returns the expectation that this response violates; `undefined` if it violates none. */
async function violation(
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
    if (error instanceof ViolationError) return error.violation.expected
    throw error
  }
}

describe('every response', () => {
  test('has a status below 500', async () => {
    expect(await violation(500, '{"error":"a"}')).toBe('no status of 500 or above')
    expect(await violation(499, '{"error":"a"}')).toBeUndefined()
  })

  test('is JSON and says so', async () => {
    expect(await violation(200, '{}', { type: 'text/html' })).toBe('content-type: application/json')
    expect(await violation(200, '{')).toBe('a JSON body')
    expect(await violation(200, '{}', { type: 'application/json; charset=utf-8' })).toBeUndefined()
  })

  test('to an invalid request has one message under one key', async () => {
    const expected = 'an error body with the single key `error` (or `message` from the gateway)'
    for (const body of ['{}', '[]', '"a"', '{"errors":"a"}', '{"error":"a","stack":"b"}'])
      expect(await violation(400, body), body).toBe(expected)
    expect(await violation(401, '{"message":"Unauthorized"}')).toBeUndefined()
  })

  test('is required', async () => {
    const client = await clientOf((request) => request.socket.destroy())
    expect(await expectationOf(client.send({ method: 'GET', path: '/' }))).toBe('a response')
  })
})

test('a request is sent unchanged, with the token of its user', async () => {
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

describe('an oversize body', () => {
  const oversize: RequestOptions = { method: 'POST', path: '/' }

  test('can be rejected before it was sent', async () => {
    const client = await clientOf((request, response) => {
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"error":"large"}')
      request.destroy()
    })
    const received = await client.sendOversize(oversize, 8_000_000, false)
    expect([received.response.status, received.response.text]).toEqual([413, '{"error":"large"}'])
  })

  test('is sent completely, with its length or chunked', async () => {
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
      expect((await client.sendOversize(oversize, 3_000_001, chunked)).response.text).toBe('{"size":3000001}')
    expect(lengths).toEqual(['3000001', undefined])
  })
})

test('a request is repeated when the queue is full', async () => {
  let attempts = 0
  const client = await clientOf((_, response) => {
    attempts++
    response.setHeader('content-type', 'application/json')
    if (attempts === 1) response.writeHead(503, { 'retry-after': '1' }).end('{"error":"full"}')
    else response.end('{}')
  })
  const { response } = await client.sendWithRetry({ method: 'POST', path: '/' })
  expect([response.status, attempts]).toEqual([200, 2])
})
