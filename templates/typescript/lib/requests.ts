import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { BaseConfig } from './config.ts'
import { badRequest, busy, invalidParameter, tooLarge, unsupportedEncoding } from './errors.ts'
import { isUuid } from './values.ts'

/** What a middleware adds to `c.req.valid(target)` and to the types of Hono's client. */
export type Validated<Target extends string, In, Out = In> = MiddlewareHandler<
  object,
  string,
  { in: { [T in Target]: In }; out: { [T in Target]: Out } }
>

/** Reads the ids that are in the path and converts them to lower case. */
export function ids<Name extends string>(...names: Name[]): Validated<'param', Record<Name, string>> {
  return async (c, next) => {
    // A list of entries has two paths, of which one has an id that is ignored.
    const params = names.flatMap((name) => {
      const value = c.req.param(name)
      if (value === undefined) return []
      if (!isUuid(value)) throw badRequest(`Invalid id: ${value}`)
      return [[name, value.toLowerCase()]]
    })
    c.req.addValidatedData('param', Object.fromEntries(params))
    await next()
  }
}

/** Reads the body, which is JSON whatever its content type says. */
export function body<In, Out>(schema: z.ZodType<Out, In>): Validated<'json', In, Out> {
  return async (c, next) => {
    c.req.addValidatedData('json', Object(validate(schema, await readObject(c))))
    await next()
  }
}

/** Checks values. Throws 400, which names all that are missing, otherwise the first that is invalid. */
export function validate<Out>(schema: z.ZodType<Out>, values: object): Out {
  // Without a prototype, so that only the keys of the body are found.
  const { success, data, error } = schema.safeParse({ __proto__: null, ...values })
  if (success) return data
  const given = new Map(Object.entries(values))
  // Empty for conditions on the whole request, which schemas of your own can have.
  const names = error.issues.map(({ path }) => path.slice(0, 1).join())
  const missing = new Set(names.filter((name) => name !== '' && (given.get(name) ?? undefined) === undefined))
  if (missing.size > 0) throw badRequest(`Missing request parameter(s): ${[...missing].join(', ')}`)
  const problem = error.issues[0]?.message ?? 'is invalid'
  throw names[0] ? invalidParameter(names[0], problem) : badRequest(`Invalid request: ${problem}`)
}

/**
 * Reads a JSON merge patch (RFC 7396): some of the attributes of a request. Throws 400 for the first that is invalid, or
 * null although it cannot be.
 */
export function patch<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): Validated<'json', Partial<z.input<z.ZodObject<Shape>>>, Partial<z.output<z.ZodObject<Shape>>>> {
  return async (c, next) => {
    const given = new Map(Object.entries(await readObject(c)))
    const values = Object.entries(schema.shape).flatMap(([name, attribute]) => {
      if (!given.has(name)) return []
      const value: unknown = given.get(name)
      const { data, error } = z.safeParse(attribute, value)
      // A default does not take the place of null here.
      if (value === null && data !== null) throw invalidParameter(name, 'cannot be null')
      if (error !== undefined) throw invalidParameter(name, error.issues[0]?.message ?? 'is invalid')
      return [[name, data] as const]
    })
    c.req.addValidatedData('json', Object.fromEntries(values))
    await next()
  }
}

/**
 * The request that an update results in: what was sent, and what is stored of the other attributes. `read` returns the
 * stored entity.
 */
export async function complete<Shape extends z.ZodRawShape, Stored extends object | undefined>(
  schema: z.ZodObject<Shape>,
  sent: Partial<z.output<z.ZodObject<Shape>>>,
  read: () => Stored | Promise<Stored>,
) {
  const names = Object.keys(schema.shape)
  const stored = names.every((name) => Object.hasOwn(sent, name)) ? {} : await read()
  const values = new Map(Object.entries({ ...stored, ...sent }))
  const request = Object.fromEntries(
    names.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])),
  )
  return (stored && request) as z.output<z.ZodObject<Shape>> | Extract<Stored, undefined>
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

async function readObject(c: Context): Promise<object> {
  if (!/^(?:identity)?$/i.test(c.req.header('content-encoding') ?? '')) throw unsupportedEncoding()
  const bytes = Buffer.from(await c.req.arrayBuffer())
  if (hasTooManyValues(bytes)) throw badRequest('Invalid request body: has too many values')
  try {
    const value: unknown = bytes.length === 0 ? {} : JSON.parse(UTF8.decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Gets the same response as JSON that is not an object.
  }
  throw badRequest('Invalid request body: must be a JSON object')
}

/** More than any request has. Parsing this many takes about as long as a few other requests. */
const MAX_VALUES = 50_000
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{')

/**
 * Whether a body has so many small values that other requests would wait for seconds while it is parsed. In valid JSON,
 * at most two strings come after each comma or bracket: a key and its value.
 */
function hasTooManyValues(bytes: Buffer): boolean {
  if (bytes.length <= MAX_VALUES) return false
  let values = 0
  let isInString = false
  for (let index = 0; index < bytes.length && values <= MAX_VALUES; index++) {
    const byte = bytes[index]
    if (byte === BACKSLASH) index++
    else if (byte === QUOTE) isInString = !isInString
    else if (!isInString && (byte === COMMA || byte === BRACKET || byte === BRACE)) values++
  }
  return values > MAX_VALUES
}

/** A request with a body up to this size needs hardly more memory than one without. */
const SMALL_BODY_BYTES = 16 * 1024

/** Limits the size of each body, and of all larger bodies that are being read or handled at one time. */
export function limitBodies({ MAX_BODY_BYTES, MAX_BODY_BYTES_IN_FLIGHT }: BaseConfig): MiddlewareHandler {
  let inFlight = 0

  return async (c, next) => {
    const isChunked = c.req.header('transfer-encoding') !== undefined
    const size = isChunked ? Infinity : Number(c.req.header('content-length') ?? 0)
    if (size > MAX_BODY_BYTES && !isChunked) throw tooLarge()
    let received = 0
    async function* counted(chunks: ReadableStream<Uint8Array>) {
      for await (const chunk of chunks) {
        if (received + chunk.length > MAX_BODY_BYTES) throw tooLarge()
        // One body is always accepted.
        if (inFlight > received && inFlight + chunk.length > MAX_BODY_BYTES_IN_FLIGHT) throw busy()
        received += chunk.length
        inFlight += chunk.length
        yield chunk
      }
    }
    if (size > SMALL_BODY_BYTES && c.req.raw.body !== null) {
      const stream = ReadableStream.from(counted(c.req.raw.body))
      c.req.raw = new Request(c.req.raw, { method: c.req.method, body: stream, duplex: 'half' })
    }
    try {
      await next()
    } finally {
      inFlight -= received
    }
  }
}
