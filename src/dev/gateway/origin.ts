import type { IncomingHttpHeaders } from 'node:http'

/** A name or address of this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
const LOCAL = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * The environment variable with the hosts of reverse proxies for this machine, separated by commas. Editors that run in
 * a browser serve the platform at a path or a subdomain of their own host, and set it.
 */
export const ALLOWED_HOSTS_VARIABLE = 'PORTICO_ALLOWED_HOSTS'

/**
 * Whether a request comes from a program on this machine or from a page that this machine serves. A page of another
 * site is recognized by its Host after DNS rebinding, by its Origin, or by Sec-Fetch-Site (W3C Fetch Metadata).
 * Following a link is allowed, and so are the hosts in `PORTICO_ALLOWED_HOSTS` and pages of the origins in `origins`.
 * `authority` is that of the request's target or of its Host header, if it has either.
 */
export function isLocalRequest(
  authority: string | undefined,
  method: string,
  headers: IncomingHttpHeaders,
  origins: ReadonlySet<string> = new Set(),
): boolean {
  if (authority !== undefined && !isLocalAuthority(authority)) return false
  const { origin } = headers
  if (origin !== undefined && origins.has(origin)) return true
  if (origin !== undefined && !isLocalOrigin(origin)) return false
  if (headers['sec-fetch-site'] !== 'cross-site') return true
  return headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD')
}

function isLocalAuthority(authority: string): boolean {
  return isAllowedHost(authority.replace(/:\d*$/, ''))
}

function isLocalOrigin(origin: string): boolean {
  return URL.canParse(origin) && /^https?:/i.test(origin) && isAllowedHost(new URL(origin).hostname)
}

function isAllowedHost(host: string): boolean {
  if (LOCAL.test(host)) return true
  const allowed = (process.env[ALLOWED_HOSTS_VARIABLE] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return host !== '' && allowed.includes(host.toLowerCase())
}
