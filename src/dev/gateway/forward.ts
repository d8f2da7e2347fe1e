import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import type { Dispatcher } from 'undici'
import { requestHeaders, responseHeaders } from './headers.ts'
import { discardBody, reply } from './reply.ts'

/**
 * Sends a request on and its answer back, both as streams. What breaks before an answer began is 503; what
 * breaks within one breaks the client's connection, so that no part of a body passes for the whole.
 */
export function forward(
  service: Dispatcher,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  let controller: Dispatcher.DispatchController | undefined
  const body = hasBody(request) ? request.pipe(new PassThrough()) : null
  // The other side is told by the end of its connection; `pipe` passes on neither errors nor early ends.
  request.once('error', () => body?.destroy())
  body?.on('error', () => {})
  response.once('close', () => {
    if (!response.writableFinished) controller?.abort(new Error('the client went away'))
  })

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (response.destroyed) started.abort(new Error('the client went away'))
    },
    onResponseStart: (started, status, _headers, statusText) => {
      // Informational answers are between the gateway and the service.
      if (status < 200) return
      const headers = responseHeaders(rawStrings(started.rawHeaders))
      if (statusText) response.writeHead(status, statusText, headers)
      else response.writeHead(status, headers)
    },
    onResponseData: (started, chunk) => {
      if (response.write(chunk)) return
      started.pause()
      response.once('drain', () => started.resume())
    },
    onResponseEnd: () => {
      response.end()
      settleBody()
    },
    onResponseError: () => {
      // A reset, not an end: in HTTP/1.0 the end of the connection is the end of a body.
      if (response.headersSent) response.socket?.resetAndDestroy()
      else reply(request, response, 503)
      settleBody()
    },
  }

  function settleBody(): void {
    if (body === null) return
    request.unpipe(body)
    body.destroy()
    discardBody(request)
  }

  try {
    service.dispatch(
      {
        path,
        method: request.method ?? 'GET',
        headers: requestHeaders(request.rawHeaders),
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    )
  } catch {
    // undici refuses what it will not write to a connection.
    reply(request, response, 400)
    settleBody()
  }
}

/** RFC 9112, 6.3: a request has a body when it says how long that is. */
function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  )
}

function rawStrings(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return []
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}
