import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import type { Dispatcher } from 'undici'
import { requestHeaders, responseHeaders } from './headers.ts'
import { discardBody, reply } from './reply.ts'

/**
 * Streams a request to a service and its response back. An error before the response is 503; an error during it
 * resets the client's connection, so that an incomplete body never looks complete.
 */
export function forward(
  service: Dispatcher,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  let controller: Dispatcher.DispatchController | undefined
  const body = hasBody(request) ? request.pipe(new PassThrough()) : null
  // `pipe` forwards neither errors nor early ends.
  request.once('error', () => body?.destroy())
  body?.on('error', () => {})
  response.once('close', () => {
    if (!response.writableFinished) controller?.abort(new Error('the client disconnected'))
  })

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (response.destroyed) started.abort(new Error('the client disconnected'))
    },
    onResponseStart: (started, status, _headers, statusText) => {
      // Informational responses are not forwarded.
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
      // Resets the connection, because in HTTP/1.0 its end would be the end of the body.
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
    // undici throws for requests that it cannot send.
    reply(request, response, 400)
    settleBody()
  }
}

/** A request has a body if it declares its length (RFC 9112, 6.3). */
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
