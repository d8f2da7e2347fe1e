import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { contextStorage, tryGetContext } from 'hono/context-storage'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { destination, pino } from 'pino'
import { z } from 'zod'
import { type Caller, checkToken } from './identity.ts'

/** Variables of every handler. */
export interface Env {
  Variables: { caller: Caller; requestId: string }
}

const MAX_BODY_BYTES = 64 * 1024
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const uuid = z.string().regex(UUID).toLowerCase()

/** Text that Postgres can store, not empty. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'))

/** Creates an app that logs requests, checks tokens, methods and the size of bodies, and responds to errors. */
export function createApp(service: string): Hono<Env> {
  const log = pino(
    { base: { service }, mixin: () => ({ requestId: tryGetContext<Env>()?.var.requestId }) },
    destination({ minLength: 4096, sync: false }),
  )
  const app = new Hono<Env>()
  app.notFound((c) => c.json({ error: 'Not found' }, 404))
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ error: error.message }, error.status)
    log.error({ err: error }, 'Request failed')
    return c.json({ error: 'Internal server error' }, 500)
  })
  return app
    .use(contextStorage(), requestId())
    .use(async (c, next) => {
      const started = performance.now()
      c.header('Cache-Control', 'no-store')
      await next()
      const durationMs = performance.now() - started
      log.info({ method: c.req.method, path: c.req.path, status: c.res.status, durationMs }, 'request')
    })
    .use(methodNotAllowed({ app, onMethodNotAllowed: (c) => c.json({ error: 'Method not allowed' }, 405) }))
    .use(async (c, next) => {
      const caller = await checkToken(c.req.header('authorization'))
      if (caller === undefined) return c.json({ error: 'Unauthorized' }, 401)
      c.set('caller', caller)
      return next()
    })
    .use(
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        onError: (c) => c.json({ error: 'Request body too large' }, 413),
      }),
    )
}

/** Reads the body. */
export async function readBody<Out>(c: Context<Env>, schema: z.ZodType<Out>): Promise<Out> {
  const body: unknown = await c.req.json().catch(() => undefined)
  return check(schema, body)
}

/** Reads a value of a client. Throws 400. */
export function check<Out>(schema: z.ZodType<Out>, value: unknown): Out {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new HTTPException(400, { message: z.prettifyError(error) })
}

/** Listens on the address from the environment. */
export function listen(app: Hono<Env>): void {
  const { PORT: port = 8080, HOST: hostname = '0.0.0.0' } = process.env
  serve({ fetch: app.fetch, port: Number(port), hostname })
}
