import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendPlain,
  type ServerResponse,
} from 'node:http'
import { request as sendEncrypted } from 'node:https'
import { pipeline } from 'node:stream'

// Serves the explorer's page and forwards requests below /api/ to the gateway, so that both have one origin.

/** The file that is served on one path. */
interface Page {
  /** Relative to this file. */
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
}

/** Header fields that apply to one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

// Portico prints the address of a gateway without a scheme: localhost:8080.
const gatewayAddress = process.env['GATEWAY'] ?? 'gateway:10000'
const gateway = new URL(gatewayAddress.includes('://') ? gatewayAddress : `http://${gatewayAddress}`)
const send = gateway.protocol === 'https:' ? sendEncrypted : sendPlain
const pages = JSON.parse(readFileSync(new URL('pages.json', import.meta.url), 'utf8')) as Record<string, Page>
const files = new Map(
  Object.entries(pages).map(([path, { file, headers }]) => [
    path,
    { headers, content: readFileSync(new URL(file, import.meta.url)) },
  ]),
)

/** How long the gateway may send and read nothing, in ms. It gives services 60 s. */
const IDLE_MS = 70_000

function handle(request: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = (request.url ?? '').split('?', 1)
  if (path.startsWith('/api/')) return forward(request, response)
  const page = files.get(path)
  request.resume()
  if (page === undefined) return respond(response, 404, 'Not Found')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return respond(response, 405, 'Method Not Allowed')
  }
  response.writeHead(200, { ...page.headers, 'content-length': page.content.length })
  response.end(request.method === 'HEAD' ? undefined : page.content)
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const forwarded = send({
    host: gateway.hostname,
    port: gateway.port,
    path: request.url,
    method: request.method,
    headers: { ...withoutHopByHop(request.headers), host: gateway.host },
    timeout: IDLE_MS,
  })
  forwarded.once('response', (received) => {
    // Node reads other status codes, but does not write them.
    if (received.statusCode === undefined || received.statusCode < 200) {
      forwarded.destroy()
      return
    }
    response.writeHead(received.statusCode, withoutHopByHop(received.headers))
    // An incomplete body closes the connection, so that the client does not take it for a complete one.
    pipeline(received, response, () => {})
  })
  forwarded.once('timeout', () => {
    fail(504, 'The gateway did not respond in time')
    forwarded.destroy()
  })
  // The only event that follows each failure: no connection, an early end, or a response that is not HTTP.
  forwarded.once('close', () => fail(502, 'The gateway is not reachable, or its response is invalid'))
  forwarded.on('error', () => {})
  pipeline(request, forwarded, () => {})
  response.once('close', () => forwarded.destroy())

  function fail(status: number, message: string): void {
    if (response.headersSent) return
    // The rest of the request is not read.
    response.setHeader('connection', 'close')
    respond(response, status, message)
  }
}

function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

function respond(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify({ message })}\n`)
}

const server = createServer(handle)
server.listen(Number(process.env['PORT'] ?? 8090), process.env['HOST'] ?? '0.0.0.0', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`The explorer listens on port ${port} and forwards requests to ${gateway.origin}.\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close()
    server.closeIdleConnections()
  })
