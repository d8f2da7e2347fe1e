import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The addresses of `localhost`. */
const LOOPBACK = ['127.0.0.1', '::1'] as const
const ATTEMPTS = 20

/** Servers that listen on the same port of every loopback address. */
export interface LoopbackServers {
  readonly port: number
  /** Ends all connections, even with requests under way. */
  readonly close: () => Promise<void>
}

/**
 * Listens on the loopback addresses only, on the same port of each (0: any free port). Skips addresses that the
 * machine does not have. Returns `undefined` if the port is in use.
 */
export async function listenOnLoopback(
  createServer: () => Server,
  port: number,
): Promise<LoopbackServers | undefined> {
  for (let attempt = 0; attempt < (port === 0 ? ATTEMPTS : 1); attempt++) {
    const servers: Server[] = []
    const close = () => Promise.all(servers.map(closeServer)).then(() => {})
    let chosen = port
    let inUse = false
    for (const host of LOOPBACK) {
      const server = createServer()
      const failure = await listen(server, host, chosen)
      if (failure === undefined) {
        servers.push(server)
        chosen = (server.address() as AddressInfo).port
      } else if (failure.code === 'EADDRINUSE') inUse = true
      else if (failure.code !== 'EADDRNOTAVAIL' && failure.code !== 'EAFNOSUPPORT') {
        await close()
        throw failure
      }
    }
    if (!inUse && servers.length > 0) return { port: chosen, close }
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
