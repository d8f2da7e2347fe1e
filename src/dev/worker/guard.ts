import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { isFromThisMachine } from '../gateway/origin.ts'

/**
 * Refuses, in all HTTP servers of this thread, what the gateway would refuse for its Host or Origin. Services
 * listen on loopback beside it, where a web page could find them by trying one port after the other.
 */
export function guardServers(): void {
  const listeners = new WeakSet<Server>()
  // Generated code calls this once for each of its servers; there is no other place to come in before it.
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { listen } = Server.prototype
  Server.prototype.listen = function guarded(this: Server, ...parameters: unknown[]) {
    if (!listeners.has(this)) {
      listeners.add(this)
      for (const event of ['request', 'checkContinue'] as const) guard(this, event)
    }
    return Reflect.apply(listen, this, parameters) as Server
  }
}

function guard(server: Server, event: 'request' | 'checkContinue'): void {
  const listeners = server.listeners(event) as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  if (listeners.length === 0) return
  server.removeAllListeners(event)
  server.on(event, (request: IncomingMessage, response: ServerResponse) => {
    if (isFromThisMachine(request.headers.host, request.method ?? '', request.headers))
      for (const listener of listeners) listener.call(server, request, response)
    else response.writeHead(403, { connection: 'close' }).end()
  })
}
