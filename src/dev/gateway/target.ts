/** What a request addresses, in the one form that routing sees and services get. */
export interface Target {
  /** Begins with `/`; no empty segments, no dot segments, no escaped unreserved characters. */
  readonly path: string
  /** The query with its `?`, as the client sent it; empty without one. */
  readonly query: string
  /** `host[:port]` of a target in absolute form, which counts in place of the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined
}

/** `http://host:port` at the front of a target in absolute form, as a client of a proxy sends it. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#@\\]+)(?=[/?]|$)/i
/** Visible ASCII without `\`, `#` and broken escapes (RFC 3986, 3.3); others never reach a service. */
const ALLOWED = /^(?:[!"$&-[\]-~]|%[0-9a-f]{2})*$/i
/** `/`, `\` and control characters mean one thing to a gateway and another to what stands behind it. */
const ESCAPED_SEPARATOR = /%(?:2f|5c|7f|[01][0-9a-f])/i
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * Reads the target of a request line (RFC 9112, 3.2) and normalises its path (RFC 3986, 6.2.2) as Envoy does
 * with `normalize_path`, `merge_slashes` and `REJECT_REQUEST` for escaped slashes. `undefined` for what is
 * to be refused with 400. `*` and authority forms belong to no service: they give a path that matches none.
 */
export function parseTarget(target: string): Target | undefined {
  const authority = ABSOLUTE_FORM.exec(target)?.[0]
  const rest = authority === undefined ? target : target.slice(authority.length)
  const mark = rest.indexOf('?')
  const rawPath = mark === -1 ? rest : rest.slice(0, mark)
  const query = mark === -1 ? '' : rest.slice(mark)
  if (!ALLOWED.test(rawPath) || query.includes('#') || ESCAPED_SEPARATOR.test(rawPath)) return undefined
  if (!rawPath.startsWith('/') && rawPath !== '' && rawPath !== '*') return undefined
  return {
    path: normalise(rawPath),
    query,
    authority: authority?.replace(/^https?:\/\//i, ''),
  }
}

function normalise(path: string): string {
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
