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

// Serves the explorer's page, and passes everything below /api/ on to the gateway: to the browser, both are one site.

/** What is answered on one path. */
interface Page {
  /** Relative to this file. */
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
}

/** Fields that hold for one connection alone (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

const gateway = new URL(process.env['GATEWAY'] ?? 'http://gateway:10000')
const send = gateway.protocol === 'https:' ? sendEncrypted : sendPlain
const pages = JSON.parse(readFileSync(new URL('pages.json', import.meta.url), 'utf8')) as Record<string, Page>
const read = new Map(
  Object.entries(pages).map(([path, { file, headers }]) => [
    path,
    { headers, content: readFileSync(new URL(file, import.meta.url)) },
  ]),
)

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = (request.url ?? '').split('?', 1)
  if (path.startsWith('/api/')) return passOn(request, response)
  const page = read.get(path)
  request.resume()
  if (page === undefined) return refuse(response, 404, 'Not Found')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return refuse(response, 405, 'Method Not Allowed')
  }
  response.writeHead(200, { ...page.headers, 'content-length': page.content.length })
  response.end(request.method === 'HEAD' ? undefined : page.content)
}

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const onward = send({
    host: gateway.hostname,
    port: gateway.port,
    path: request.url,
    method: request.method,
    headers: { ...withoutConnection(request.headers), host: gateway.host },
  })
  onward.once('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, withoutConnection(answered.headers))
    // A body that breaks off breaks the connection, so that nobody takes it for a whole one.
    pipeline(answered, response, () => {})
  })
  pipeline(request, onward, (error) => {
    if (!error || response.headersSent) return
    refuse(response, 502, 'The gateway does not answer')
  })
  response.once('close', () => onward.destroy())
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify({ message })}\n`)
}

const server = createServer(answer)
server.listen(Number(process.env['PORT'] ?? 8090), process.env['HOST'] ?? '0.0.0.0', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`The explorer listens on port ${port}, for the gateway at ${gateway.origin}.\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close()
    server.closeIdleConnections()
  })
