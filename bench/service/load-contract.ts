import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startNode } from '../processes.ts'

/** The load to generate. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** How long each connection waits between a response and its next request, in ms; 0 for a closed loop. */
  readonly pauseMs: number
  /** Whole HTTP/1.1 requests, sent in turn. */
  readonly requests: readonly string[]
}

/** The result of a load. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
}

/** Runs the load generator in its own process. Throws if a response has another status than `expected`. */
export async function putLoad(load: Load, expected: string, core?: number): Promise<LoadResult> {
  const script = fileURLToPath(new URL('./load.ts', import.meta.url))
  const child = startNode([script], core === undefined ? {} : { core })
  if (child.stdin === null || child.stdout === null) throw new Error('The load generator has no pipes')
  child.stdin.end(JSON.stringify(load))
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (status !== 0) throw new Error(`The load generator ended with ${status}`)
  const result = JSON.parse(output) as LoadResult
  const wrong = Object.keys(result.statuses).filter((code) => code !== expected)
  if (wrong.length > 0) throw new Error(`Expected ${expected}, got ${JSON.stringify(result.statuses)}`)
  return result
}

/** One HTTP/1.1 request as text; `body` is sent as JSON. */
export function request(method: string, path: string, token: string, body?: unknown): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${content}`
}
