import type { Attribute, Platform } from '../../model/platform.ts'
import { bodyOf, requestedOf, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer, expectThat, stringOf } from '../expect.ts'
import { collectionPath, nounOf, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import { randomValue } from '../values/sample.ts'
import { plain, type Value } from '../values/value.ts'
import type { Made } from '../world.ts'
import { placeCheck, serves } from './build.ts'

/** How many requests race for one value. */
const RACERS = 12

/** Code points of a value that a row of a B-tree cannot hold (over 2,700 bytes), hardly compressible. */
const LONG = 6000

/** What `@unique` attributes have to hold. */
export function uniqueChecks(platform: Platform, place: Place): Check[] {
  return requestedOf(place)
    .filter(({ unique }) => unique)
    .flatMap((attribute) => [
      ...createChecks(platform, place, attribute),
      ...updateChecks(platform, place, attribute),
      ...longCheck(platform, place, attribute),
    ])
}

function createChecks(platform: Platform, place: Place, attribute: Attribute): Check[] {
  const name = attribute.names.declared
  const scopeOfRule = place.struct ? `, across all parents` : ''
  const two = { entities: 2, parents: 2 }
  const checks = [
    placeCheck(platform, place, `no two have the same \`${name}\`${scopeOfRule}`, two, async (scope) => {
      const [first, second = first] = await scope.callers(place, 2)
      const made = await scope.make(place, { by: first })
      await expectDuplicate(scope, made, attribute, second)
      await expectDuplicate(scope, made, attribute, first)
    }),
  ]
  // A reference that the racers could all use is tied to what one caller may refer to.
  if (attribute.type.kind !== 'reference' && attribute.type.kind !== 'sibling')
    checks.push(
      placeCheck(
        platform,
        place,
        `of ${RACERS} creations of one \`${name}\` at the same time one succeeds`,
        { entities: 1, perCaller: RACERS },
        (scope) => race(scope, place, attribute),
      ),
    )
  if (serves(place, 'delete'))
    checks.push(
      placeCheck(
        platform,
        place,
        `\`${name}\` of what is deleted is free again`,
        { entities: 1 },
        async (scope) => {
          const made = await scope.make(place, { by: await scope.caller(place) })
          expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(made), as: made.by }), {
            status: 200,
          })
          scope.disown(made)
          const path = collectionPath(place, made.parent?.id)
          const body = bodyOf(made.values)
          const exchange = await scope.send({ method: 'POST', path, as: made.by, body })
          expectAnswer(exchange, { status: 201 })
          scope.adopt({ ...made, id: stringOf(exchange, 'id') })
        },
      ),
    )
  return checks
}

/** All other values are new, so that this attribute alone stands in the way. */
async function expectDuplicate(
  scope: Scope,
  made: Made,
  attribute: Attribute,
  by: Made['by'],
): Promise<void> {
  const { place } = made
  const { type, names } = attribute
  // What the first caller refers to the second may not be able to read.
  const closed = type.kind === 'sibling' || (type.kind === 'reference' && by !== made.by)
  const parent = closed || by === made.by ? made.parent : await scope.parentFor(place, by)
  const as = closed ? made.by : by
  const taken = made.values.get(names.declared)
  if (!taken) return
  const values = await scope.draft(place, as, parent, [[names.declared, taken]])
  const path = collectionPath(place, parent?.id)
  const exchange = await scope.send({ method: 'POST', path, as, body: bodyOf(values) })
  expectAnswer(exchange, { status: 409, error: `Duplicate ${nounOf(place)} found` })
}

async function race(scope: Scope, place: Place, attribute: Attribute): Promise<void> {
  const by = await scope.caller(place)
  const parent = await scope.parentFor(place, by)
  const others = requestedOf(place).filter(({ unique }) => unique)
  // Other @unique attributes with small ranges would run out; racing with one set of values proves the same.
  const values = await scope.draft(place, by, parent)
  const bodies = await Promise.all(
    Array.from({ length: RACERS }, async () =>
      others.length === 1
        ? bodyOf(values)
        : bodyOf(withValues(values, await variations(scope, place, others, attribute))),
    ),
  )
  const path = collectionPath(place, parent?.id)
  const exchanges = await Promise.all(
    bodies.map((body) => scope.send({ method: 'POST', path, as: by, body })),
  )
  for (const exchange of exchanges)
    if (exchange.answer.status !== 409) {
      expectAnswer(exchange, { status: 201 })
      scope.adopt({ place, parent, id: stringOf(exchange, 'id'), values, by })
    }
  const created = exchanges.filter(({ answer }) => answer.status === 201)
  expectThat(created.length === 1, created[1] ?? exchanges[0], `one 201 of ${RACERS}, not ${created.length}`)
}

/** New values for the other @unique attributes of a large range. */
async function variations(
  scope: Scope,
  place: Place,
  unique: readonly Attribute[],
  fixed: Attribute,
): Promise<(readonly [string, Value])[]> {
  const varied: (readonly [string, Value])[] = []
  for (const attribute of unique) {
    const { type } = attribute
    if (attribute === fixed || type.kind === 'reference' || type.kind === 'sibling') continue
    if (type.kind === 'bool') continue
    const value = randomValue(type)
    if (scope.claim(place, attribute, value)) varied.push([attribute.names.declared, value])
  }
  return varied
}

function updateChecks(platform: Platform, place: Place, attribute: Attribute): Check[] {
  if (!serves(place, 'update')) return []
  const { declared: name } = attribute.names
  const { kind } = attribute.type
  const reference = kind === 'reference' || kind === 'sibling'
  const parents = kind === 'sibling' ? 1 : 2
  const perCaller = reference ? 2 : 1
  const parentsPerCaller = kind === 'reference' ? 2 : 1
  const needs = { entities: 2, perCaller, parents, parentsPerCaller }
  return [
    placeCheck(platform, place, `update cannot take the \`${name}\` of another`, needs, async (scope) => {
      const [first, second = first] = await scope.callers(place, 2)
      const made = await scope.make(place, { by: first })
      const other = await scope.make(place, {
        by: reference ? first : second,
        ...(kind === 'sibling' && made.parent ? { parent: made.parent } : {}),
      })
      const taken = made.values.get(name)
      if (!taken) return
      const path = scope.pathOf(other)
      const stolen = bodyOf(withValues(other.values, [[name, taken]]))
      const refused = { status: 409, error: `Duplicate ${nounOf(place)} found` }
      expectAnswer(await scope.send({ method: 'PUT', path, as: other.by, body: stolen }), refused)
      const own = bodyOf(other.values)
      expectAnswer(await scope.send({ method: 'PUT', path, as: other.by, body: own }), { status: 200 })
    }),
  ]
}

function longCheck(platform: Platform, place: Place, attribute: Attribute): Check[] {
  const { type, names } = attribute
  const room =
    type.kind === 'string' ? type.maxLength : type.kind === 'data' ? type.maxSize : (0 as number | undefined)
  if (room !== undefined && room < LONG) return []
  const sentence = `\`${names.declared}\` is unique at any length`
  return [
    placeCheck(platform, place, sentence, { entities: 2, parents: 2 }, async (scope) => {
      const [first, second = first] = await scope.callers(place, 2)
      const value = longValue(type.kind === 'data')
      const made = await scope.make(place, { by: first, values: [[names.declared, value]] })
      await expectDuplicate(scope, made, attribute, second)
      const other = longValue(type.kind === 'data')
      await scope.make(place, { by: second, values: [[names.declared, other]] })
    }),
  ]
}

/** Random, as Postgres compresses what repeats. */
function longValue(data: boolean): Value {
  const bytes = Buffer.concat(
    Array.from({ length: LONG / 16 }, () => Buffer.from(crypto.getRandomValues(new Uint8Array(16)))),
  )
  return plain(data ? bytes.toString('base64') : bytes.toString('hex').slice(0, LONG))
}
