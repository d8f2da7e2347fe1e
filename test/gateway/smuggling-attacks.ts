import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { send, statuses } from './raw.ts'
import { tokenOf } from './tokens.ts'

/** A request inside a body, without a token, which no service may receive. */
const SMUGGLED = 'GET /api/home/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Requests with an ambiguous end, without their first line, Host and token. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  'a length and chunks': `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks and a length': `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks and a length of the whole': `Transfer-Encoding: chunked\r\nContent-Length: ${SMUGGLED.length + 5}\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks and a length of zero': `Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'two lengths': `Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello${SMUGGLED}`,
  'two lengths, the second one of the whole': `Content-Length: 5\r\nContent-Length: ${SMUGGLED.length + 5}\r\n\r\nhello${SMUGGLED}`,
  'lengths in one field': `Content-Length: 5, 6\r\n\r\nhello${SMUGGLED}`,
  'a signed length': `Content-Length: +5\r\n\r\nhello${SMUGGLED}`,
  'a negative length': `Content-Length: -5\r\n\r\n${SMUGGLED}`,
  'a length in another base': `Content-Length: 0x5\r\n\r\nhello${SMUGGLED}`,
  'a length with a fraction': `Content-Length: 5.0\r\n\r\nhello${SMUGGLED}`,
  'a length over 64 bits': `Content-Length: 18446744073709551621\r\n\r\nhello${SMUGGLED}`,
  'an empty length': `Content-Length:\r\n\r\n${SMUGGLED}`,
  'an unknown coding': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding after chunks': `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding before chunks': `Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks twice': `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'two fields of codings': `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'two fields of codings and a length': `Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding in quotes': `Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding after a vertical tab': `Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a space before the colon': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a space before the colon of a length': `Content-Length : ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  'a space before a name': ` Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a folded line': `X: a\r\n Transfer-Encoding: chunked\r\n\r\n${SMUGGLED}`,
  'a folded value': `Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'bare line feeds': `X: a\nTransfer-Encoding: chunked\n\n0\n\n${SMUGGLED}`,
  'a bare carriage return': `X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a NUL in a value': `X: a\0b\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a NUL in a name': `Transfer-Encoding\0: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a line without a colon': `Transfer-Encoding\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
  'an empty name': `: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk of a bad size': `Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk of a negative size': `Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk of a size in C': `Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk of a size over 64 bits': `Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF1\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk of an empty size': `Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk that is longer than it says': `Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk whose size ends in a line feed': `Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk whose size ends in a carriage return': `Transfer-Encoding: chunked\r\n\r\n5\rhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk extension with a line feed': `Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk that ends in a line feed': `Transfer-Encoding: chunked\r\n\r\n5\r\nhello\n0\r\n\r\n${SMUGGLED}`,
}

/** Requests with a clear end. The bytes after it are a request of their own. */
const CLEAR: Readonly<Record<string, string>> = {
  'a length': 'Content-Length: 5\r\n\r\nhello',
  chunks: 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'chunks with a trailer': 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-User-Id: 1\r\n\r\n',
  'no body': '\r\n',
}

/** Requests that hide another request. */
export function smugglingAttacks(gateway: () => TestGateway): void {
  // Most of them end when there has been no second response for a while.
  test.concurrent.each(Object.keys(AMBIGUOUS))('%s: nothing is smuggled', async (what) => {
    const { port, credentials, upstream } = gateway()
    const outer = `/home/${randomUUID()}`
    const head = `POST /api${outer} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(credentials[0])}\r\n`
    const text = await send(port, `${head}${AMBIGUOUS[what]}`, (answer) => statuses(answer).length > 1, 700)
    const [first = 0, ...more] = statuses(text)
    // Either the request is rejected, or it is unambiguous and the request after it is rejected.
    expect([200, 400, 401, 503]).toContain(first)
    for (const status of more) expect([400, 401]).toContain(status)
    const urls = upstream.received.map(({ url }) => url)
    expect(urls).not.toContain('/home/smuggled')
    if (first === 200) expect(urls).toContain(outer)
  })

  test.each(Object.keys(CLEAR))('%s: the request after it needs its own token', async (what) => {
    const { port, credentials, upstream } = gateway()
    const outer = `/home/${randomUUID()}`
    const head = `POST /api${outer} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(credentials[0])}\r\n`
    const second = 'GET /api/home/second HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const text = await send(port, `${head}${CLEAR[what]}${second}`, (answer) => statuses(answer).length > 1)
    expect(statuses(text)).toEqual([200, 401])
    const received = upstream.take()
    expect(received.map(({ url }) => url)).toContain(outer)
    expect(received.map(({ url }) => url)).not.toContain('/home/second')
    for (const { fields } of received)
      expect(fields.map(([name]) => name.toLowerCase())).not.toContain('x-user-id')
  })

  test.each([
    'GET / HTTP/9.9\r\n\r\n',
    'GET /api/home/x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
    '\r\n\r\n \r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ])('invalid bytes are rejected: %j', async (bytes) => {
    const { port, upstream } = gateway()
    const text = await send(port, bytes, (answer) => statuses(answer).length > 0, 1000)
    for (const status of statuses(text)) expect([400, 404, 426, 505]).toContain(status)
    expect(upstream.take()).toEqual([])
  })

  test('after a rejected request the client gets a response to its next one, or its connection ends', async () => {
    const { port, upstream } = gateway()
    const body = `POST /api/home/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`
    const text = await send(port, body, (answer) => statuses(answer).length > 1, 1000)
    expect(statuses(text)).toEqual([401])
    expect(upstream.take()).toEqual([])
  })
}
