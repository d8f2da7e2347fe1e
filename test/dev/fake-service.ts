import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const MAIN = `import { createServer } from 'node:http'
import { Hono } from 'hono'
import { getRequestListener } from '@hono/node-server'
import setup from './setup.ts'

const log = (line: object) => process.stdout.write(JSON.stringify(line) + '\\n')
const fail = (message: string) => (error: Error) => {
  log({ level: 'fatal', message, err: { type: error.name, message: error.message, stack: error.stack } })
  process.exit(1)
}
process.on('uncaughtException', fail('Uncaught exception'))
const app = new Hono()
app.get('/greeting', (c) => c.text(process.env.GREETING ?? 'hello'))
await Promise.try(setup, app).catch(fail('Could not start'))
const server = createServer(getRequestListener(app.fetch))
const internal = createServer((request, response) => response.end('internal'))
await new Promise<void>((resolve) => internal.listen(2, '127.0.0.1', resolve))
await new Promise<void>((resolve) => server.listen(1, '127.0.0.1', resolve))
process.on('SIGTERM', () => {
  server.close(() => process.exit())
  server.closeIdleConnections()
})
`

/** The directory of the service in the project. */
export const FAKE_SERVICE = 'shop'

/** Writes a project with a minimal service. `setup` is the body of its setup function. */
export async function writeFakeService(output: string, setup = ''): Promise<void> {
  await mkdir(path.join(output, FAKE_SERVICE, 'src'), { recursive: true })
  await writeFile(path.join(output, 'package.json'), '{"type": "module"}')
  await writeFile(path.join(output, FAKE_SERVICE, 'src/main.ts'), MAIN)
  await writeSetup(output, setup)
}

/** Replaces the body of the setup function, which has the Hono `app`. */
export async function writeSetup(output: string, body: string): Promise<void> {
  const text = `import type { Hono } from 'hono'\n\nexport default async function setup(app: Hono) {\n${body}\n}\n`
  await writeFile(path.join(output, FAKE_SERVICE, 'src/setup.ts'), text)
}
