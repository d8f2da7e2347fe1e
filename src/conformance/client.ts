import { Pool } from 'undici'
import { type Exchange, type SentRequest, ShortfallError } from './exchange.ts'
import { isObject, parseJson } from './json.ts'
import { PATIENCE_MS, rawAnswer } from './raw.ts'

/** Somebody who asks: their name in reports, and their token where the platform has authentication. */
export interface Caller {
  readonly name: string
  /** The UUID of their authentication record; empty without authentication. */
  readonly id: string
  readonly token: string | undefined
}

/** One request. */
export interface Ask {
  readonly method: string
  /** Path and query; nothing is normalised. */
  readonly path: string
  readonly as?: Caller | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** Speaks HTTP with one gateway, and holds every answer to the rules that no request is exempt from. */
export class Client {
  readonly #gateway: string
  readonly #pool: Pool
  #count = 0

  /** `gateway` is `host:port`; at most `connections` requests are under way at once. */
  constructor(gateway: string, connections: number) {
    this.#gateway = gateway
    this.#pool = new Pool(`http://${gateway}`, {
      connections,
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    })
  }

  /** How many requests were sent so far. */
  get count(): number {
    return this.#count
  }

  /** Sends one request. Throws a `ShortfallError` where no answer comes or the answer breaks a general rule. */
  async send(ask: Ask): Promise<Exchange> {
    const exchange = await this.#exchange(ask)
    checkAnswer(exchange)
    return exchange
  }

  /** As `send`, for requests that may meet a full queue: a 503 with Retry-After is waited out. */
  async sendPatiently(ask: Ask): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      const exchange = await this.#exchange(ask)
      const wait = exchange.answer.headers['retry-after']
      if (exchange.answer.status !== 503 || wait === undefined || attempt === 20) {
        checkAnswer(exchange)
        return exchange
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, Math.min(5, Number(wait) || 1) * 1000)
      await promise
    }
  }

  /**
   * Sends a body larger than the service takes over a connection of its own, `declared` bytes with
   * Content-Length or, without it, in chunks. The answer may come before the body has gone out.
   */
  async sendOversize(ask: Ask, bytes: number, chunked: boolean): Promise<Exchange> {
    this.#count++
    const request = sentRequest({
      ...ask,
      body: `(${bytes} bytes, ${chunked ? 'chunked' : 'Content-Length'})`,
    })
    const lines = [
      `${ask.method} ${ask.path} HTTP/1.1`,
      `host: ${this.#gateway}`,
      ...(ask.as?.token === undefined ? [] : [`authorization: Bearer ${ask.as.token}`]),
      chunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
    ]
    try {
      const answer = await rawAnswer(this.#gateway, `${lines.join('\r\n')}\r\n\r\n`, bytes, chunked)
      const exchange = { request, answer }
      checkAnswer(exchange)
      return exchange
    } catch (error) {
      if (error instanceof ShortfallError) throw error
      throw unanswered(request, error)
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #exchange(ask: Ask): Promise<Exchange> {
    this.#count++
    const request = sentRequest(ask)
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: ask.method,
        path: ask.path,
        headers: {
          ...(ask.as?.token === undefined ? {} : { authorization: `Bearer ${ask.as.token}` }),
          ...ask.headers,
        },
        ...(ask.body === undefined ? {} : { body: ask.body }),
      })
      return { request, answer: { status: statusCode, headers: flatten(headers), text: await body.text() } }
    } catch (error) {
      throw unanswered(request, error)
    }
  }
}

function sentRequest({ method, path, as, headers, body }: Ask): SentRequest {
  return { method, path, headers: headers ?? {}, body, as: as?.token === undefined ? undefined : as.name }
}

function unanswered(request: SentRequest, error: unknown): ShortfallError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ShortfallError(
    { request, answer: { status: 0, headers: {}, text: `(none: ${reason})` } },
    'an answer',
  )
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  return flat
}

/** The rules for every answer: no 5xx, errors with one message under one key, JSON that says so. */
function checkAnswer(exchange: Exchange): void {
  const { request, answer } = exchange
  if (answer.status >= 500)
    throw new ShortfallError(exchange, 'no status of 500 or above, whatever a client sends')
  if (request.method === 'HEAD') {
    if (answer.text !== '') throw new ShortfallError(exchange, 'no body in an answer to HEAD')
    return
  }
  if (answer.text === '') return
  if (!answer.headers['content-type']?.startsWith('application/json'))
    throw new ShortfallError(exchange, 'content-type: application/json')
  const body = parseJson(answer.text)
  if (body === undefined) throw new ShortfallError(exchange, 'a JSON body')
  if (answer.status < 400) return
  const keys = isObject(body) ? Object.keys(body) : []
  const [key] = keys
  if (keys.length !== 1 || (key !== 'error' && key !== 'message'))
    throw new ShortfallError(
      exchange,
      'an error body with the one key `error` (or, of the gateway, `message`)',
    )
}
