import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves a directory as web servers for static pages do: `/` is its index.html, `/page` is page.html. */
export async function serve(directory: string): Promise<{ origin: string; server: Server }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const named = path.join(directory, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const file = path.extname(named) === '' ? `${named}.html` : named
    if (!existsSync(file)) response.writeHead(404).end()
    else response.setHeader('content-type', TYPES[path.extname(file)] ?? 'text/plain').end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
