import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pageDocuments } from '../../emit/explorer/documents.ts'
import { headersOf, SECURITY_HEADERS } from '../../emit/explorer/headers.ts'
import type { Platform } from '../../model/platform.ts'
import type { OnEvent } from '../events.ts'
import { discardBody, reply } from '../gateway/reply.ts'
import { openAssets } from './assets.ts'
import { createJournal } from './journal.ts'
import { isOwnRequest, wantsPage } from './policy.ts'

/** The page for people at the gateway's `/`, and what it reads. */
export interface Explorer {
  /**
   * Answers a request for the path (normalised, without its query) where it is the explorer's. Gives whether it
   * was: paths of services never are, nor anything that a client of the API asks for.
   */
  readonly serve: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
  /** Whether there is a page. */
  readonly isBuilt: () => boolean
  /** Takes what happens on the platform, for the live log. */
  readonly observe: OnEvent
  /** What runs from now on. */
  readonly setPlatform: (platform: Platform) => void
}

/** No service has a path like this: their names begin with a letter. */
const PREFIX = '/_explorer/'
/** A comment this often (ms) keeps a connection alive that nothing happens on. */
const HEARTBEAT_MS = 15_000
/** A page that reads so slowly that this much (bytes) waits for it misses what happens meanwhile. */
const MOST_WAITING = 4 * 1024 * 1024

/** An explorer without a platform yet. `assets`: the directory of the built page. */
export function createExplorer(assets?: URL): Explorer {
  const asset = openAssets(assets)
  const journal = createJournal()
  let documents = new Map<string, () => Buffer>()

  function serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (path === '/') return wantsPage(request.headers) && servePage(request, response)
    if (!path.startsWith(PREFIX)) return false
    if (!isOwnRequest(request.headers)) {
      reply(request, response, 403)
      return true
    }
    const name = path.slice(PREFIX.length)
    if (name === 'events') {
      serveEvents(request, response)
      return true
    }
    const found = documents.get(name)?.() ?? asset(name)
    if (found === undefined) return false
    answer(request, response, found, headersOf(name))
    return true
  }

  function servePage(request: IncomingMessage, response: ServerResponse): boolean {
    const page = asset('index.html')
    if (page === undefined) return false
    answer(request, response, page, { ...headersOf('index.html'), vary: 'Accept' })
    return true
  }

  function serveEvents(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
    if (request.method === 'HEAD') return void response.end()
    const unfollow = journal.follow((message) => {
      if (response.writableLength < MOST_WAITING) response.write(`data: ${JSON.stringify(message)}\n\n`)
    })
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS).unref()
    response.once('close', () => {
      clearInterval(heartbeat)
      unfollow()
    })
    discardBody(request)
  }

  return {
    serve,
    isBuilt: () => asset('index.html') !== undefined,
    observe: journal.observe,
    setPlatform: (platform) => {
      documents = documentsOf(platform)
      journal.renew()
    },
  }
}

/** What the page reads of a platform, each worked out when it is asked for first. */
function documentsOf(platform: Platform): Map<string, () => Buffer> {
  return new Map(
    Object.entries(pageDocuments(platform, true)).map(([name, text]) => [name, once(text)] as const),
  )
}

function once(text: () => string): () => Buffer {
  let document: Buffer | undefined
  return () => (document ??= Buffer.from(text()))
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  response.writeHead(200, { ...headers, 'content-length': content.length })
  response.end(request.method === 'HEAD' ? undefined : content)
  discardBody(request)
}
