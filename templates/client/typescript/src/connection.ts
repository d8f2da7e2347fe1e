import { type Failure, failure, kindOf, responseFailure, type Result, success } from './result.js'

/** How to connect to the platform. */
export interface ConnectionOptions {
  /** URL of the gateway, such as `https://shop.example` or `http://localhost:8080`. */
  readonly gateway: string
  /** Timeout of a request in milliseconds. Default: 30 seconds. `Infinity`: none. */
  readonly timeoutMs?: number
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Options of a single request. */
export interface CallOptions {
  /** Aborts the request, which then returns an error of the kind `aborted`. */
  readonly signal?: AbortSignal
  /** Timeout of this request in milliseconds. */
  readonly timeoutMs?: number
}

/** A request to a platform. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The escaped path, starting with `/api/`. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** An entity that was read. The request is only about this version of it. An id is about any. */
  readonly version?: string | object
  /** Whether it has a key of its own, with which it can be sent again if its response is lost. */
  readonly isRepeatable?: boolean
  readonly options?: CallOptions | undefined
}

/** A successful response. */
export interface ApiResponse {
  readonly json: unknown
  readonly headers: Headers
}

/** Provides the token of requests and renews it when it is rejected. */
export interface Authorizer {
  /** Returns the token to send, if there is one. */
  token(): string | undefined
  /** Called after a 401 with the rejected token. Returns whether there is a new one, or why the login failed. */
  renew(rejectedToken: string | undefined): Promise<Result<boolean>>
}

/** Sends requests to a platform. */
export interface Connection {
  /** Sends a request and returns the JSON of the response, which is assumed to be a `Value`. */
  send<Value>(request: ApiRequest): Promise<Result<Value>>
  /** Sends a request and returns the JSON and the headers of the response. */
  fetchJson(request: ApiRequest): Promise<Result<ApiResponse>>
  /** Follows a redirect and returns the last segment of its target, which is an id. */
  locate(request: ApiRequest): Promise<Result<string>>
}

/** The tags (`ETag`) of the entities that were read. Those in lists have none. */
const tags = new WeakMap<object, string>()

/** The pauses before a request with a key is sent again, and how often if the connection is lost. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
const MAX_LOST = 3

/** Browsers have `randomUUID` only on pages that were loaded with HTTPS. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

const DEFAULT_TIMEOUT_MS = 30_000
/** Timers treat a longer time as 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Creates a connection without sending a request. Without an authorizer, requests have no token. */
export function connect(options: ConnectionOptions, authorizer?: Authorizer): Connection {
  const base = options.gateway.replace(/\/+$/, '')
  // Libraries for tests and tracing may replace the global `fetch` later.
  const send: typeof fetch = options.fetch ?? ((url, init) => fetch(url, init))

  async function attempt(
    request: ApiRequest,
    token: string | undefined,
    signal: AbortSignal,
    key?: string,
  ): Promise<Response> {
    const { method, path, body, version } = request
    const tag = typeof version === 'object' ? tags.get(version) : undefined
    return send(base + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(tag === undefined ? {} : { 'if-match': tag }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
  }

  /**
   * Sends a request and reads its response. One with a key is sent again if the connection is lost, and while the
   * service still handles it.
   */
  async function receive(
    request: ApiRequest,
    token: string | undefined,
    { signal, during }: TimeLimit,
    key: string | undefined,
  ): Promise<readonly [Response, string]> {
    for (let pause = FIRST_PAUSE_MS, lost = 0; ; pause = Math.min(pause * 3, LONGEST_PAUSE_MS)) {
      try {
        const response = await attempt(request, token, signal, key)
        const text = await response.text()
        const isRunning = key !== undefined && response.status === 409 && text.includes('Idempotency-Key')
        if (!isRunning) return [response, text]
      } catch (error) {
        lost += 1
        if (key === undefined || signal.aborted || lost > MAX_LOST) throw error
      }
      await during(new Promise((resolve) => setTimeout(resolve, pause)))
    }
  }

  /** Sends a request. If its token is rejected, renews the token and sends the request once more. */
  async function exchange<Value>(
    request: ApiRequest,
    read: (response: Response, text: string) => Result<Value>,
  ): Promise<Result<Value>> {
    if (EMPTY_OR_DOT_SEGMENT.test(request.path)) return failure('invalid', 'Invalid id', request.path)
    if (typeof request.version === 'object' && !tags.has(request.version))
      return failure('invalid', 'The version is unknown, because the entity was not read', request.path)
    const limit = timeLimit(request.options, options.timeoutMs)
    try {
      const token = authorizer?.token()
      const key = request.isRepeatable === true ? randomKey() : undefined
      const [response, text] = await receive(request, token, limit, key)
      if (response.status !== 401 || authorizer === undefined) return read(response, text)
      const renewed = await limit.during(authorizer.renew(token))
      if (!renewed.ok) return renewed
      if (!renewed.value) return read(response, text)
      return read(...(await receive(request, authorizer.token(), limit, key)))
    } catch (error) {
      return limit.explain(error)
    } finally {
      limit.end()
    }
  }

  const fetchJson = (request: ApiRequest): Promise<Result<ApiResponse>> =>
    exchange(request, (response, text) => {
      const json = parse(text)
      if (!response.ok) return errorFrom(response, json)
      if (json === undefined) return responseFailure('unreachable', 'The response is not JSON', response)
      const tag = response.headers.get('etag')
      if (tag !== null && typeof json === 'object' && json !== null) tags.set(json, tag)
      return success({ json, headers: response.headers })
    })

  return {
    fetchJson,
    send: async <Value>(request: ApiRequest) => {
      const result = await fetchJson(request)
      return result.ok ? success(result.value.json as Value) : result
    },
    locate: (request) =>
      exchange(request, (response, text) => {
        const id = new URL(response.url || base).pathname.split('/').at(-1)
        return response.redirected && id !== undefined ? success(id) : errorFrom(response, parse(text))
      }),
  }
}

/** Inserts parameters into a path: `pathOf('/api/home/{id}', id)`. An entity stands for its id. */
export function pathOf(
  template: string,
  ...parameters: readonly (string | { readonly id: string })[]
): string {
  const ids = parameters.map((each) => (typeof each === 'string' ? each : each.id))
  let index = 0
  // Half of an emoji cannot be encoded.
  const next = () => (ids[index++] ?? '').replace(/\p{Surrogate}/gu, '\ufffd')
  return template.replace(/\{[^}]+\}/g, () => encodeURIComponent(next()))
}

/** With these as ids, a path would be that of another endpoint. */
const EMPTY_OR_DOT_SEGMENT = /^[^?]*\/\.{0,2}(?:[/?]|$)/

interface TimeLimit {
  readonly signal: AbortSignal
  /** Waits for a promise until the signal is aborted. */
  readonly during: <Value>(promise: Promise<Value>) => Promise<Value>
  /** Tells why a request failed: a timeout, the caller or the connection. */
  readonly explain: (error: unknown) => Failure
  readonly end: () => void
}

/** Aborts a request after a timeout, or when its caller's signal is aborted. */
function timeLimit(options: CallOptions | undefined, defaultMs: number | undefined): TimeLimit {
  const controller = new AbortController()
  const milliseconds = options?.timeoutMs ?? defaultMs ?? DEFAULT_TIMEOUT_MS
  const caller = options?.signal
  let timedOut = false
  const timeout = (): void => {
    timedOut = true
    controller.abort()
  }
  const timer = setTimeout(timeout, Math.min(milliseconds, MAX_TIMER_MS))
  const abort = (): void => controller.abort(caller?.reason)
  if (caller?.aborted === true) abort()
  else caller?.addEventListener('abort', abort, { once: true })
  const { signal } = controller
  return {
    signal,
    during: (promise) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(new Error('Aborted'))
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
      }),
    explain: (error) => {
      if (timedOut) return failure('timeout', `No response within ${milliseconds} ms`, error)
      if (caller?.aborted === true) return failure('aborted', 'The request was aborted', error)
      return failure('unreachable', 'Could not reach the platform', error)
    },
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}

/** The error of a response. Services send `error`, the gateway sends `message`. */
function errorFrom(response: Response, json: unknown): Failure {
  const { status, statusText } = response
  const { error, message } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : statusText
  // HTTP/2 has no `statusText`.
  return responseFailure(kindOf(status), text === '' ? `Status ${status}` : text, response)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
