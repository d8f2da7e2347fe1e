import { connect } from 'node:net'
import type { ReceivedResponse } from './exchange.ts'

/** How long to wait for a response, in ms. */
export const TIMEOUT_MS = 60_000

/** How long to wait for a response to the header before sending the body, in ms. */
const EARLY_RESPONSE_MS = 100

/**
 * Sends a header and a body of `bytes` spaces on a new connection, and reads one response, which may arrive at any
 * time. `gateway` is `host:port`. Rejects if the connection ends without a response.
 */
export function sendRaw(
  gateway: string,
  head: string,
  bytes: number,
  chunked: boolean,
): Promise<ReceivedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>()
  const { hostname, port } = new URL(`http://${gateway}`)
  const socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''))
  let received = ''
  let done = false
  const finish = () => {
    if (done) return
    done = true
    const response = parseResponse(received)
    if (response) resolve(response)
    else reject(new Error('the connection ended without a response'))
    socket.destroy()
  }
  socket.setTimeout(TIMEOUT_MS, finish)
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    if (isWhole(received)) finish()
  })
  socket.on('error', finish)
  socket.on('close', finish)
  const piece = Buffer.alloc(64 * 1024, ' ')
  let left = bytes
  const write = (): void => {
    if (done || left === 0) return
    const part = piece.subarray(0, Math.min(left, piece.length))
    left -= part.length
    if (chunked) socket.write(`${part.length.toString(16)}\r\n`)
    const more = socket.write(part)
    if (chunked) socket.write(left === 0 ? '\r\n0\r\n\r\n' : '\r\n')
    if (more) setImmediate(write)
    else socket.once('drain', write)
  }
  socket.on('connect', () => {
    socket.write(head)
    // A declared length can be rejected before the body arrives. Writing to a closing connection could lose
    // that response.
    if (chunked) write()
    else setTimeout(write, EARLY_RESPONSE_MS)
  })
  return promise
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: *(\d+)/im.exec(received.slice(0, end))?.[1]
  if (length !== undefined) return received.length >= end + 4 + Number(length)
  return received.endsWith('\r\n0\r\n\r\n')
}

function parseResponse(received: string): ReceivedResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1]
  if (end === -1 || status === undefined) return undefined
  const headers: Record<string, string> = {}
  for (const line of received.slice(0, end).split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = received.slice(end + 4)
  return {
    status: Number(status),
    headers,
    text: headers['content-length'] === undefined ? unchunk(body) : body,
  }
}

function unchunk(body: string): string {
  let rest = body
  let text = ''
  for (;;) {
    const line = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, line), 16)
    if (line === -1 || !size) return text
    text += rest.slice(line + 2, line + 2 + size)
    rest = rest.slice(line + 4 + size)
  }
}
