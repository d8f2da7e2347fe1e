import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { get, parse, send, statuses } from './raw.ts'
import { tokenOf } from './tokens.ts'

/** The largest body that a service of any definition accepts. */
const LARGEST_BODY = 64 * 1024 * 1024

/** How a gateway refuses a message without an end, if it does not just close the connection. */
const REJECTED: readonly number[] = [400, 413, 431, 503]

/** Messages that are too large or just small enough. */
export function sizeAttacks(gateway: () => TestGateway): void {
  test.each([
    ['one field of 20 kB', () => get(gateway().port, '/api/auth/x', [`X: ${'x'.repeat(20_000)}`])],
    ['many fields of 20 kB together', () => get(gateway().port, '/api/auth/x', manyFields(90, 220))],
    ['a name of 20 kB', () => get(gateway().port, '/api/auth/x', [`${'x'.repeat(20_000)}: x`])],
    ['a target of 20 kB', () => get(gateway().port, `/api/auth/${'x'.repeat(20_000)}`)],
    ['a thousand fields', () => get(gateway().port, '/api/auth/x', manyFields(1000, 1))],
  ] as const)('%s is 431', async (_, attack) => {
    const answer = await attack()
    expect([answer.status, answer.body]).toEqual([431, '{"message": "Request Header Fields Too Large"}'])
    expect(gateway().upstream.take()).toEqual([])
  })

  test('services can read all headers that the gateway accepts', async () => {
    const { port, credentials, upstream } = gateway()
    const token = `Authorization: Bearer ${tokenOf(credentials[0])}`
    for (let size = 12_000; size <= 17_000; size += 250) {
      const long = 'x'.repeat(size)
      for (const [target, ...fields] of [['/api/home/x', `X: ${long}`], [`/api/home/${long}`]] as const) {
        const { body, status } = await get(port, target, [token, ...fields])
        if (status === 200) expect(upstream.take()).toHaveLength(1)
        else expect(body).toBe('{"message": "Request Header Fields Too Large"}')
      }
    }
  })

  test.each([
    ['with its length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
    [
      'in chunks',
      (body: string) =>
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('a body of 64 MiB %s reaches the service completely', async (_, framed) => {
    const { port, credentials } = gateway()
    const head = `POST /api/home/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(credentials[0])}\r\n`
    const bytes = Buffer.from(`${head}${framed('x'.repeat(LARGEST_BODY))}`, 'latin1')
    const text = await send(port, bytes, (answer) => answer.includes('}'))
    expect(parse(text)).toMatchObject({ status: 200, body: `{"bytes":${LARGEST_BODY}}` })
  })

  test('endless chunk extensions are rejected', async () => {
    const { port } = gateway()
    const head = 'POST /api/auth/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
    const text = await send(
      port,
      `${head}${`1;${'x'.repeat(100_000)}\r\na\r\n`.repeat(50)}`,
      (answer) => statuses(answer).length > 0,
      2000,
    )
    expect(statuses(text).filter((status) => !REJECTED.includes(status))).toEqual([])
  })

  test('endless trailers are rejected', async () => {
    const { port } = gateway()
    const head = 'POST /api/auth/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'
    const text = await send(
      port,
      `${head}${`X: ${'x'.repeat(1000)}\r\n`.repeat(200)}`,
      (answer) => statuses(answer).length > 0,
      2000,
    )
    expect(statuses(text).filter((status) => !REJECTED.includes(status))).toEqual([])
  })
}

function manyFields(count: number, size: number): string[] {
  return Array.from({ length: count }, (_, at) => `X-${at}: ${'x'.repeat(size)}`)
}
