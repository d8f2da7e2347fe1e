import type { IncomingHttpHeaders } from 'node:http'

/** A name or address that always means this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
const LOCAL = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Whether a request may come from a program of this machine or from a page that this machine serves. A page of
 * another site betrays itself: by its Host when its name was made to point here (DNS rebinding), else by its
 * Origin or by what browsers say in Sec-Fetch-Site (W3C Fetch Metadata). Following a link is allowed.
 * `authority` is that of the request's target or its Host header, `undefined` where it has neither.
 */
export function isFromThisMachine(
  authority: string | undefined,
  method: string,
  headers: IncomingHttpHeaders,
): boolean {
  if (authority !== undefined && !isLocalAuthority(authority)) return false
  const { origin } = headers
  if (origin !== undefined && !isLocalOrigin(origin)) return false
  if (headers['sec-fetch-site'] !== 'cross-site') return true
  return headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD')
}

function isLocalAuthority(authority: string): boolean {
  return LOCAL.test(authority.replace(/:\d*$/, ''))
}

function isLocalOrigin(origin: string): boolean {
  return URL.canParse(origin) && /^https?:/i.test(origin) && LOCAL.test(new URL(origin).hostname)
}
