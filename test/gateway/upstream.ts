import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a service received it. */
export interface Received {
  readonly service: string
  readonly method: string
  readonly url: string
  /** Names as sent, with their values, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Services that respond with 200 and record each request. */
export interface Upstream {
  /** Ports by directory. */
  readonly ports: Readonly<Record<string, number>>
  /** All requests so far, in order. */
  readonly received: readonly Received[]
  /** Returns the requests since the last call. */
  readonly take: () => Received[]
  /** Replaces the secrets of those that verify tokens themselves. They notice within 2 s. */
  readonly rotate?: (first: string, second: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts a service for each directory, by default on the loopback address. They respond with the size of the body when
 * it is complete.
 */
export async function startUpstream(
  directories: readonly string[],
  address = '127.0.0.1',
): Promise<Upstream> {
  const received: Received[] = []
  let taken = 0
  const servers = await Promise.all(
    directories.map(async (service) => {
      const server = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
        received.push({
          service,
          method: request.method ?? '',
          url: request.url ?? '',
          fields: pairs(request.rawHeaders),
        })
        answer(request, response)
      })
      server.requestTimeout = 0
      await new Promise<void>((resolve) => server.listen(0, address, 4096, resolve))
      return [service, server] as const
    }),
  )
  return {
    ports: Object.fromEntries(
      servers.map(([service, server]) => [service, (server.address() as AddressInfo).port]),
    ),
    received,
    take: () => {
      const fresh = received.slice(taken)
      taken = received.length
      return fresh
    },
    stop: async () => {
      for (const [, server] of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  let length = 0
  request.on('error', () => response.destroy())
  request.on('data', (chunk: Buffer) => (length += chunk.length))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ bytes: length }))
  })
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
  )
}
