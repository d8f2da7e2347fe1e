import { counted } from '../../naming.ts'
import { randomUUID } from 'node:crypto'
import { type Attribute, type AttributeType, assertNever, type Platform } from '../../model/platform.ts'
import { describeType as describe } from '../../model/type-description.ts'
import { bodyOf, bodyWith, requestAttributes, type Values, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { type Exchange, ViolationError } from '../exchange.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { isObject, parseJson } from '../json.ts'
import { collectionPath, itemPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { validValues } from '../values/valid.ts'
import { invalidValues } from '../values/invalid.ts'
import { type ValidValue, matchesValue } from '../values/value.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, serves } from './resource-check.ts'
import { expectStored } from './expect-entity.ts'
import { invalid } from './missing.ts'

/** Checks which values each attribute accepts and rejects. */
export function valueChecks(platform: Platform, resource: Resource): Check[] {
  if (!serves(resource, 'create') && !serves(resource, 'update')) return []
  return requestAttributes(resource).flatMap((attribute) => {
    const accepted = validValues(attribute.type)
    const taking = accepted.length > 0 ? [acceptsCheck(platform, resource, attribute, accepted)] : []
    return [...taking, refusesCheck(platform, resource, attribute)]
  })
}

function refusesCheck(platform: Platform, resource: Resource, attribute: Attribute): Check {
  const name = attribute.names.declared
  const cases = invalidValues(attribute.type)
  const title = `\`${name}\` rejects everything except ${describeType(attribute.type)} (${cases.length} values)`
  return resourceCheck(platform, resource, title, { entities: 0 }, async (context) => {
    const user = await context.user(resource)
    const values = context.unlinkedValues(resource)
    for (const [index, { json, description }] of cases.entries()) {
      const update = serves(resource, 'update') && (index % 4 === 3 || !serves(resource, 'create'))
      const exchange = await context.send({
        method: update ? 'PUT' : 'POST',
        path: update
          ? itemPath(resource, randomUUID(), randomUUID())
          : collectionPath(resource, randomUUID()),
        as: user,
        body: bodyWith(values, { [name]: json }),
      })
      try {
        expectResponse(exchange, { status: 400, error: invalid(name) })
      } catch (error) {
        throw withCase(error, exchange, `\`${name}\` must reject ${description}: `)
      }
    }
  })
}

function acceptsCheck(
  platform: Platform,
  resource: Resource,
  attribute: Attribute,
  cases: readonly ValidValue[],
): Check {
  const name = attribute.names.declared
  const title = `\`${name}\` accepts ${describeType(attribute.type)} (${cases.length} values)`
  const replacing = serves(resource, 'update')
  const entities = replacing ? 1 : cases.length
  const perUser = replacing ? 1 : cases.length
  return resourceCheck(platform, resource, title, { entities, perUser }, async (context) => {
    const user = await context.user(resource)
    const parent = await context.parentFor(resource, user)
    let created: CreatedEntity | undefined
    for (const example of cases) {
      // Another check may use this value of an @unique attribute.
      if (!context.reserve(resource, attribute, example)) continue
      if (created && replacing) await replace(context, created, name, example, attribute)
      else created = await create(context, resource, parent, user, attribute, example)
    }
  })
}

async function create(
  context: CheckContext,
  resource: Resource,
  parent: CreatedEntity | undefined,
  user: CreatedEntity['user'],
  attribute: Attribute,
  example: ValidValue,
): Promise<CreatedEntity> {
  const name = attribute.names.declared
  const values = await context.generateValues(resource, user, parent, [[name, example]])
  const path = collectionPath(resource, parent?.id)
  const exchange = await context.send({ method: 'POST', path, as: user, body: bodyOf(values) })
  expectTaken(exchange, 201, attribute, example)
  const created = context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  await stored(context, created, values, exchange, example, name)
  return created
}

async function replace(
  context: CheckContext,
  created: CreatedEntity,
  name: string,
  example: ValidValue,
  attribute: Attribute,
): Promise<void> {
  const values = withValues(created.values, [[name, example]])
  const exchange = await context.send({
    method: 'PUT',
    path: context.pathOf(created),
    as: created.user,
    body: bodyOf(values),
  })
  expectTaken(exchange, 200, attribute, example)
  await stored(context, created, values, exchange, example, name)
}

function expectTaken(exchange: Exchange, status: number, attribute: Attribute, example: ValidValue): void {
  const name = attribute.names.declared
  expectThat(
    exchange.response.status === status,
    exchange,
    `${status}: \`${name}\` must accept ${example.description}`,
  )
  if (!attribute.inResponse) return
  const body = parseJson(exchange.response.text)
  const actual = isObject(body) ? body[name] : undefined
  expectThat(
    matchesValue(attribute.type, actual, example.expected),
    exchange,
    `\`${name}\` is ${JSON.stringify(example.expected)} (${example.description})`,
  )
}

async function stored(
  context: CheckContext,
  created: CreatedEntity,
  values: Values,
  exchange: Exchange,
  example: ValidValue,
  name: string,
): Promise<void> {
  try {
    await expectStored(context, created, values, created.user)
  } catch (error) {
    throw withCase(error, exchange, `\`${name}\` must store ${example.description}: `)
  }
}

function withCase(error: unknown, exchange: Exchange, description: string): unknown {
  if (!(error instanceof ViolationError)) return error
  return new ViolationError(error.violation.exchange ?? exchange, `${description}${error.violation.expected}`)
}

/** Describes the values of a type: `strings of 3 to 254 characters`. */
export function describeType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'booleans'
    case 'string':
      return stringName(type.minLength, type.maxLength)
    case 'int':
      return `integers from ${type.jsonMin} to ${type.jsonMax}`
    case 'float':
      return floatName(type.min, type.max, type.column)
    case 'decimal':
      return describe(type).replace('decimal', 'decimals')
    case 'date':
    case 'time':
    case 'datetime':
      return `${type.kind}s`
    case 'data':
      return type.maxSize === undefined
        ? 'base64 data'
        : `base64 data of at most ${counted(type.maxSize, 'byte')}`
    case 'enum':
      return `the values ${type.values.join(', ')}`
    case 'reference':
      return `references to ${type.target.names.declared}`
    case 'sibling':
      return `references to ${type.target.declared}`
    default:
      return assertNever(type)
  }
}

function floatName(min: number | undefined, max: number | undefined, column: string): string {
  const name = column === 'real' ? 'single-precision floats' : 'floats'
  if (min === undefined && max === undefined) return name
  if (min === undefined) return `${name} up to ${max}`
  return max === undefined ? `${name} from ${min}` : `${name} from ${min} to ${max}`
}

function stringName(min: number, max: number | undefined): string {
  if (max === undefined && min === 0) return 'strings'
  const unit = (max ?? min) === 1 ? 'character' : 'characters'
  return `strings of ${range(String(min), max?.toString())} ${unit}`
}

function range(min: string, max: string | undefined): string {
  if (max === undefined) return `at least ${min}`
  return min === '0' ? `at most ${max}` : `${min} to ${max}`
}
