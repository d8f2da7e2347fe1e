import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Nothing comes from anywhere else, nothing runs that is not a file of the explorer, nobody frames it. */
const PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The reference viewer writes style sheets of its own, and stands in a frame of the page. */
const REFERENCE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** What every answer of the explorer says to browsers beside its content (OWASP on secure headers). */
export const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** The content security policy (CSP level 3) of a page of the explorer. */
export function contentSecurityPolicy(page: 'page' | 'reference'): string {
  return page === 'page' ? PAGE : REFERENCE
}

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
