import { responseAttributes, type AttributeValues } from '../body.ts'
import type { User } from '../client.ts'
import { type Exchange, ViolationError } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { isObject, type Json, parseJson } from '../../json.ts'
import { endpointOf, entityName, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { matchesValue } from '../values/value.ts'
import { zeroValue } from '../values/zero.ts'
import type { CreatedEntity } from '../test-context.ts'
import { notFoundText } from '../../model/error-texts.ts'

/** The entity that a response must have. */
interface ExpectedEntity {
  readonly resource: Resource
  readonly id: string
  readonly values: AttributeValues
  /** No hooks run, so attributes set by the server have their zero values. */
  readonly isolated: boolean
}

/** Compares JSON with an entity: `id` first, then exactly the attributes in the order of the definition. */
export function expectEntity(exchange: Exchange, actual: Json | undefined, entity: ExpectedEntity): void {
  const { resource, id, values, isolated } = entity
  const attributes = responseAttributes(resource)
  const keys = ['id', ...attributes.map(({ names }) => names.declared)]
  if (!isObject(actual) || Object.keys(actual).join() !== keys.join())
    throw new ViolationError(exchange, `an object with the keys ${keys.join(', ')}, in this order`)
  expectThat(actual['id'] === id, exchange, `the id ${id}`)
  for (const attribute of attributes) {
    const name = attribute.names.declared
    if (attribute.visibility === 'timestamp') {
      expectTimestamp(exchange, name, actual[name])
      continue
    }
    const sent = values.get(name)
    if (!sent && !isolated) continue
    // That of `now` depends on the time of the request.
    if (!sent && attribute.default?.kind === 'now') continue
    const expected = sent ? sent.expected : zeroValue(attribute)
    expectThat(
      matchesValue(attribute.type, actual[name], expected),
      exchange,
      `\`${name}\` is ${JSON.stringify(expected)}${sent ? '' : ', the zero value of its type'}`,
    )
  }
}

/** The clocks of the database and of the checks may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 24 * 60 * 60 * 1000

/** Expects a time near now, in UTC. */
function expectTimestamp(exchange: Exchange, name: string, value: Json | undefined): void {
  const time = typeof value === 'string' && value.endsWith('Z') ? Date.parse(value) : Number.NaN
  expectThat(
    Math.abs(time - Date.now()) < MAX_CLOCK_DIFFERENCE_MS,
    exchange,
    `\`${name}\` is a time near now, in UTC`,
  )
}

/** Compares a success response with an entity. Responses with entities must not be cached. */
export function expectEntityResponse(exchange: Exchange, status: number, expected: ExpectedEntity): void {
  expectResponse(exchange, { status, headers: { 'cache-control': 'no-store' } })
  expectEntity(exchange, parseJson(exchange.response.text), expected)
}

/** Reads a created entity and compares it. Does nothing if read is omitted. */
export async function expectStored(
  context: CheckContext,
  created: CreatedEntity,
  values: AttributeValues,
  as: User,
): Promise<void> {
  if (!endpointOf(created.resource, 'read')) return
  const exchange = await context.send({ method: 'GET', path: context.pathOf(created), as })
  const { resource, id } = created
  expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
}

/** Returns the message for an entity that does not exist or that the user cannot read. */
export function notFound(resource: Resource, id: string): string {
  return notFoundText(entityName(resource), id)
}
