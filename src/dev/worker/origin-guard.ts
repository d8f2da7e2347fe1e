import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLocalRequest } from '../gateway/origin.ts'

/** Ports of the API and the internal listener, as in a deployment. */
export interface Ports {
  readonly port: number
  readonly internalPort: number
}

/** What the service is told to listen on. The guard opens free ports instead. */
export const PLACEHOLDERS: Ports = { port: 1, internalPort: 2 }

/**
 * Makes all HTTP servers of this thread reject requests whose Host or Origin the gateway would reject. Services listen
 * on loopback too, where a web page could find them by trying every port. The API also accepts pages of `origins`, whose
 * requests the gateway forwards. Calls `onReady` when the service listens on both its ports: its log does not say so at
 * every level.
 */
export function guardServers(origins: ReadonlySet<string>, onReady: (ports: Ports) => void): void {
  const listeners = new WeakSet<Server>()
  let internalPort: number | undefined
  // Generated code calls `listen` once for each server, and nothing else can run before it.
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { listen } = Server.prototype
  Server.prototype.listen = function guarded(this: Server, ...parameters: unknown[]) {
    const [wanted, ...others] = parameters
    if (!listeners.has(this)) {
      listeners.add(this)
      const allowed = wanted === PLACEHOLDERS.port ? origins : new Set<string>()
      for (const event of ['request', 'checkContinue'] as const) guard(this, event, allowed)
    }
    if (wanted !== PLACEHOLDERS.port && wanted !== PLACEHOLDERS.internalPort)
      return Reflect.apply(listen, this, parameters) as Server
    this.once('listening', () => {
      const { port } = this.address() as AddressInfo
      if (wanted === PLACEHOLDERS.internalPort) internalPort = port
      else if (internalPort !== undefined) onReady({ port, internalPort })
    })
    return Reflect.apply(listen, this, [0, ...others]) as Server
  }
}

function guard(server: Server, event: 'request' | 'checkContinue', origins: ReadonlySet<string>): void {
  const listeners = server.listeners(event) as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  if (listeners.length === 0) return
  server.removeAllListeners(event)
  server.on(event, (request: IncomingMessage, response: ServerResponse) => {
    if (isLocalRequest(request.headers.host, request.method ?? '', request.headers, origins))
      for (const listener of listeners) listener.call(server, request, response)
    else response.writeHead(403, { connection: 'close' }).end()
  })
}
