import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { explorerDocuments } from '../../emit/explorer/documents.ts'
import { headersOf, SECURITY_HEADERS } from '../../emit/explorer/headers.ts'
import type { Platform } from '../../model/platform.ts'
import type { OnEvent } from '../events.ts'
import type { GrantRole } from '../gateway/grant-role.ts'
import { discardBody, reply } from '../gateway/reply.ts'
import type { RowsPage, RowsQuery } from '../rows.ts'
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
  /** Sets the platform that the page shows. */
  readonly setPlatform: (platform: Platform, backend?: ExplorerBackend) => void
}

/** What the explorer can do with a platform that runs. */
export interface ExplorerBackend {
  /** Gives a token a role; `undefined` without authentication. */
  readonly grantRole?: GrantRole | undefined
  /** See `findCustomCode`. */
  readonly customCode?: () => ReadonlyMap<string, string>
  /** Reads rows of a part of a service; `undefined` if there is no such part or column. */
  readonly readRows?: (directory: string, part: string, query: RowsQuery) => Promise<RowsPage | undefined>
}

/** No service has this path, because names of services start with a letter. */
const PREFIX = '/_explorer/'
/** Below it is a path for each role. */
const ROLES = `${PREFIX}roles/`
/** `/_explorer/rows/home/Photo?column=_parent&id=<id>&before=<id>` */
const ROWS = /^\/_explorer\/rows\/([^/]+)\/([^/]+)$/
/** The document that also depends on the code of services. */
const DESCRIPTION = 'platform.json'
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
  let { grantRole, readRows }: ExplorerBackend = {}

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
    const [, directory, part] = ROWS.exec(path) ?? []
    if (directory !== undefined && part !== undefined) {
      void serveRows(request, response, directory, part)
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
    if (role === undefined || grantRole === undefined) return false
    if (!isSameOrigin(request.headers)) {
      reply(request, response, 403)
      return true
    }
    void grantRole(request.headers.authorization, role).then((token) => {
      if (token === undefined) return reply(request, response, 401)
      sendSecret(request, response, { AccessToken: token })
    })
    return true
  }

  /** Responds with rows of a database, which only the developer of the platform sees. */
  async function serveRows(
    request: IncomingMessage,
    response: ServerResponse,
    directory: string,
    part: string,
  ): Promise<void> {
    const query = rowsQuery(request.url ?? '')
    if (query === undefined) return reply(request, response, 400)
    try {
      const page = await readRows?.(directory, part, query)
      if (page === undefined) reply(request, response, 404)
      else sendSecret(request, response, page)
    } catch {
      // The database restarts, or its schema is about to change.
      reply(request, response, 503)
    }
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
    setPlatform: (platform, backend = {}) => {
      roles = platform.authentication?.roles ?? []
      ;({ grantRole, readRows } = backend)
      documents = documentsOf(platform, backend.customCode)
      eventLog.platformChanged()
    },
  }
}

/** The documents of a platform that the page loads. Each is generated on its first request, or on each if code matters. */
function documentsOf(
  platform: Platform,
  customCode: () => ReadonlyMap<string, string> = () => new Map(),
): Map<string, () => Buffer> {
  const live = explorerDocuments(platform, () => ({ customCode: customCode() }))
  return new Map(
    Object.entries(live).map(([name, text]) => [
      name,
      name === DESCRIPTION ? () => Buffer.from(text()) : once(text),
    ]),
  )
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The id of a job. */
const NUMBER = /^\d{1,18}$/

/** Returns the query of a request for rows, `undefined` if an id is none. */
function rowsQuery(target: string): RowsQuery | undefined {
  const query = new URLSearchParams(target.replace(/^[^?]*/, ''))
  const [column, id, before] = ['column', 'id', 'before'].map((name) => query.get(name) ?? undefined)
  if (id !== undefined && !UUID.test(id)) return undefined
  if (before !== undefined && !UUID.test(before) && !NUMBER.test(before)) return undefined
  if ((column === undefined) !== (id === undefined)) return undefined
  return { filter: column === undefined || id === undefined ? undefined : { column, id }, before }
}

function once(text: () => string): () => Buffer {
  let document: Buffer | undefined
  return () => (document ??= Buffer.from(text()))
}

function sendSecret(request: IncomingMessage, response: ServerResponse, content: object): void {
  const headers = { ...headersOf('content.json'), 'cache-control': 'no-store' }
  send(request, response, Buffer.from(JSON.stringify(content)), headers)
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
