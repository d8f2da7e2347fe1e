import { randomUUID } from 'node:crypto'
import type { Platform } from '../../model/platform.ts'
import { bodyOf, bodyWith, requestedOf } from '../body.ts'
import type { Check } from '../check.ts'
import type { Place } from '../place.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer, expectStored } from './entity.ts'

/** What updating has to do. */
export function updateChecks(platform: Platform, place: Place): Check[] {
  if (!serves(place, 'update')) return []
  const requested = requestedOf(place)
  if (requested.length === 0) return [emptyUpdate(platform, place)]
  return [
    placeCheck(
      platform,
      place,
      'update answers 200 with the new values, and they are stored',
      { entities: 1 },
      async (scope) => {
        const made = await scope.make(place, { by: await scope.caller(place) })
        const { by } = made
        const values = await scope.redraft(made)
        const looks = { place, id: made.id, values, pristine: scope.world.pristine }
        const path = scope.pathOf(made)
        const body = bodyWith(values, { id: JSON.stringify(randomUUID()), __unknown: '1' })
        expectEntityAnswer(await scope.send({ method: 'PUT', path, as: by, body }), 200, looks)
        await expectStored(scope, made, values, by)
        const again = await scope.send({ method: 'PUT', path, as: by, body: bodyOf(values) })
        expectEntityAnswer(again, 200, looks)
      },
    ),
    placeCheck(
      platform,
      place,
      'update changes one entity alone',
      { entities: 2, perCaller: 2 },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const under = parent ? { by, parent } : { by }
        const changed = await scope.make(place, under)
        const other = await scope.make(place, under)
        const values = await scope.redraft(changed)
        const path = scope.pathOf(changed)
        expectEntityAnswer(await scope.send({ method: 'PUT', path, as: by, body: bodyOf(values) }), 200, {
          place,
          id: changed.id,
          values,
          pristine: scope.world.pristine,
        })
        await expectStored(scope, other, other.values, by)
      },
    ),
  ]
}

function emptyUpdate(platform: Platform, place: Place): Check {
  return placeCheck(
    platform,
    place,
    'update takes an empty body, as there is nothing to send',
    { entities: 1 },
    async (scope) => {
      const made = await scope.make(place, { by: await scope.caller(place) })
      const looks = { place, id: made.id, values: made.values, pristine: scope.world.pristine }
      for (const body of [undefined, '', '{}', '{"a":1}']) {
        const exchange = await scope.send({ method: 'PUT', path: scope.pathOf(made), as: made.by, body })
        expectEntityAnswer(exchange, 200, looks)
      }
    },
  )
}
