import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** A stable address for a service's internal port, which changes with each start. */
export interface InternalAddress {
  /** `http://127.0.0.1:41234` */
  readonly url: string
  close(): void
}

/**
 * Listens on 127.0.0.1 and forwards connections to the service's current port. A connection starts an idle service
 * and is closed if the service is down.
 */
export async function openInternalAddress(
  internalPort: () => Promise<number | undefined>,
): Promise<InternalAddress> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    client.once('close', () => sockets.delete(client)).on('error', () => {})
    internalPort().then(
      (port) => {
        if (port === undefined || client.destroyed) return client.destroy()
        const service = connect({ port, host: '127.0.0.1', noDelay: true })
        client.setNoDelay(true)
        pipeline(client, service, client, () => service.destroy())
        return undefined
      },
      () => client.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
