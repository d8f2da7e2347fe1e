import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The addresses that `localhost` stands for. */
const LOOPBACK = ['127.0.0.1', '::1'] as const
const ATTEMPTS = 20

/** Servers that listen on one port of every loopback address. */
export interface Listening {
  readonly port: number
  /** Ends all connections, also those with a request under way. */
  readonly close: () => Promise<void>
}

/**
 * Listens on loopback alone, on a port that is the same for each of its addresses (0: any free one). An
 * address that the machine does not have is left out. `undefined` when the port is taken.
 */
export async function listenOnLoopback(
  createServer: () => Server,
  port: number,
): Promise<Listening | undefined> {
  for (let attempt = 0; attempt < (port === 0 ? ATTEMPTS : 1); attempt++) {
    const servers: Server[] = []
    const close = () => Promise.all(servers.map(closeServer)).then(() => {})
    let chosen = port
    let taken = false
    for (const host of LOOPBACK) {
      const server = createServer()
      const failure = await listen(server, host, chosen)
      if (failure === undefined) {
        servers.push(server)
        chosen = (server.address() as AddressInfo).port
      } else if (failure.code === 'EADDRINUSE') taken = true
      else if (failure.code !== 'EADDRNOTAVAIL' && failure.code !== 'EAFNOSUPPORT') {
        await close()
        throw failure
      }
    }
    if (!taken && servers.length > 0) return { port: chosen, close }
    await close()
  }
  return undefined
}

function listen(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
