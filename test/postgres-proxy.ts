import { connect, createServer, type Socket } from 'node:net'

/** A proxy to Postgres that records what a client sends, and may stop at one message. */
export interface PostgresProxy {
  readonly port: number
  /** The queries that the client has sent. */
  readonly queries: readonly string[]
  /** Those of them that are prepared under a name: Postgres may keep their plans. */
  readonly prepared: readonly string[]
  close(): Promise<void>
}

/**
 * Forwards the messages of clients, without TLS, to Postgres. After the query with the number `stopAt`, it calls
 * `onStop` and forwards nothing more, not even its result.
 */
export async function startPostgresProxy(
  target: URL,
  { stopAt, onStop }: { stopAt: number; onStop: () => void } = { stopAt: Infinity, onStop: () => {} },
): Promise<PostgresProxy> {
  const queries: string[] = []
  const prepared: string[] = []
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
        const query = isStarted ? queryOf(message) : undefined
        isStarted = true
        if (isStopped) continue
        database.write(message)
        if (query === undefined) continue
        if (isPrepared(message)) prepared.push(query)
        if (queries.push(query) !== stopAt) continue
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
    queries,
    prepared,
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

/** The text of a simple query, or of the first message of one with parameters, which may have a name. */
function queryOf(message: Buffer): string | undefined {
  const type = String.fromCharCode(message[0] ?? 0)
  if (type !== 'Q' && type !== 'P') return undefined
  const start = type === 'Q' ? 5 : message.indexOf(0, 5) + 1
  return message.toString('utf8', start, message.indexOf(0, start))
}

/** Whether the first message of a query with parameters names it. */
function isPrepared(message: Buffer): boolean {
  return message[0] === 'P'.charCodeAt(0) && message[5] !== 0
}
