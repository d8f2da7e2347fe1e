/** The target of a request, normalized for routing and for services. */
export interface RequestTarget {
  /** Begins with `/`; no empty segments, no dot segments, no escaped unreserved characters. */
  readonly path: string
  /** The query with its `?`, as the client sent it, or empty. */
  readonly query: string
  /** `host[:port]` of a target in absolute form, which replaces the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined
}

/** `http://host:port` of a target in absolute form, which clients send to proxies. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#@\\]+)(?=[/?]|$)/i
/** Visible ASCII without `\`, `#` and invalid escapes (RFC 3986, 3.3). */
const ALLOWED = /^(?:[!"$&-[\]-~]|%[0-9a-f]{2})*$/i
/** Escaped `/`, `\` and control characters, which gateways and services may interpret differently. */
const ESCAPED_SEPARATOR = /%(?:2f|5c|7f|[01][0-9a-f])/i
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * Parses the target of a request line (RFC 9112, 3.2) and normalizes its path (RFC 3986, 6.2.2) like Envoy with
 * `normalize_path`, `merge_slashes` and `REJECT_REQUEST` for escaped slashes. Returns `undefined` for a target to
 * reject with 400. `*` and authority forms get a path that matches no service.
 */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  const authority = ABSOLUTE_FORM.exec(target)?.[0]
  const rest = authority === undefined ? target : target.slice(authority.length)
  const mark = rest.indexOf('?')
  const rawPath = mark === -1 ? rest : rest.slice(0, mark)
  const query = mark === -1 ? '' : rest.slice(mark)
  if (!ALLOWED.test(rawPath) || query.includes('#') || ESCAPED_SEPARATOR.test(rawPath)) return undefined
  if (!rawPath.startsWith('/') && rawPath !== '' && rawPath !== '*') return undefined
  return {
    path: normalize(rawPath),
    query,
    authority: authority?.replace(/^https?:\/\//i, ''),
  }
}

function normalize(path: string): string {
  const decoded = path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return UNRESERVED.test(character) ? character : escape
  })
  const segments: string[] = []
  const parts = decoded.split('/')
  for (const part of parts) {
    if (part === '..') segments.pop()
    else if (part !== '' && part !== '.') segments.push(part)
  }
  const last = parts.at(-1)
  const isDirectory = segments.length > 0 && (last === '' || last === '.' || last === '..')
  return `/${segments.join('/')}${isDirectory ? '/' : ''}`
}
