import { counted } from '../../naming.ts'
import { randomUUID } from 'node:crypto'
import type { Attribute } from '../../model/platform.ts'
import { describeType } from '../../model/type-description.ts'
import { bodyOf, bodyWith, requestAttributes, type AttributeValues, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { type Exchange, ViolationError } from '../exchange.ts'
import { hookResponse } from '../hook-response.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { isObject, parseJson } from '../../json.ts'
import { collectionPath, itemPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { validValues } from '../values/valid.ts'
import { invalidValues } from '../values/invalid.ts'
import { type ValidValue, matchesValue } from '../values/value.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectStored } from './expect-entity.ts'
import { invalidAttributePattern } from './required-attributes.ts'
import { unlinkedValues } from '../entity-values.ts'

/** Checks which values each attribute accepts and rejects. */
export function valueChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'create') && !hasEndpoints(resource, 'update')) return []
  return requestAttributes(resource).flatMap((attribute) => {
    const accepted = validValues(attribute.type)
    const taking = accepted.length > 0 ? [acceptsCheck(resource, attribute, accepted)] : []
    return [...taking, refusesCheck(resource, attribute)]
  })
}

function refusesCheck(resource: Resource, attribute: Attribute): Check {
  const name = attribute.names.declared
  const cases = invalidValues(attribute.type)
  const title = `\`${name}\` (${describeType(attribute.type)}) rejects ${counted(cases.length, 'invalid value')}`
  return resourceCheck(resource, title, { entities: 0 }, async (context) => {
    const user = await context.user(resource)
    const values = unlinkedValues(resource)
    for (const [index, { json, description }] of cases.entries()) {
      const update = hasEndpoints(resource, 'update') && (index % 4 >= 2 || !hasEndpoints(resource, 'create'))
      const isPatch = update && index % 4 === 2
      const exchange = await context.send({
        method: isPatch ? 'PATCH' : update ? 'PUT' : 'POST',
        path: update
          ? itemPath(resource, randomUUID(), randomUUID())
          : collectionPath(resource, randomUUID()),
        as: user,
        body: bodyWith(isPatch ? new Map() : values, { [name]: json }),
      })
      try {
        expectResponse(exchange, { status: 400, error: invalidAttributePattern(name) })
      } catch (error) {
        throw withCase(error, exchange, `\`${name}\` must reject ${description}: `)
      }
    }
  })
}

function acceptsCheck(resource: Resource, attribute: Attribute, cases: readonly ValidValue[]): Check {
  const name = attribute.names.declared
  const title = `\`${name}\` (${describeType(attribute.type)}) accepts ${counted(cases.length, 'valid value')}`
  const replacing = hasEndpoints(resource, 'update')
  const entities = replacing ? 1 : cases.length
  const perUser = replacing ? 1 : cases.length
  return resourceCheck(resource, title, { entities, perUser }, async (context) => {
    const user = await context.user(resource)
    const parent = await context.parentFor(resource, user)
    let created: CreatedEntity | undefined
    let values: AttributeValues | undefined
    let rejection: ViolationError | undefined
    for (const example of cases) {
      // Another check may use this value of a @unique attribute.
      if (!context.values.reserve(resource, attribute, example)) continue
      try {
        if (created && replacing) await replace(context, created, name, example, attribute)
        else {
          if (!replacing || values === undefined)
            values = await context.values.generate(resource, user, parent, [[name, example]])
          const given = { resource, parent, user, values: withValues(values, [[name, example]]) }
          created = await create(context, given, attribute, example)
        }
      } catch (error) {
        // A hook may reject some values and accept others, which are checked too.
        if (!isHookError(context, error)) throw error
        rejection ??= error
      }
    }
    if (rejection !== undefined) throw rejection
  })
}

function isHookError({ test }: CheckContext, error: unknown): error is ViolationError {
  return !test.isolated && error instanceof ViolationError && hookResponse(error.violation) !== undefined
}

async function create(
  context: CheckContext,
  given: Omit<CreatedEntity, 'id'>,
  attribute: Attribute,
  example: ValidValue,
): Promise<CreatedEntity> {
  const { resource, parent, user, values } = given
  const path = collectionPath(resource, parent?.id)
  const exchange = await context.send({ method: 'POST', path, as: user, body: bodyOf(values) })
  expectTaken(exchange, 201, attribute, example)
  const created = context.track({ ...given, id: stringOf(exchange, 'id') })
  await stored(context, created, values, exchange, example, attribute.names.declared)
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
  values: AttributeValues,
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
