import { createServer, request as httpRequest } from 'node:http'
import { freePort } from '../../free-port.ts'

/** A running proxy. */
export interface PathProxy {
  /** The URL that the target is served at, without a slash at the end. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts a reverse proxy that serves a target below a path and removes that path from requests, as code-server does
 * with `/proxy/8080/`. Other paths are not found.
 *
 * @param host the Host that the target sees, and the host of the Origin, as if the proxy were on another machine
 */
export async function startPathProxy(target: string, prefix: string, host: string): Promise<PathProxy> {
  const server = createServer((request, response) => {
    const { url = '', method = 'GET' } = request
    const headers = { ...request.headers, host }
    if (headers.origin !== undefined) headers.origin = `https://${host}`
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end()
      return
    }
    const forwarded = httpRequest(target + url.slice(prefix.length), { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${port}${prefix}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
