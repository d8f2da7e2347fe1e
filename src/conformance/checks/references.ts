import { randomUUID } from 'node:crypto'
import type { Attribute, Platform } from '../../model/platform.ts'
import { bodyWith, requestedOf, withValues, bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import type { Caller } from '../client.ts'
import { expectAnswer } from '../expect.ts'
import { feasibility, targetPlace } from '../feasibility.ts'
import { collectionPath, nounOf, type Place, placeOf } from '../place.ts'
import type { Scope } from '../scope.ts'
import { plain } from '../values/value.ts'
import type { Made } from '../world.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer, expectStored } from './entity.ts'

/** What attributes that refer to something have to hold. */
export function referenceChecks(platform: Platform, place: Place): Check[] {
  const references = requestedOf(place).filter((attribute) => targetPlace(platform, place, attribute))
  return [
    ...references.flatMap((attribute) => {
      const target = targetPlace(platform, place, attribute)
      if (!target) return []
      return [
        unknownCheck(platform, place, attribute, target),
        ...foreignCheck(platform, place, attribute, target),
        ...updateCheck(platform, place, attribute, target),
        ...deletedCheck(platform, place, attribute, target),
        ...siblingChecks(platform, place, attribute, target),
      ]
    }),
    ...orderCheck(platform, place, references),
  ]
}

function unknown(target: Place, id: string): { status: number; error: string } {
  return { status: 400, error: `Unknown ${nounOf(target)}: ${id}` }
}

function unknownCheck(platform: Platform, place: Place, attribute: Attribute, target: Place): Check {
  const name = attribute.names.declared
  return placeCheck(
    platform,
    place,
    `\`${name}\` takes a ${nounOf(target)} that exists, in either case of its id`,
    { entities: 1 },
    async (scope) => {
      const by = await scope.caller(place)
      const parent = await scope.parentFor(place, by)
      const values = await scope.draft(place, by, parent)
      const path = collectionPath(place, parent?.id)
      const nobody = randomUUID()
      const body = bodyWith(values, { [name]: JSON.stringify(nobody) })
      expectAnswer(await scope.send({ method: 'POST', path, as: by, body }), unknown(target, nobody))
      const id = values.get(name)?.answered
      if (typeof id !== 'string') return
      const upper = { json: JSON.stringify(id.toUpperCase()), answered: id }
      const made = await scope.makeOf(place, by, parent, withValues(values, [[name, upper]]))
      await expectStored(scope, made, made.values, by)
    },
  )
}

/** What somebody else made: known where everybody may read it, else as good as missing. */
function foreignCheck(platform: Platform, place: Place, attribute: Attribute, target: Place): Check[] {
  if (
    !platform.authentication ||
    attribute.type.kind !== 'reference' ||
    feasibility(platform, target).blocked
  )
    return []
  const name = attribute.names.declared
  const open = target.service.readable === 'all'
  const noun = nounOf(target)
  const sentence = open
    ? `\`${name}\` takes a ${noun} of another user (2 users)`
    : `\`${name}\` takes no ${noun} that only another user can read (2 users)`
  return [
    placeCheck(
      platform,
      place,
      sentence,
      { entities: 1, parents: attribute.type.own ? 2 : 1 },
      async (scope) => {
        const [by, other = by] = await scope.callers(place, 2)
        const parent = await scope.parentFor(place, by)
        // The other caller may have their one entity already.
        const owner = scope.world.feasible(target).onePerCaller ? await scope.world.stranger() : other
        const foreign = await scope.make(target, { by: owner })
        const values = await scope.draft(place, by, parent, [[name, plain(foreign.id)]])
        const ask = { method: 'POST', path: collectionPath(place, parent?.id), as: by, body: bodyOf(values) }
        if (!open) return expectAnswer(await scope.send(ask), unknown(target, foreign.id))
        await scope.makeOf(place, by, parent, values)
      },
    ),
  ]
}

function updateCheck(platform: Platform, place: Place, attribute: Attribute, target: Place): Check[] {
  if (!serves(place, 'update')) return []
  const name = attribute.names.declared
  const sentence = `update checks \`${name}\`, and changes nothing where it is unknown`
  return [
    placeCheck(platform, place, sentence, { entities: 1 }, async (scope) => {
      const made = await scope.make(place, { by: await scope.caller(place) })
      const { by } = made
      const path = scope.pathOf(made)
      const nobody = randomUUID()
      const changed = await scope.redraft(made)
      const body = bodyWith(changed, { [name]: JSON.stringify(nobody) })
      expectAnswer(await scope.send({ method: 'PUT', path, as: by, body }), unknown(target, nobody))
      await expectStored(scope, made, made.values, by)
      if (platform.authentication && place.service.writable === 'this' && place.service.readable === 'all') {
        const [, stranger] = await scope.callers(place, 2)
        const refused = await scope.send({ method: 'PUT', path, as: stranger, body })
        // Access comes before references.
        expectAnswer(refused, { status: 403, error: 'Forbidden' })
      }
    }),
  ]
}

/** References to what is deleted stay, and are checked again only where they change. */
function deletedCheck(platform: Platform, place: Place, attribute: Attribute, target: Place): Check[] {
  const { type } = attribute
  if (type.kind !== 'reference' || !serves(target, 'delete')) return []
  const { onePerCaller } = feasibility(platform, target)
  if (onePerCaller && target.service.readable === 'this') return []
  if (type.own && onePerCaller) return []
  const name = attribute.names.declared
  const sentence = `\`${name}\` stays when its ${nounOf(target)} is deleted, and is not checked again until it changes`
  const parents = type.own ? { parents: 2, parentsPerCaller: 2 } : {}
  return [
    placeCheck(platform, place, sentence, { entities: 1, ...parents }, async (scope) => {
      const by = await scope.caller(place)
      const owner = onePerCaller ? await scope.world.stranger() : by
      const referenced = await scope.make(target, { by: owner })
      const made = await scope.make(place, { by, values: [[name, plain(referenced.id)]] })
      await remove(scope, referenced, owner)
      await expectStored(scope, made, made.values, by)
      if (serves(place, 'update')) {
        const exchange = await scope.send({
          method: 'PUT',
          path: scope.pathOf(made),
          as: by,
          body: bodyOf(made.values),
        })
        const { id, values } = made
        expectEntityAnswer(exchange, 200, { place, id, values, pristine: scope.world.pristine })
      }
      // Its other values may be @unique, but references come before the database.
      const path = collectionPath(place, made.parent?.id)
      const exchange = await scope.send({ method: 'POST', path, as: by, body: bodyOf(made.values) })
      expectAnswer(exchange, unknown(target, referenced.id))
    }),
  ]
}

async function remove(scope: Scope, made: Made, by: Caller): Promise<void> {
  expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(made), as: by }), {
    status: 200,
    body: {},
  })
  scope.disown(made)
}

function siblingChecks(platform: Platform, place: Place, attribute: Attribute, target: Place): Check[] {
  if (attribute.type.kind !== 'sibling') return []
  const name = attribute.names.declared
  const noun = nounOf(target)
  const checks = [
    placeCheck(
      platform,
      place,
      `\`${name}\` takes no ${noun} of another ${placeOf(place.service).label}`,
      { entities: 1, parents: 2 },
      async (scope) => {
        const [by, other = by] = await scope.callers(place, 2)
        const parent = await scope.parentFor(place, by)
        const foreign = await scope.make(target, { by: other })
        const values = await scope.draft(place, by, parent, [[name, plain(foreign.id)]])
        const ask = { method: 'POST', path: collectionPath(place, parent?.id), as: by, body: bodyOf(values) }
        expectAnswer(await scope.send(ask), unknown(target, foreign.id))
      },
    ),
  ]
  if (serves(target, 'delete'))
    checks.push(
      placeCheck(
        platform,
        place,
        `a ${noun} that \`${name}\` refers to cannot be deleted`,
        { entities: 1 },
        async (scope) => {
          const by = await scope.caller(place)
          const parent = await scope.parentFor(place, by)
          const under = parent ? { by, parent } : { by }
          const referenced = await scope.make(target, under)
          const made = await scope.make(place, { ...under, values: [[name, plain(referenced.id)]] })
          const path = scope.pathOf(referenced)
          const refused = await scope.send({ method: 'DELETE', path, as: by })
          expectAnswer(refused, { status: 409, error: `${noun} is still referenced` })
          await expectStored(scope, referenced, referenced.values, by)
          if (!serves(place, 'delete')) return
          await remove(scope, made, by)
          await remove(scope, referenced, by)
        },
      ),
    )
  return checks
}

/** Of several references to nothing, the first of the definition is named. */
function orderCheck(platform: Platform, place: Place, references: readonly Attribute[]): Check[] {
  const [first, second] = references
  if (!first || !second) return []
  const names = references.map((attribute) => `\`${attribute.names.declared}\``)
  return [
    placeCheck(
      platform,
      place,
      `of ${names.slice(0, -1).join(', ')} and ${names.at(-1)} the first unknown one is named`,
      { entities: 1 },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const values = await scope.draft(place, by, parent)
        const path = collectionPath(place, parent?.id)
        const ids = new Map(references.map((attribute) => [attribute, randomUUID()] as const))
        for (const [from, attribute] of references.entries()) {
          const bad = references.slice(from).map((reference) => {
            const id = ids.get(reference) ?? ''
            return [reference.names.declared, plain(id)] as const
          })
          const target = targetPlace(platform, place, attribute)
          if (!target) continue
          const body = bodyOf(withValues(values, bad))
          const exchange = await scope.send({ method: 'POST', path, as: by, body })
          expectAnswer(exchange, unknown(target, ids.get(attribute) ?? ''))
        }
      },
    ),
  ]
}
