import { serve as listen } from '@hono/node-server'
import { Hono } from 'hono'
import { type Caller, checkToken } from './identity.ts'

/** What every handler has at hand. */
export interface Env {
  Variables: { caller: Caller; requestId: string }
}

/** An answer other than success; `error` goes to the client. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 404 | 405 | 409 | 413 | 503

  constructor(status: Refusal['status'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

const MAX_BODY_BYTES = 1024 * 1024
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** An app that logs each request, checks its token and answers errors. */
export function createApp(service: string): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    const begin = performance.now()
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : crypto.randomUUID()
    c.set('requestId', requestId)
    await next()
    const entry = {
      time: new Date().toISOString(),
      level: 'info',
      message: 'request',
      service,
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      durationMs: Math.round((performance.now() - begin) * 1000) / 1000,
    }
    process.stdout.write(`${JSON.stringify(entry)}\n`)
  })
  app.use(async (c, next) => {
    const caller = await checkToken(c.req.header('authorization'))
    if (caller === undefined) throw new Refusal(401, 'Unauthorized')
    c.set('caller', caller)
    await next()
    c.header('Cache-Control', 'no-store')
  })
  app.notFound((c) => c.json({ error: 'Not found' }, 404))
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ error: error.message }, error.status)
    process.stdout.write(`${JSON.stringify({ level: 'error', service, message: String(error) })}\n`)
    return c.json({ error: 'Internal server error' }, 500)
  })
  return app
}

/** The body as an object. */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    throw new Refusal(413, 'Request body too large')
  }
  const text = await request.text()
  if (text.length > MAX_BODY_BYTES) throw new Refusal(413, 'Request body too large')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'Invalid request body: not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'Invalid request body: not an object')
  }
  return body as Record<string, unknown>
}

/** Listens where the environment says. */
export function serve(app: Hono<Env>): void {
  listen({
    fetch: app.fetch,
    port: Number(process.env['PORT'] ?? 8080),
    hostname: process.env['HOST'] ?? '0.0.0.0',
  })
}
