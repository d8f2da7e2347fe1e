import { type Failure, failure, kindOf, type Result, success } from './result.js'

/** How a client reaches its platform. */
export interface ConnectionOptions {
  /** The gateway: `https://shop.example`, `http://localhost:8080`. */
  readonly gateway: string
  /** The longest time for one request, in ms. Default: 30 seconds. */
  readonly timeoutMs?: number
  /** What sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** What a single request may have of its own. */
export interface CallOptions {
  /** Ends the request; it is answered with an error of the kind `aborted` then. */
  readonly signal?: AbortSignal
  /** The longest time for this request, in ms. */
  readonly timeoutMs?: number
}

/** One request, before anything of the connection is added. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/api/` on, escaped. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly options?: CallOptions | undefined
}

/** An answer of success: its JSON, and where it came from. */
export interface ApiAnswer {
  readonly json: unknown
  readonly headers: Headers
}

/** Adds to requests what shows who sends them, and gets new proof where that was refused. */
export interface Authorizer {
  /** The token to send, if there is one. */
  token(): string | undefined
  /** Asked after a 401, with the token that was refused. Gives whether there is another one. */
  renew(refused: string | undefined): Promise<boolean>
}

/** Sends requests to a platform. */
export interface Connection {
  /** Answers with the JSON of the answer, believed to be a `Value`. */
  send<Value>(request: ApiRequest): Promise<Result<Value>>
  /** The same with the headers of the answer. */
  answer(request: ApiRequest): Promise<Result<ApiAnswer>>
  /** Follows a redirection and answers with the last segment of where it leads: an id. */
  locate(request: ApiRequest): Promise<Result<string>>
}

const DEFAULT_TIMEOUT_MS = 30_000

/** Connects nothing yet. Without an authorizer, requests carry no token. */
export function connect(options: ConnectionOptions, authorizer?: Authorizer): Connection {
  const base = options.gateway.replace(/\/+$/, '')
  const send = options.fetch ?? fetch

  async function attempt(
    request: ApiRequest,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { method, path, body } = request
    return send(base + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
  }

  /** Sends a request, and once more with a new token where the first was refused. */
  async function exchange<Value>(
    request: ApiRequest,
    read: (response: Response, text: string) => Result<Value>,
  ): Promise<Result<Value>> {
    const limit = timeLimit(request.options, options.timeoutMs)
    try {
      const token = authorizer?.token()
      const response = await attempt(request, token, limit.signal)
      const text = await response.text()
      if (response.status !== 401 || authorizer === undefined) return read(response, text)
      if (!(await limit.during(authorizer.renew(token)))) return read(response, text)
      const second = await attempt(request, authorizer.token(), limit.signal)
      return read(second, await second.text())
    } catch (error) {
      return limit.explain(error)
    } finally {
      limit.end()
    }
  }

  const answer = (request: ApiRequest): Promise<Result<ApiAnswer>> =>
    exchange(request, (response, text) => {
      const json = parse(text)
      if (!response.ok) return refusal(response, json)
      if (json === undefined) return unreadable(response)
      return success({ json, headers: response.headers })
    })

  return {
    answer,
    send: async <Value>(request: ApiRequest) => {
      const result = await answer(request)
      return result.ok ? success(result.value.json as Value) : result
    },
    locate: (request) =>
      exchange(request, (response, text) => {
        const id = new URL(response.url || base).pathname.split('/').at(-1)
        return response.redirected && id !== undefined ? success(id) : refusal(response, parse(text))
      }),
  }
}

/** A path with its parameters put in: `pathOf('/api/home/{id}', id)`. */
export function pathOf(template: string, ...parameters: readonly string[]): string {
  let index = 0
  return template.replace(/\{[^}]+\}/g, () => encodeURIComponent(parameters[index++] ?? ''))
}

interface TimeLimit {
  readonly signal: AbortSignal
  /** Waits for something that the signal does not reach, no longer than the signal allows. */
  readonly during: <Value>(promise: Promise<Value>) => Promise<Value>
  /** What ended a request: the time, the caller, or the way to the platform. */
  readonly explain: (error: unknown) => Failure
  readonly end: () => void
}

/** Ends a request when its time is over, or when its caller says so. */
function timeLimit(options: CallOptions | undefined, usualMs: number | undefined): TimeLimit {
  const controller = new AbortController()
  const milliseconds = options?.timeoutMs ?? usualMs ?? DEFAULT_TIMEOUT_MS
  const caller = options?.signal
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, milliseconds)
  const abort = (): void => controller.abort(caller?.reason)
  if (caller?.aborted === true) abort()
  else caller?.addEventListener('abort', abort, { once: true })
  const { signal } = controller
  return {
    signal,
    during: (promise) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(new Error('Ended while waiting'))
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
      }),
    explain: (error) => {
      if (isOver) return failure('timeout', `No answer within ${milliseconds} ms`, undefined, error)
      if (caller?.aborted === true) return failure('aborted', 'The request was aborted', undefined, error)
      return failure('unreachable', 'The platform cannot be reached', undefined, error)
    },
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}

/** What services say in `error` and the gateway in `message`. */
function refusal({ status, statusText }: Response, json: unknown): Failure {
  const { error, message } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : statusText
  return failure(kindOf(status), text, status)
}

function unreadable({ status }: Response): Failure {
  return failure('unreachable', 'The answer is no JSON', status)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
