import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to connections and to servers that take any: nobody gets ours by chance. */
const FIRST = 20_000
const END = 32_000

/** Returns a free port of 127.0.0.1, for programs that need a fixed one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
