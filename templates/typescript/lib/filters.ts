import { z } from 'zod'
import { integer } from './config.ts'
import { badRequest, invalidParameter } from './errors.ts'
import { idList, listOf, MAX_ROWS } from './lists.ts'
import { type Validated, validate } from './requests.ts'

/** The query parameters that every list with filters or orders has. */
export const pageParameters = {
  limit: integer(1, MAX_ROWS).optional(),
  after: z.string().optional(),
  'id[in]': idList.optional(),
  total: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .optional(),
}

/** The parameter that sorts a list: an attribute, or with `-` before it for descending order. */
export function sortBy<const Name extends string>(...names: Name[]) {
  const values = names.flatMap((name) => [name, `-${name}` as const])
  return z.enum(values, `must be one of ${values.join(', ')}`).optional()
}

/** A boolean or a number, written as in JSON. */
export const fromText = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(parseValue, schema)

function parseValue(value: unknown): unknown {
  try {
    return typeof value === 'string' && /^[^\s"]+$/.test(value) ? JSON.parse(value) : value
  } catch {
    return value
  }
}

/** A value, or `null` for entities that have none. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === 'null' ? null : value), schema.nullable())

type Parameters<Name extends string, Schema extends z.ZodType> = Record<Name, z.ZodOptional<Schema>>

/** The parameters of an attribute that can be compared for equality. `one` is the schema of the first. */
export function equality<const Name extends string, Value extends z.ZodType, One extends z.ZodType = Value>(
  name: Name,
  value: Value,
  one?: One,
) {
  const parameters = { [name]: (one ?? value).optional(), [`${name}[in]`]: listOf(value).optional() }
  return parameters as Parameters<Name, One> & Parameters<`${Name}[in]`, ReturnType<typeof listOf<Value>>>
}

/** The parameters of an attribute whose values have an order. */
export function comparison<const Name extends string, Value extends z.ZodType, One extends z.ZodType = Value>(
  name: Name,
  value: Value,
  one?: One,
) {
  const bounds = ['gt', 'gte', 'lt', 'lte'].map((operator) => [`${name}[${operator}]`, value.optional()])
  return {
    ...equality(name, value, one),
    ...(Object.fromEntries(bounds) as Parameters<`${Name}[${'gt' | 'gte' | 'lt' | 'lte'}]`, Value>),
  }
}

/** Reads the query parameters of a list. Others are rejected, so that a misspelled filter does not return everything. */
export function listQuery<Schema extends z.ZodObject>(
  schema: Schema,
): Validated<'query', z.input<Schema>, z.output<Schema>> {
  return async (c, next) => {
    const parameters = new URL(c.req.url).searchParams
    for (const name of parameters.keys()) {
      if (!Object.hasOwn(schema.shape, name)) throw badRequest(`Unknown query parameter ${name}`)
      if (parameters.getAll(name).length > 1) throw invalidParameter(name, 'must not be repeated')
    }
    c.req.addValidatedData('query', validate(schema, Object.fromEntries(parameters)))
    await next()
  }
}
