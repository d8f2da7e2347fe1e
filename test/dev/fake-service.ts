import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const SERVICE = `import { createServer } from 'node:http'
import { Hono } from 'hono'
import { getRequestListener } from '@hono/node-server'
import setup from './setup.ts'

export async function start(config: { greeting: string }) {
  const app = new Hono()
  app.get('/greeting', (c) => c.text(config.greeting))
  await setup(app)
  const server = createServer(getRequestListener(app.fetch))
  const internal = createServer((request, response) => response.end('internal'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    internalPort: (internal.address() as { port: number }).port,
    stop: () => new Promise<void>((resolve) => {
      internal.close()
      server.close(() => resolve())
      server.closeIdleConnections()
    }),
  }
}
`
const CONFIG = `export function readConfig(env: Record<string, string>) {
  return { greeting: env.GREETING ?? 'hello' }
}
`

/** Writes the smallest service that follows the contract; `setup` is the body of its setup function. */
export async function writeFakeService(directory: string, setup = ''): Promise<void> {
  await mkdir(path.join(directory, 'src'), { recursive: true })
  await writeFile(path.join(directory, 'package.json'), '{"type": "module"}')
  await writeFile(path.join(directory, 'src/service.ts'), SERVICE)
  await writeFile(path.join(directory, 'src/config.ts'), CONFIG)
  await writeSetup(directory, setup)
}

/** Replaces the body of the setup function, which has the Hono `app`. */
export async function writeSetup(directory: string, body: string): Promise<void> {
  const text = `import type { Hono } from 'hono'\n\nexport default async function setup(app: Hono) {\n${body}\n}\n`
  await writeFile(path.join(directory, 'src/setup.ts'), text)
}
