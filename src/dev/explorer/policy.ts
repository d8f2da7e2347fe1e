import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request for data or a part of the explorer comes from the explorer itself, from somebody who typed
 * the address, or from a program (W3C Fetch Metadata). Pages of other ports of this machine get nothing.
 */
export function isOwnRequest(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Whether the client is a browser that asks for a page (RFC 9110, 12.5.1); clients of the API never are. */
export function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return accept !== undefined && /(?:^|[,\s])text\/html(?:[;,\s]|$)/i.test(accept)
}
