import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { explorerDocuments } from '../../emit/explorer/documents.ts'
import { headersOf, SECURITY_HEADERS } from '../../emit/explorer/headers.ts'
import type { Platform } from '../../model/platform.ts'
import type { OnEvent } from '../events.ts'
import type { GrantRole } from '../gateway/grant-role.ts'
import { discardBody, reply } from '../gateway/reply.ts'
import { openAssets } from './assets.ts'
import { createEventLog } from './event-log.ts'
import { acceptsHtml, isSameOrigin } from './policy.ts'

/** The explorer page at the gateway's `/`, and the data that it loads. */
export interface Explorer {
  /**
   * Responds to a request if its path is one of the explorer's. Returns whether it did: it never does for paths of
   * services or for clients of the API.
   *
   * @param path normalized, without the query
   */
  readonly serve: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
  /** Whether the page was built. */
  readonly isBuilt: () => boolean
  /** Adds an event of the platform to the live log. */
  readonly observe: OnEvent
  /** Sets the platform that the page shows, and what gives a token a role, if it has authentication. */
  readonly setPlatform: (platform: Platform, grantRole?: GrantRole) => void
}

/** No service has this path, because names of services start with a letter. */
const PREFIX = '/_explorer/'
/** Below it is a path for each role. */
const ROLES = `${PREFIX}roles/`
/** The interval (ms) of comments that keep an idle connection open. */
const HEARTBEAT_MS = 15_000
/** A page with more than this many bytes buffered for it misses messages. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

/**
 * Creates an explorer without a platform.
 *
 * @param assets the directory of the built page
 */
export function createExplorer(assets?: URL): Explorer {
  const asset = openAssets(assets)
  const eventLog = createEventLog()
  let documents = new Map<string, () => Buffer>()
  let roles: readonly string[] = []
  let grant: GrantRole | undefined

  function serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (request.method === 'POST') return serveRole(request, response, path)
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (path === '/') return acceptsHtml(request.headers) && servePage(request, response)
    if (!path.startsWith(PREFIX)) return false
    if (!isSameOrigin(request.headers)) {
      reply(request, response, 403)
      return true
    }
    const name = path.slice(PREFIX.length)
    if (name === 'events') {
      serveEvents(request, response)
      return true
    }
    const content = documents.get(name)?.() ?? asset(name)
    if (content === undefined) return false
    send(request, response, content, headersOf(name))
    return true
  }

  /** Responds to `POST /_explorer/roles/agent` with the token of the request, which gets the role. */
  function serveRole(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const role = roles.find((each) => path === ROLES + each)
    if (role === undefined || grant === undefined) return false
    if (!isSameOrigin(request.headers)) {
      reply(request, response, 403)
      return true
    }
    void grant(request.headers.authorization, role).then((token) => {
      if (token === undefined) return reply(request, response, 401)
      const content = Buffer.from(JSON.stringify({ AccessToken: token }))
      send(request, response, content, { ...headersOf('token.json'), 'cache-control': 'no-store' })
    })
    return true
  }

  function servePage(request: IncomingMessage, response: ServerResponse): boolean {
    const page = asset('index.html')
    if (page === undefined) return false
    send(request, response, page, { ...headersOf('index.html'), vary: 'Accept' })
    return true
  }

  function serveEvents(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
    if (request.method === 'HEAD') return void response.end()
    const unsubscribe = eventLog.subscribe((message) => {
      if (response.writableLength < MAX_BUFFERED_BYTES) response.write(`data: ${JSON.stringify(message)}\n\n`)
    })
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS).unref()
    response.once('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
    })
    discardBody(request)
  }

  return {
    serve,
    isBuilt: () => asset('index.html') !== undefined,
    observe: eventLog.observe,
    setPlatform: (platform, grantRole) => {
      roles = platform.authentication?.roles ?? []
      grant = grantRole
      documents = documentsOf(platform)
      eventLog.platformChanged()
    },
  }
}

/** The documents of a platform that the page loads. Each is generated on its first request. */
function documentsOf(platform: Platform): Map<string, () => Buffer> {
  return new Map(
    Object.entries(explorerDocuments(platform, true)).map(([name, text]) => [name, once(text)] as const),
  )
}

function once(text: () => string): () => Buffer {
  let document: Buffer | undefined
  return () => (document ??= Buffer.from(text()))
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  response.writeHead(200, { ...headers, 'content-length': content.length })
  response.end(request.method === 'HEAD' ? undefined : content)
  discardBody(request)
}
