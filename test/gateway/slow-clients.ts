import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Connections that hold a gateway's resources as long as they can, in a process of their own: a thousand each that
// say nothing, send headers byte by byte and send a body byte by byte, times what the arguments say.
// `node slow-clients.ts <port> <token> <silent> <headers> <bodies>` writes `open` once all are connected, and then,
// once the gateway has ended all that send headers, `ended`. It ends with its standard input.

const [port, token = '', ...counts] = process.argv.slice(2)
const [silent = 0, headers = 0, bodies = 0] = counts.map(Number)
const TRICKLE_MS = 2000
/** Connections opened at a time, fewer than the gateway's backlog. */
const AT_A_TIME = 250

const BEGINNINGS: Readonly<Record<'silent' | 'headers' | 'bodies', string>> = {
  silent: '',
  headers: 'POST /api/home/slow HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  bodies: `POST /api/home/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000000\r\n\r\n`,
}

const sockets: Socket[] = []
let sendingHeaders = headers

async function open(kind: keyof typeof BEGINNINGS): Promise<void> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.on('close', () => {
    if (kind === 'headers') sendingHeaders -= 1
  })
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  if (kind === 'silent') return
  socket.write(BEGINNINGS[kind])
  socket.resume()
  sockets.push(socket)
}

const kinds = [
  ...Array.from({ length: silent }, () => 'silent' as const),
  ...Array.from({ length: headers }, () => 'headers' as const),
  ...Array.from({ length: bodies }, () => 'bodies' as const),
]
for (let at = 0; at < kinds.length; at += AT_A_TIME)
  await Promise.all(kinds.slice(at, at + AT_A_TIME).map(open))
process.stdout.write('open\n')
process.stdin.resume().on('end', () => process.exit())

for (let said = false; ; ) {
  await sleep(TRICKLE_MS)
  for (const socket of sockets) if (socket.writable) socket.write('x')
  if (!said && sendingHeaders === 0) process.stdout.write('ended\n')
  said ||= sendingHeaders === 0
}
