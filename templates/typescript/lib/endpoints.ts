import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { integer } from './config.ts'
import { HookError } from './errors.ts'
import { type List, MAX_ROWS } from './lists.ts'
import { type Validated, validate } from './requests.ts'

/** Creates an endpoint, whose handler is registered when it is called. `c` has the headers and bytes of the request. */
export function endpoint<Env, Request, Caller, Result>() {
  type Arguments = [env: Env, request: Request, caller: Caller, c: Context]
  type Handler = (...values: Arguments) => Result | HookError | Promise<Result | HookError>
  let handler: Handler | undefined
  return Object.assign(
    (added: Handler) => {
      if (handler !== undefined) throw new Error('An endpoint has one handler')
      handler = added
    },
    {
      hasHandler: () => handler !== undefined,
      async run(...values: Arguments): Promise<Result> {
        const result = await (handler as Handler)(...values)
        if (result instanceof HookError) throw result
        return result
      },
    },
  )
}

/** Throws unless all endpoints have a handler, so that the service does not start. */
export function requireHandlers(endpoints: Record<string, { readonly hasHandler: () => boolean }>): void {
  const missing = Object.entries(endpoints).flatMap(([name, { hasHandler }]) => (hasHandler() ? [] : [name]))
  if (missing.length === 0) return
  const calls = missing.map((name) => `env.endpoints.${name}(...)`)
  throw new Error(`Endpoints without a handler: register them in setup.ts with ${calls.join(', ')}`)
}

/** Reads the attributes that are in the path. */
export function parameters<Schema extends z.ZodObject>(
  schema: Schema,
): Validated<'param', z.input<Schema>, z.output<Schema>> {
  return async (c, next) => {
    const given = Object.keys(schema.shape).map((name) => [name, c.req.param(name)])
    const ids: object = c.req.valid('param' as never) ?? {}
    c.req.addValidatedData('param', { ...ids, ...validate(schema, Object.fromEntries(given)) })
    await next()
  }
}

/** The query parameters of an endpoint that returns a page. */
export const pageRequest = { limit: integer(1, MAX_ROWS).default(MAX_ROWS), after: z.string().optional() }

/** A page, and what the next one comes `after`, if there is one. */
export interface PageOf<Entity> {
  readonly items: Entity[]
  readonly next?: string | undefined
}

/** The page that a handler returned, in the form of other lists. */
export function pageOf<Entity>(limit: number, result: Entity[] | PageOf<Entity>): List<Entity> {
  if (Array.isArray(result)) return { first: result }
  const { items, next } = result
  return { first: items, next: next === undefined ? undefined : { limit: String(limit), after: next } }
}

/** Responds with an object. Outside of production, throws if it is not what is declared. */
export function respond<Body extends object, Status extends ContentfulStatusCode, E extends object>(
  c: Context<E>,
  name: string,
  schema: z.ZodType,
  body: Body,
  status: Status,
) {
  if (process.env['NODE_ENV'] !== 'production') requireDeclared(name, schema, body)
  return c.json(body, status)
}

function requireDeclared(name: string, schema: z.ZodType, body: object): void {
  const { data, error } = schema.safeParse({ __proto__: null, ...body })
  const [issue] = error?.issues ?? []
  const parsed = new Map(Object.entries(data ?? {}))
  const changed = Object.entries(body).find(([key, value]) => {
    const valid = parsed.get(key)
    return typeof value === 'string' && typeof valid === 'string' && value !== valid
  })
  const problem = issue
    ? `${issue.path.join('.')} ${issue.message}`
    : changed && `${changed[0]} must be written as ${String(parsed.get(changed[0]))}`
  if (problem !== undefined) throw new Error(`The response of ${name} is not what is declared: ${problem}`)
}
