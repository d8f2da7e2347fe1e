import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request for a file or for data of the explorer comes from the explorer itself, from the address bar of a
 * browser, or from another program (W3C Fetch Metadata). Pages of other ports are refused.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Whether the client is a browser that loads a page (RFC 9110, 12.5.1). Clients of the API do not accept HTML. */
export function acceptsHtml({ accept }: IncomingHttpHeaders): boolean {
  return accept !== undefined && /(?:^|[,\s])text\/html(?:[;,\s]|$)/i.test(accept)
}
