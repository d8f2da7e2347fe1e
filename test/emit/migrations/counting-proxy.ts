import { connect, createServer, type Socket } from 'node:net'

/** A proxy to Postgres that stops at one message of the client. */
export interface CountingProxy {
  readonly port: number
  /** How many queries the client has sent. */
  readonly count: number
  close(): Promise<void>
}

/** `Q`: a simple query. `P`: the first message of one with parameters. */
const QUERIES = new Set(['Q', 'P'])

/**
 * Forwards a client's messages to Postgres. After the query with the number `stopAt`, it calls `onStop` and forwards
 * nothing more, not even its result.
 */
export async function startCountingProxy(
  target: URL,
  { stopAt, onStop }: { stopAt: number; onStop: () => void },
): Promise<CountingProxy> {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let received = Buffer.alloc(0)
    let isStarted = false
    let isStopped = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
    database.on('data', (data) => {
      if (!isStopped) client.write(data)
    })
    client.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      for (let end = lengthOf(received, isStarted); end !== undefined; end = lengthOf(received, isStarted)) {
        const message = received.subarray(0, end)
        received = received.subarray(end)
        const isQuery = isStarted && QUERIES.has(String.fromCharCode(message[0] ?? 0))
        isStarted = true
        if (isStopped) continue
        database.write(message)
        if (!isQuery || ++count !== stopAt) continue
        isStopped = true
        onStop()
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    port: address.port,
    get count() {
      return count
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The length of the first message; `undefined` if it is incomplete. The first of a connection has no type. */
function lengthOf(received: Buffer, isStarted: boolean): number | undefined {
  const offset = isStarted ? 1 : 0
  if (received.length < offset + 4) return undefined
  const length = offset + received.readUInt32BE(offset)
  return received.length < length ? undefined : length
}
