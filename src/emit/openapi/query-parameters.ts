import {
  type FilterOperator,
  type FilterParameter,
  filterParameters,
  sortValues,
} from '../../model/criteria.ts'
import type { Criteria, Entity } from '../../model/platform.ts'
import { MAX_IDS, MAX_PAGE } from '../../limits.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import { typeSchema } from './attribute-schema.ts'
import type { JsonObject } from '../../json.ts'

/** The query parameters of a list. */
export function queryParameters({ criteria }: Entity): JsonObject[] {
  const limit = parameter(
    'limit',
    'The maximum number of entities to return. By default, all are returned.',
    { type: 'integer', minimum: 1, maximum: MAX_PAGE },
    { example: 100 },
  )
  const ids = parameter(
    'id[in]',
    `Returns only the entities with these ids, up to ${MAX_IDS}. Those that do not exist, or that the caller may not read, are left out.`,
    { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: MAX_IDS },
    { style: 'form', explode: false, example: [SAMPLE_ID] },
  )
  if (criteria === undefined)
    return [
      limit,
      parameter('after', 'Returns only entities with a greater id. Pass the last id of the previous page.', {
        type: 'string',
        format: 'uuid',
      }),
      ids,
    ]
  return [
    limit,
    parameter(
      'after',
      'Returns only what follows the previous page. Use the link to the next page, which contains this value. In the order of creation, it is the last id of the previous page.',
      { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    ),
    parameter(
      'total',
      'Whether the response has the header `X-Total-Count`: the number of entities on all pages.',
      {
        type: 'boolean',
      },
    ),
    ids,
    ...sortParameter(criteria),
    ...filterParameters(criteria).map(filterParameter),
  ]
}

function sortParameter(criteria: Criteria): JsonObject[] {
  if (criteria.sort.length === 0) return []
  const description =
    'The attribute that sorts the list; with `-`, in descending order. By default, the list is in the order of creation, and so are entities with equal values.'
  return [parameter('sort', description, { type: 'string', enum: sortValues(criteria) })]
}

const MEANINGS: Readonly<Record<FilterOperator, string>> = {
  eq: 'is this value',
  in: 'is one of these values',
  gt: 'is greater than this value',
  gte: 'is this value or greater',
  lt: 'is less than this value',
  lte: 'is this value or less',
}

function filterParameter({ name, attribute, operator }: FilterParameter): JsonObject {
  const { names, type, optional } = attribute
  const value = typeSchema(type)
  const isNullable = optional && operator === 'eq'
  const description = `Returns only entities whose \`${names.declared}\` ${MEANINGS[operator]}${isNullable ? ', or that have none (`null`)' : ''}.`
  const [, example] = sampleValues([attribute])[0] ?? []
  if (operator === 'in')
    return parameter(
      name,
      description,
      { type: 'array', items: value, minItems: 1 },
      { style: 'form', explode: false, ...(example === undefined ? {} : { example: [example] }) },
    )
  const schema: JsonObject = isNullable ? { anyOf: [value, { const: 'null' }] } : value
  return parameter(name, description, schema, example === undefined ? {} : { example })
}

function parameter(name: string, description: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, in: 'query', description, schema, ...more }
}
