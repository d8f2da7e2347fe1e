import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** A request of the load, made anew each time. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How one request ended. */
export interface Ending {
  readonly request: LoadRequest
  /** 0 without an answer. */
  readonly status: number
  /** Code of the error where there was no whole answer, else empty. */
  readonly error: string
  readonly contentType: string
  readonly body: string
  /** In ms of `performance.now()`. */
  readonly begin: number
  readonly end: number
}

/** Requests that go on until they are stopped. */
export interface Load {
  /** Resolves when this many more requests have ended. */
  more(count: number): Promise<void>
  /** Lets what is under way end, and gives every ending, in that order. */
  stop(): Promise<readonly Ending[]>
}

export interface LoadOptions {
  /** Requests at the same time, each on a connection that is kept. */
  readonly connections?: number
  /** Pause of each connection between two requests, in ms. */
  readonly pause?: number
}

/** Sends requests to a gateway (`host:port`) without ever repeating one. */
export function startLoad(
  gateway: string,
  next: (number: number) => LoadRequest,
  { connections = 8, pause = 50 }: LoadOptions = {},
): Load {
  const pool = new Pool(`http://${gateway}`, {
    connections,
    pipelining: 1,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  })
  const endings: Ending[] = []
  const stopping = new AbortController()
  let number = 0

  async function worker(): Promise<void> {
    while (!stopping.signal.aborted) {
      endings.push(await send(pool, next(number++)))
      await sleep(pause)
    }
  }

  const workers = Array.from({ length: connections }, worker)
  return {
    more: async (count) => {
      for (const wanted = endings.length + count; endings.length < wanted; ) await sleep(10)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(workers)
      await pool.close()
      return endings
    },
  }
}

async function send(pool: Pool, request: LoadRequest): Promise<Ending> {
  const begin = performance.now()
  const ended = (status: number, error: string, contentType: string, body: string): Ending => ({
    request,
    status,
    error,
    contentType,
    body,
    begin,
    end: performance.now(),
  })
  try {
    const { method, path, headers, body } = request
    const answer = await pool.request({
      method,
      path,
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.body.text()
    return ended(answer.statusCode, '', String(answer.headers['content-type'] ?? ''), text)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return ended(0, code, '', '')
  }
}

/** Endings other than a status of success, short enough to read in a failed test. */
export function failures(endings: readonly Ending[]): string[] {
  return endings
    .filter(({ status }) => status < 200 || status > 299)
    .map(
      ({ request, status, error, body }) =>
        `${request.method} ${request.path}: ${status} ${error}${body.slice(0, 200)}`,
    )
}

/** The longest time in ms in which nothing ended with success. */
export function longestGap(endings: readonly Ending[]): number {
  const times = endings.filter(({ status }) => status >= 200 && status <= 299).map(({ end }) => end)
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time)))
}
