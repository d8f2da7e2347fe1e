/** Only files of the explorer are loaded, and no other page can frame it. */
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

/** The reference viewer is in a frame of the page, and adds style sheets at run time. */
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

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
}

/** The security headers of every response of the explorer (OWASP Secure Headers). */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** Returns the headers of a file of the explorer: media type, caching and content security policy. */
export function headersOf(name: string): Record<string, string> {
  const policy = { 'index.html': PAGE, 'reference.html': REFERENCE }[name]
  return {
    ...SECURITY_HEADERS,
    'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    // Names with a hash change with the content. Other files are revalidated.
    'cache-control': /-[A-Z0-9]{8}\./.test(name) ? 'private, max-age=31536000, immutable' : 'no-cache',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  }
}
