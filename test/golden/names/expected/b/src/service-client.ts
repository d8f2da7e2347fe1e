import { setTimeout } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { unauthorized, unavailable } from './errors.ts'
import { requestIds } from './request-ids.ts'
import { isUuid } from './ids.ts'

/** Who asks: a caller with a token, or nobody where there is no authentication. */
type Asking = { readonly id: string; readonly token: string } | undefined

const TIMEOUT_MS = 2000
const MAX_CONNECTIONS = 128
const ATTEMPTS = 5
/** The first try again is at once, each further one waits for so much longer. */
const RETRY_PAUSE_MS = 50

/** No connection, or one that has ended. */
const GONE: ReadonlySet<unknown> = new Set([
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'EHOSTUNREACH',
])

/** Another service. It is asked on its second port with the caller's token, so that access applies. */
export class ServiceClient<Entity> {
  readonly name: string
  readonly #pool: Pool

  constructor(name: string, url: string) {
    this.name = name
    this.#pool = new Pool(url, { connections: MAX_CONNECTIONS })
  }

  /** The entity as clients see it; `undefined` where there is none or the caller may not read it. */
  async read(id: string, caller: Asking): Promise<Entity | undefined> {
    if (!isUuid(id)) return undefined
    const { status, text } = await this.#ask({ method: 'GET', path: `/entities/${id}` }, caller)
    return status === 404 ? undefined : (this.#parse(status, text) as Entity)
  }

  /** Whether there is such an entity that the caller may read. */
  async exists(id: string, caller: Asking): Promise<boolean> {
    if (!isUuid(id)) return false
    const unknown = await this.unknown([id], caller)
    return unknown.size === 0
  }

  /** Which of the ids are missing, or are not for the caller to read. */
  async unknown(ids: readonly string[], caller: Asking): Promise<ReadonlySet<string>> {
    const body = JSON.stringify({ ids })
    const { status, text } = await this.#ask({ method: 'POST', path: '/references', body }, caller)
    const { unknown } = this.#parse(status, text) as { unknown: string[] }
    return new Set(unknown)
  }

  async #ask(
    request: Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'body'>,
    caller: Asking,
  ): Promise<{ status: number; text: string }> {
    const requestId = requestIds.getStore()
    const headers = {
      ...(caller === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // Both questions change nothing, so one that met an instance which was just stopped or started is asked again:
    // several kept connections may end there, and its address may be known a moment too long.
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) await setTimeout((attempt - 2) * RETRY_PAUSE_MS)
      try {
        const answer = await this.#pool.request({ ...request, headers, signal })
        const text = await answer.body.text()
        if (!isStarting(answer)) return { status: answer.statusCode, text }
      } catch (error) {
        if (!isGone(error)) break
      }
    }
    throw unavailable(this.name)
  }

  #parse(status: number, text: string): unknown {
    if (status === 401) throw unauthorized()
    if (status !== 200) throw unavailable(this.name)
    try {
      return JSON.parse(text)
    } catch {
      throw unavailable(this.name)
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(error.code)
}

function isStarting({ statusCode, headers }: Dispatcher.ResponseData): boolean {
  return statusCode === 503 && headers['retry-after'] !== undefined
}
