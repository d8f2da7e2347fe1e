import { connect, type Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import type { Load, LoadResult } from './load-contract.ts'

// A load generator that uses little CPU: it encodes the requests beforehand, sends one at a time on each
// persistent connection, and reads only the status and the end of a response. It runs in a process of its own,
// reads a Load as JSON from standard input and writes a LoadResult to standard output.

const HEADER_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const load = JSON.parse(await text(process.stdin)) as Load
process.stdout.write(JSON.stringify(await run(load)))

async function run({ port, connections, durationMs, pauseMs, requests }: Load): Promise<LoadResult> {
  const encoded = requests.map((request) => Buffer.from(request))
  const histogram = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 })
  const statuses: Record<string, number> = {}
  let bytes = 0
  let next = 0
  const begin = performance.now()
  const until = begin + durationMs
  await Promise.all(Array.from({ length: connections }, () => connection()))
  const seconds = (performance.now() - begin) / 1000
  return {
    perSecond: histogram.count / seconds,
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
    statuses,
    bytes,
  }

  async function connection(): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const nextResponse = readResponses(socket)
    // At least once: a long response may take longer than the duration of the load.
    do {
      const request = encoded[next++ % encoded.length]
      if (request === undefined) throw new Error('No requests to send')
      const start = performance.now()
      socket.write(request)
      const response = await nextResponse()
      histogram.record(Math.max(1, Math.round((performance.now() - start) * 1000)))
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      bytes += response.bytes
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    } while (performance.now() < until)
    socket.destroy()
  }
}

interface ReceivedResponse {
  readonly status: string
  readonly bytes: number
}

/** Returns a function that resolves with the next response on the socket (RFC 9112, one at a time). */
function readResponses(socket: Socket): () => Promise<ReceivedResponse> {
  let settle: { resolve: (response: ReceivedResponse) => void; reject: (error: Error) => void } | undefined
  let head: Buffer = Buffer.alloc(0)
  let status: string | undefined
  /** Bytes of the body still to come; undefined for a chunked one, whose end shows in its last bytes. */
  let remaining: number | undefined
  let tail: Buffer = Buffer.alloc(0)
  let bytes = 0

  socket.on('error', (error) => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('The service closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    let body: Buffer = chunk
    if (status === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(HEADER_END)
      if (end < 0) return
      const headers = head.toString('latin1', 0, end)
      status = headers.slice(9, 12)
      const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1]
      remaining = length === undefined ? undefined : Number(length)
      body = head.subarray(end + HEADER_END.length)
      head = Buffer.alloc(0)
    }
    if (remaining === undefined) {
      tail = Buffer.concat([tail, body.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length)
      if (tail.equals(LAST_CHUNK)) finish()
    } else {
      remaining -= body.length
      if (remaining <= 0) finish()
    }
  })

  function finish(): void {
    const response = { status: status ?? '', bytes }
    status = undefined
    tail = Buffer.alloc(0)
    bytes = 0
    settle?.resolve(response)
  }

  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
}
