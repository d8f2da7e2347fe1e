import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { GatewayRoute } from '../../model/routes.ts'
import { forward } from './forward.ts'
import { countField } from './headers.ts'
import { isFromThisMachine } from './origin.ts'
import { discardBody, type GatewayStatus, rawReply, reply } from './reply.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'
import { parseTarget } from './target.ts'
import type { VerifyToken } from './tokens.ts'

/** One answered request, for the log. The query is not part of it: users may put secrets there. */
export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  /** 0 when the client went away before it was answered. */
  readonly status: number
  readonly milliseconds: number
}

/** What a gateway needs to know; it may change while it runs. */
export interface GatewayRules {
  readonly routes: readonly GatewayRoute[]
  /** `undefined` without authentication. */
  readonly verifyToken: VerifyToken | undefined
  /** What the gateway serves to everybody itself, by path: the description of the API. */
  readonly documents?: ReadonlyMap<string, ServedDocument>
}

/** How a gateway reaches services. */
export interface GatewayOptions {
  /** The service as it serves now; a promise while it starts; `undefined` when it is down. */
  readonly service: (directory: string) => Dispatcher | Promise<Dispatcher | undefined> | undefined
  readonly onRequest?: (request: AnsweredRequest) => void
  /**
   * Answers what is no part of the API, given its normalised path: pages for people. Gives whether it did. Such
   * requests are not told to `onRequest`.
   */
  readonly pages?: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
}

/** A gateway: HTTP servers for loopback addresses that share their rules. */
export interface Gateway {
  /** A new server; it listens to nothing yet. */
  readonly createServer: () => Server
  /** From the next request on. Before the first rules, no path belongs to a service. */
  readonly setRules: (rules: GatewayRules) => void
}

/** Bounds on what a connection may take (OWASP on slow HTTP attacks). Times in ms. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const

/**
 * The gateway of `portico dev`. It follows the contract of the deployed one: whole segments of normalised
 * paths, token checks before anything else of a service's path, nothing of a client that could pass for the
 * gateway's own, nothing exposed but the API. It also refuses what comes from other machines' pages.
 */
export function createGateway(options: GatewayOptions): Gateway {
  let { routesByPath, verifyToken, documents } = compile({ routes: [], verifyToken: undefined })
  const ownPages = new WeakSet<ServerResponse>()
  const ended = new WeakSet<object>()

  async function handle(request: IncomingMessage, response: ServerResponse, wantsContinue: boolean) {
    const outcome = await examine(request, response)
    if (typeof outcome === 'number') return reply(request, response, outcome)
    if (outcome === 'answered' || response.destroyed) return
    if ('document' in outcome) return serveDocument(request, response, outcome.document)
    if (wantsContinue) response.writeContinue()
    forward(outcome.service, outcome.path, request, response)
  }

  async function examine(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<
    GatewayStatus | 'answered' | { service: Dispatcher; path: string } | { document: ServedDocument }
  > {
    const target = parseTarget(request.url ?? '')
    if (target === undefined || !isUnambiguous(request)) return 400
    const authority = target.authority ?? request.headers.host
    if (!isFromThisMachine(authority, request.method ?? '', request.headers)) return 403
    const document = documents.get(target.path)
    if (document !== undefined) return { document }
    const route = routesByPath.get(servicePath(target.path))
    if (route === undefined) {
      if (options.pages?.(request, response, target.path) !== true) return 404
      ownPages.add(response)
      return 'answered'
    }
    if (route.protected && verifyToken !== undefined && !(await hasToken(request, verifyToken))) return 401
    const service = await options.service(route.directory)
    if (service === undefined) return 503
    return { service, path: target.path.slice(route.stripped.length) + target.query }
  }

  function serve(request: IncomingMessage, response: ServerResponse, wantsContinue: boolean): void {
    const began = performance.now()
    // A client that goes away while it sends is no fault; whoever reads the body notices by itself.
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
    // What follows on such a connection may be what its sender wanted to pass for a request.
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
    setRules: (rules) => {
      ;({ routesByPath, verifyToken, documents } = compile(rules))
    },
  }
}

function compile({ routes, verifyToken, documents = new Map() }: GatewayRules) {
  return { routesByPath: new Map(routes.map((route) => [route.path, route])), verifyToken, documents }
}

/** One host, a length that every recipient works out alike (RFC 9112, 6.1), and a version that has fields. */
function isUnambiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return (
    countField(rawHeaders, 'host') <= 1 &&
    (coding === undefined || coding.toLowerCase() === 'chunked') &&
    httpVersion !== '0.9'
  )
}

/** `/api/home` of `/api/home/1/photo`: the segments that choose the service. */
function servicePath(path: string): string {
  return path.split('/', 3).join('/')
}

async function hasToken(request: IncomingMessage, verifyToken: VerifyToken): Promise<boolean> {
  // Of two tokens, one could be checked and the other one used.
  if (countField(request.rawHeaders, 'authorization') > 1) return false
  return verifyToken(request.headers.authorization)
}

function clientErrorStatus({ code }: NodeJS.ErrnoException): GatewayStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}
