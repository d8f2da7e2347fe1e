import { connect } from 'node:net'

/** How long to wait for a response, in ms. */
const TIMEOUT_MS = 30_000

/** A response as it was received. */
export interface Answer {
  /** 0 without a response. */
  readonly status: number
  /** Names in lower case. The last value of a repeated field. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends bytes on a new connection and returns everything received until the gateway ends the connection, the text
 * matches `until`, or the time is up.
 */
export function send(
  port: number,
  bytes: string | Buffer,
  until: (text: string) => boolean = () => false,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(end, timeoutMs)
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk)
      if (until(text)) end()
    })
    socket.on('close', end).on('error', end)
    socket.write(bytes)
  })
}

/** Sends a request with exactly these lines and reads one response. */
export async function request(port: number, line: string, fields: readonly string[] = []): Promise<Answer> {
  const hasHost = fields.some((field) => /^host *:/i.test(field))
  const lines = [line, ...(hasHost ? [] : ['Host: localhost']), ...fields, 'Connection: close', '', '']
  return parse(await send(port, lines.join('\r\n'), isWhole))
}

/** A gateway may keep the connection open a little longer than the response. */
function isWhole(text: string): boolean {
  const { status, headers, body } = parse(text)
  if (status === 0) return false
  const length = headers['content-length']
  if (length !== undefined) return body.length >= Number(length)
  return headers['transfer-encoding'] !== undefined && body.endsWith('0\r\n\r\n')
}

/** Sends a GET request with this exact target. */
export function get(port: number, target: string, fields: readonly string[] = []): Promise<Answer> {
  return request(port, `GET ${target} HTTP/1.1`, fields)
}

/** Parses the first response that is not informational. */
export function parse(text: string): Answer {
  const final = text.replace(/^(?:HTTP\/1\.1 1\d\d[^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '')
  const end = final.indexOf('\r\n\r\n')
  if (end === -1) return { status: 0, headers: {}, body: '' }
  const [first = '', ...lines] = final.slice(0, end).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: final.slice(end + 4),
  }
}

/** Returns the statuses of all responses in a text, without informational ones. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200)
}
