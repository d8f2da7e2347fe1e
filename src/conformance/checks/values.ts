import { counted } from '../../model/names.ts'
import { randomUUID } from 'node:crypto'
import { type Attribute, type AttributeType, assertNever, type Platform } from '../../model/platform.ts'
import { bodyOf, bodyWith, requestedOf, type Values, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { type Exchange, ShortfallError } from '../exchange.ts'
import { expectAnswer, expectThat, stringOf } from '../expect.ts'
import { isObject, parseJson } from '../json.ts'
import { collectionPath, itemPath, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import { acceptedCases } from '../values/accepted.ts'
import { refusedCases } from '../values/refused.ts'
import { type Case, shows } from '../values/value.ts'
import type { Made } from '../world.ts'
import { placeCheck, serves } from './build.ts'
import { expectStored } from './entity.ts'
import { invalid } from './missing.ts'

/** What each attribute of a place has to take, and what it has to refuse. */
export function valueChecks(platform: Platform, place: Place): Check[] {
  if (!serves(place, 'create') && !serves(place, 'update')) return []
  return requestedOf(place).flatMap((attribute) => {
    const accepted = acceptedCases(attribute.type)
    const taking = accepted.length > 0 ? [acceptsCheck(platform, place, attribute, accepted)] : []
    return [...taking, refusesCheck(platform, place, attribute)]
  })
}

function refusesCheck(platform: Platform, place: Place, attribute: Attribute): Check {
  const name = attribute.names.declared
  const refusals = refusedCases(attribute.type)
  const sentence = `\`${name}\` refuses what is no ${nameOf(attribute.type)} (${refusals.length} values)`
  return placeCheck(platform, place, sentence, { entities: 0 }, async (scope) => {
    const by = await scope.caller(place)
    const values = scope.emptyDraft(place)
    for (const [index, { json, what }] of refusals.entries()) {
      const update = serves(place, 'update') && (index % 4 === 3 || !serves(place, 'create'))
      const exchange = await scope.send({
        method: update ? 'PUT' : 'POST',
        path: update ? itemPath(place, randomUUID(), randomUUID()) : collectionPath(place, randomUUID()),
        as: by,
        body: bodyWith(values, { [name]: json }),
      })
      try {
        expectAnswer(exchange, { status: 400, error: invalid(name) })
      } catch (error) {
        throw withCase(error, exchange, `\`${name}\` refuses ${what}: `)
      }
    }
  })
}

function acceptsCheck(platform: Platform, place: Place, attribute: Attribute, cases: readonly Case[]): Check {
  const name = attribute.names.declared
  const sentence = `\`${name}\` takes every ${nameOf(attribute.type)} (${cases.length} values)`
  const replacing = serves(place, 'update')
  const entities = replacing ? 1 : cases.length
  const perCaller = replacing ? 1 : cases.length
  return placeCheck(platform, place, sentence, { entities, perCaller }, async (scope) => {
    const by = await scope.caller(place)
    const parent = await scope.parentFor(place, by)
    let made: Made | undefined
    for (const example of cases) {
      // Another check may hold just this value of a @unique attribute.
      if (!scope.claim(place, attribute, example)) continue
      if (made && replacing) await replace(scope, made, name, example, attribute)
      else made = await create(scope, place, parent, by, attribute, example)
    }
  })
}

async function create(
  scope: Scope,
  place: Place,
  parent: Made | undefined,
  by: Made['by'],
  attribute: Attribute,
  example: Case,
): Promise<Made> {
  const name = attribute.names.declared
  const values = await scope.draft(place, by, parent, [[name, example]])
  const path = collectionPath(place, parent?.id)
  const exchange = await scope.send({ method: 'POST', path, as: by, body: bodyOf(values) })
  expectTaken(exchange, 201, attribute, example)
  const made = scope.adopt({ place, parent, id: stringOf(exchange, 'id'), values, by })
  await stored(scope, made, values, exchange, example, name)
  return made
}

async function replace(
  scope: Scope,
  made: Made,
  name: string,
  example: Case,
  attribute: Attribute,
): Promise<void> {
  const values = withValues(made.values, [[name, example]])
  const exchange = await scope.send({
    method: 'PUT',
    path: scope.pathOf(made),
    as: made.by,
    body: bodyOf(values),
  })
  expectTaken(exchange, 200, attribute, example)
  await stored(scope, made, values, exchange, example, name)
}

function expectTaken(exchange: Exchange, status: number, attribute: Attribute, example: Case): void {
  const name = attribute.names.declared
  expectThat(exchange.answer.status === status, exchange, `${status}: \`${name}\` takes ${example.what}`)
  if (!attribute.answered) return
  const body = parseJson(exchange.answer.text)
  const actual = isObject(body) ? body[name] : undefined
  expectThat(
    shows(attribute.type, actual, example.answered),
    exchange,
    `\`${name}\` is ${JSON.stringify(example.answered)} (${example.what})`,
  )
}

async function stored(
  scope: Scope,
  made: Made,
  values: Values,
  exchange: Exchange,
  example: Case,
  name: string,
): Promise<void> {
  try {
    await expectStored(scope, made, values, made.by)
  } catch (error) {
    throw withCase(error, exchange, `\`${name}\` keeps ${example.what}: `)
  }
}

function withCase(error: unknown, exchange: Exchange, what: string): unknown {
  if (!(error instanceof ShortfallError)) return error
  return new ShortfallError(error.shortfall.exchange ?? exchange, `${what}${error.shortfall.expected}`)
}

/** A type in a sentence: `string of 3 to 254 characters`. */
export function nameOf(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'bool'
    case 'string':
      return stringName(type.minLength, type.maxLength)
    case 'int':
      return `int from ${type.jsonMin} to ${type.jsonMax}`
    case 'float':
      return floatName(type.min, type.max, type.column)
    case 'date':
    case 'time':
    case 'datetime':
      return type.kind
    case 'data':
      return type.maxSize === undefined
        ? 'data in base64'
        : `data of at most ${counted(type.maxSize, 'byte')} in base64`
    case 'reference':
      return `reference to a ${type.target.names.declared}`
    case 'sibling':
      return `reference to a ${type.target.declared}`
    default:
      return assertNever(type)
  }
}

function floatName(min: number | undefined, max: number | undefined, column: string): string {
  const name = column === 'real' ? 'float of single precision' : 'float'
  if (min === undefined && max === undefined) return name
  if (min === undefined) return `${name} up to ${max}`
  return max === undefined ? `${name} from ${min}` : `${name} from ${min} to ${max}`
}

function stringName(min: number, max: number | undefined): string {
  if (max === undefined && min === 0) return 'string'
  const unit = (max ?? min) === 1 ? 'character' : 'characters'
  return `string of ${range(String(min), max?.toString())} ${unit}`
}

function range(min: string, max: string | undefined): string {
  if (max === undefined) return `at least ${min}`
  return min === '0' ? `at most ${max}` : `${min} to ${max}`
}
