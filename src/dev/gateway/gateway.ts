import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { GatewayRoute } from '../../model/routes.ts'
import { allowOrigin } from './cors.ts'
import { forward } from './forward.ts'
import { countField } from './headers.ts'
import { isLocalRequest } from './origin.ts'
import {
  discardBody,
  type GatewayStatus,
  rawReply,
  reply,
  type ServedDocument,
  serveDocument,
} from './reply.ts'
import { parseRequestTarget } from './request-target.ts'
import type { VerifyToken } from './verify-token.ts'

/** A completed request, for the log. Without its query, which may contain secrets. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  /** 0 if the client disconnected before the response. */
  readonly status: number
  readonly milliseconds: number
}

/** Configuration of a gateway, which may change while it runs. */
export interface GatewayConfig {
  readonly routes: readonly GatewayRoute[]
  /** `undefined` without authentication. */
  readonly verifyToken: VerifyToken | undefined
  /** Documents that the gateway serves to everyone, by path: the OpenAPI document. */
  readonly documents?: ReadonlyMap<string, ServedDocument>
}

/** How a gateway reaches services. */
export interface GatewayOptions {
  /** The running service; a promise while it starts; `undefined` if it is down. */
  readonly service: (directory: string) => Dispatcher | Promise<Dispatcher | undefined> | undefined
  readonly onRequest?: (request: LoggedRequest) => void
  /**
   * Serves web pages outside the API, by normalized path. Returns whether it responded. Such requests are not logged.
   */
  readonly pages?: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
  /** Origins of web pages that may call the API: `http://localhost:5173`. */
  readonly corsOrigins?: readonly string[]
}

/** A gateway: HTTP servers for loopback addresses with one configuration. */
export interface Gateway {
  /** Creates a server that does not listen yet. */
  readonly createServer: () => Server
  /** Changes the configuration from the next request on. Before the first one, all requests get 503. */
  readonly configure: (config: GatewayConfig) => void
}

/** Limits per connection, against slow HTTP attacks. Times in ms. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const

/**
 * Creates the gateway of `portico dev`. It behaves like the deployed one: routes by whole segments of normalized paths,
 * checks tokens first, removes header fields that only a gateway may set, and exposes only the API. It also rejects
 * requests from web pages of other sites.
 */
export function createGateway(options: GatewayOptions): Gateway {
  let current: ReturnType<typeof compile> | undefined
  const origins = new Set(options.corsOrigins)
  const ownPages = new WeakSet<ServerResponse>()
  const ended = new WeakSet<object>()

  async function handle(request: IncomingMessage, response: ServerResponse, wantsContinue: boolean) {
    const outcome = await examine(request, response)
    if (typeof outcome === 'number') return reply(request, response, outcome)
    if (outcome === 'responded' || response.destroyed) return
    if ('document' in outcome) return serveDocument(request, response, outcome.document)
    if (wantsContinue) response.writeContinue()
    forward(outcome.service, outcome.path, request, response)
  }

  async function examine(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<
    GatewayStatus | 'responded' | { service: Dispatcher; path: string } | { document: ServedDocument }
  > {
    const target = parseRequestTarget(request.url ?? '')
    if (target === undefined || !isUnambiguous(request)) return 400
    const authority = target.authority ?? request.headers.host
    if (!isLocalRequest(authority, request.method ?? '', request.headers, origins)) return 403
    if (current === undefined) return 503
    const { routesByPath, verifyToken, documents } = current
    const document = documents.get(target.path)
    if (document !== undefined) return { document }
    const route = routesByPath.get(servicePath(target.path))
    if (route === undefined) {
      if (options.pages?.(request, response, target.path) !== true) return 404
      ownPages.add(response)
      return 'responded'
    }
    if (allowOrigin(request, response, origins)) return 'responded'
    const needsToken = route.protected && !isPublic(route, request.method ?? '', target.path)
    if (needsToken && verifyToken !== undefined && !(await hasToken(request, verifyToken))) return 401
    const service = await options.service(route.directory)
    if (service === undefined) return 503
    return { service, path: target.path.slice(route.strippedPrefix.length) + target.query }
  }

  function serve(request: IncomingMessage, response: ServerResponse, wantsContinue: boolean): void {
    const began = performance.now()
    // A client that disconnects is not an error; readers of the body notice it themselves.
    request.on('error', () => {})
    response.once('close', () => {
      if (ownPages.has(response)) return
      options.onRequest?.({
        method: request.method ?? '',
        path: (request.url ?? '').replace(/\?.*$/, ''),
        status: response.headersSent ? response.statusCode : 0,
        milliseconds: performance.now() - began,
      })
    })
    // After an ambiguous request, what follows on the connection may be a smuggled request.
    if (ended.has(request.socket)) return
    if (!isUnambiguous(request)) {
      ended.add(request.socket)
      return reply(request, response, 400)
    }
    handle(request, response, wantsContinue).catch(() => reply(request, response, 502))
  }

  return {
    createServer: () =>
      createServer({ ...LIMITS, insecureHTTPParser: false, keepAliveTimeoutBuffer: 1000 })
        .on('request', (request, response) => serve(request, response, false))
        .on('checkContinue', (request, response) => serve(request, response, true))
        .on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
          reply(request, response, 417)
          discardBody(request)
        })
        .on('clientError', (error: NodeJS.ErrnoException, socket) => {
          if (error.code !== 'ECONNRESET' && socket.writable) socket.end(rawReply(clientErrorStatus(error)))
          else socket.destroy()
        }),
    configure: (config) => {
      current = compile(config)
    },
  }
}

function compile({ routes, verifyToken, documents = new Map() }: GatewayConfig) {
  return { routesByPath: new Map(routes.map((route) => [route.path, route])), verifyToken, documents }
}

/** Whether a request has one host, an unambiguous length (RFC 9112, 6.1) and a version with header fields. */
function isUnambiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return (
    countField(rawHeaders, 'host') <= 1 &&
    (coding === undefined || coding.toLowerCase() === 'chunked') &&
    httpVersion !== '0.9'
  )
}

/** Returns the segments that select the service: `/api/home` of `/api/home/1/photo`. */
function servicePath(path: string): string {
  return path.split('/', 3).join('/')
}

function isPublic({ publicPaths, publicRequests }: GatewayRoute, method: string, path: string): boolean {
  return (
    publicPaths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
    publicRequests.some((each) => each.methods.includes(method) && new RegExp(`^${each.path}$`).test(path))
  )
}

async function hasToken(request: IncomingMessage, verifyToken: VerifyToken): Promise<boolean> {
  // With two tokens, one could be checked and the other one used.
  if (countField(request.rawHeaders, 'authorization') > 1) return false
  return verifyToken(request.headers.authorization)
}

function clientErrorStatus({ code }: NodeJS.ErrnoException): GatewayStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}
