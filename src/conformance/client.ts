import { Pool } from 'undici'
import { type Exchange, type SentRequest, ViolationError } from './exchange.ts'
import { isObject, parseJson } from '../json.ts'
import { TIMEOUT_MS, sendRaw } from './raw-http.ts'

/** A user of the platform. Without authentication only the name differs. */
export interface User {
  readonly name: string
  /** The UUID of the authentication record; empty without authentication. */
  readonly id: string
  readonly token: string | undefined
}

/** A request to send. */
export interface RequestOptions {
  readonly method: string
  /** Path and query, not normalized. */
  readonly path: string
  readonly as?: User | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** An HTTP client of one gateway. Checks the rules that apply to every response. */
export class Client {
  readonly #gateway: string
  readonly #pool: Pool
  #count = 0

  /** `gateway` is `host:port`. Sends at most `connections` requests at a time. */
  constructor(gateway: string, connections: number) {
    this.#gateway = gateway
    this.#pool = new Pool(`http://${gateway}`, {
      connections,
      pipelining: 1,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  }

  /** Number of requests sent. */
  get count(): number {
    return this.#count
  }

  /** Sends a request. Throws `ViolationError` without a response, or if it breaks a general rule. */
  async send(options: RequestOptions): Promise<Exchange> {
    const exchange = await this.#exchange(options)
    checkResponse(exchange)
    return exchange
  }

  /** Sends a request and repeats it after a 503 with Retry-After, because the queue for passwords may be full. */
  async sendWithRetry(options: RequestOptions): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      const exchange = await this.#exchange(options)
      const wait = exchange.response.headers['retry-after']
      if (exchange.response.status !== 503 || wait === undefined || attempt === 20) {
        checkResponse(exchange)
        return exchange
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, Math.min(5, Number(wait) || 1) * 1000)
      await promise
    }
  }

  /**
   * Sends a body that is too large on a connection of its own, with Content-Length or chunked. The response may
   * arrive before the body is sent.
   */
  async sendOversize(options: RequestOptions, bytes: number, chunked: boolean): Promise<Exchange> {
    this.#count++
    const request = sentRequest({
      ...options,
      body: `(${bytes} bytes, ${chunked ? 'chunked' : 'Content-Length'})`,
    })
    const lines = [
      `${options.method} ${options.path} HTTP/1.1`,
      `host: ${this.#gateway}`,
      ...(options.as?.token === undefined ? [] : [`authorization: Bearer ${options.as.token}`]),
      chunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
    ]
    try {
      const response = await sendRaw(this.#gateway, `${lines.join('\r\n')}\r\n\r\n`, bytes, chunked)
      const exchange = { request, response }
      checkResponse(exchange)
      return exchange
    } catch (error) {
      if (error instanceof ViolationError) throw error
      throw noResponse(request, error)
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #exchange(options: RequestOptions): Promise<Exchange> {
    this.#count++
    const request = sentRequest(options)
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: options.method,
        path: options.path,
        headers: {
          ...(options.as?.token === undefined ? {} : { authorization: `Bearer ${options.as.token}` }),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { body: options.body }),
      })
      return { request, response: { status: statusCode, headers: flatten(headers), text: await body.text() } }
    } catch (error) {
      throw noResponse(request, error)
    }
  }
}

function sentRequest({ method, path, as, headers, body }: RequestOptions): SentRequest {
  return { method, path, headers: headers ?? {}, body, as: as?.token === undefined ? undefined : as.name }
}

function noResponse(request: SentRequest, error: unknown): ViolationError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ViolationError(
    { request, response: { status: 0, headers: {}, text: `(none: ${reason})` } },
    'a response',
  )
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  return flat
}

/** Checks the rules for every response: no 5xx, JSON bodies, and errors with a single key. */
function checkResponse(exchange: Exchange): void {
  const { request, response } = exchange
  if (response.status >= 500) throw new ViolationError(exchange, 'no status of 500 or above')
  if (request.method === 'HEAD') {
    if (response.text !== '') throw new ViolationError(exchange, 'no body in the response to HEAD')
    return
  }
  if (response.text === '') return
  if (!response.headers['content-type']?.startsWith('application/json'))
    throw new ViolationError(exchange, 'content-type: application/json')
  const body = parseJson(response.text)
  if (body === undefined) throw new ViolationError(exchange, 'a JSON body')
  if (response.status < 400) return
  const keys = isObject(body) ? Object.keys(body) : []
  const [key] = keys
  if (keys.length !== 1 || (key !== 'error' && key !== 'message'))
    throw new ViolationError(
      exchange,
      'an error body with the single key `error` (or `message` from the gateway)',
    )
}
