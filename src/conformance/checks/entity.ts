import { answeredOf, type Values } from '../body.ts'
import type { Caller } from '../client.ts'
import { type Exchange, ShortfallError } from '../exchange.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { isObject, type Json, parseJson } from '../json.ts'
import { endpointOf, itemPath, nounOf, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import { shows } from '../values/value.ts'
import { zeroOf } from '../values/zero.ts'
import type { Made } from '../world.ts'

/** What an entity has to look like in an answer. */
export interface Looks {
  readonly place: Place
  readonly id: string
  readonly values: Values
  /** No hook sets anything, so attributes of the server hold their zero values. */
  readonly pristine: boolean
}

/** Compares a JSON value with an entity: `id` first, then the attributes in the definition's order, nothing else. */
export function expectEntity(exchange: Exchange, actual: Json | undefined, looks: Looks): void {
  const { place, id, values, pristine } = looks
  const attributes = answeredOf(place)
  const keys = ['id', ...attributes.map(({ names }) => names.declared)]
  if (!isObject(actual) || Object.keys(actual).join() !== keys.join())
    throw new ShortfallError(exchange, `an object with the keys ${keys.join(', ')}, in this order`)
  expectThat(actual['id'] === id, exchange, `the id ${id}`)
  for (const attribute of attributes) {
    const name = attribute.names.declared
    const sent = values.get(name)
    if (!sent && !pristine) continue
    const expected = sent?.answered ?? zeroOf(attribute)
    expectThat(
      shows(attribute.type, actual[name], expected),
      exchange,
      `\`${name}\` is ${JSON.stringify(expected)}${sent ? '' : ', the zero value of its type'}`,
    )
  }
}

/** Compares an answer of success with an entity; answers with entities are not to be stored by caches. */
export function expectEntityAnswer(exchange: Exchange, status: number, looks: Looks): void {
  expectAnswer(exchange, { status, headers: { 'cache-control': 'no-store' } })
  expectEntity(exchange, parseJson(exchange.answer.text), looks)
}

/** Reads something made and compares it with the values it should have now. Does nothing where read is omitted. */
export async function expectStored(scope: Scope, made: Made, values: Values, as: Caller): Promise<void> {
  if (!endpointOf(made.place, 'read')) return
  const exchange = await scope.send({ method: 'GET', path: scope.pathOf(made), as })
  const { place, id } = made
  expectEntityAnswer(exchange, 200, { place, id, values, pristine: scope.world.pristine })
}

/** The body of the answer for what is not there, or not for this caller to see. */
export function notFound(place: Place, id: string): string {
  return `${nounOf(place)} not found: ${id}`
}

/** The path of an entity that may not exist, under the parent of something made or of nothing. */
export function pathTo(place: Place, parent: Made | undefined, id: string): string {
  return itemPath(place, parent?.id, id)
}
