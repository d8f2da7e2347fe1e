import type { Platform } from '../../model/platform.ts'
import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer } from '../expect.ts'
import type { Place } from '../place.ts'
import { placeCheck, serves } from './build.ts'
import { expectStored, notFound } from './entity.ts'

/** What deleting has to do. */
export function deleteChecks(platform: Platform, place: Place): Check[] {
  if (!serves(place, 'delete')) return []
  return [
    placeCheck(
      platform,
      place,
      'delete answers 200 with {}, and what is deleted is gone',
      { entities: 1 },
      async (scope) => {
        const made = await scope.make(place, { by: await scope.caller(place) })
        const { by, id } = made
        const path = scope.pathOf(made)
        expectAnswer(await scope.send({ method: 'DELETE', path, as: by }), { status: 200, body: {} })
        scope.disown(made)
        const gone = { status: 404, error: notFound(place, id) }
        expectAnswer(await scope.send({ method: 'DELETE', path, as: by }), gone)
        if (serves(place, 'read')) expectAnswer(await scope.send({ method: 'GET', path, as: by }), gone)
        if (serves(place, 'update')) {
          const body = bodyOf(made.values)
          expectAnswer(await scope.send({ method: 'PUT', path, as: by, body }), gone)
        }
      },
    ),
    placeCheck(
      platform,
      place,
      'delete removes one entity alone',
      { entities: 2, perCaller: 2, operations: ['read'] },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const under = parent ? { by, parent } : { by }
        const made = await scope.make(place, under)
        const other = await scope.make(place, under)
        const path = scope.pathOf(made)
        expectAnswer(await scope.send({ method: 'DELETE', path, as: by }), { status: 200, body: {} })
        scope.disown(made)
        await expectStored(scope, other, other.values, by)
      },
    ),
  ]
}
