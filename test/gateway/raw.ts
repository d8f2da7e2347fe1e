import { connect } from 'node:net'

/** How long an answer is waited for, in ms; then what came until then counts. */
const PATIENCE_MS = 30_000

/** One answer as it came over a connection. */
export interface Answer {
  /** 0 where none came. */
  readonly status: number
  /** In lower case; of a field that occurs twice, the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends bytes on a connection of their own and gives everything that came back: until the gateway ended it, or
 * the text fulfils `until`, or nothing more came in time.
 */
export function send(
  port: number,
  bytes: string | Buffer,
  until: (text: string) => boolean = () => false,
  patience = PATIENCE_MS,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(end, patience)
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk)
      if (until(text)) end()
    })
    socket.on('close', end).on('error', end)
    socket.write(bytes)
  })
}

/** Sends one request with exactly these lines and reads one answer. */
export async function request(port: number, line: string, fields: readonly string[] = []): Promise<Answer> {
  const hasHost = fields.some((field) => /^host *:/i.test(field))
  const lines = [line, ...(hasHost ? [] : ['Host: localhost']), ...fields, 'Connection: close', '', '']
  return parse(await send(port, lines.join('\r\n'), isWhole))
}

/** A gateway may keep the connection a little longer than the answer takes. */
function isWhole(text: string): boolean {
  const { status, headers, body } = parse(text)
  if (status === 0) return false
  const length = headers['content-length']
  if (length !== undefined) return body.length >= Number(length)
  return headers['transfer-encoding'] !== undefined && body.endsWith('0\r\n\r\n')
}

/** A GET of a target, as it is written. */
export function get(port: number, target: string, fields: readonly string[] = []): Promise<Answer> {
  return request(port, `GET ${target} HTTP/1.1`, fields)
}

/** Reads the first answer that is not informational. */
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

/** The statuses of all answers in a text, informational ones left out. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200)
}
