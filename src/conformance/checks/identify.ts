import type { Platform } from '../../model/platform.ts'
import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { collectionPath, itemPath, nounOf, type Place } from '../place.ts'
import { placeCheck, serves } from './build.ts'
import { expectStored, notFound } from './entity.ts'

/** How many creations with one token race. */
const RACERS = 12

/** What an `#auth` service has to do: one entity a token, and the way to it. */
export function identityChecks(platform: Platform, place: Place): Check[] {
  if (!place.service.identity || place.struct) return []
  const duplicate = { status: 409, error: `Duplicate ${nounOf(place)} found` }
  const checks = [
    placeCheck(platform, place, 'a user has at most one', { entities: 2 }, async (scope) => {
      const by = await scope.caller(place)
      const made = await scope.make(place, { by })
      const values = await scope.redraft(made)
      const ask = { method: 'POST', path: collectionPath(place, undefined), as: by, body: bodyOf(values) }
      expectAnswer(await scope.send(ask), duplicate)
      await expectStored(scope, made, made.values, by)
    }),
    placeCheck(
      platform,
      place,
      `of ${RACERS} creations of one user at the same time one succeeds`,
      { entities: RACERS },
      async (scope) => {
        const by = await scope.caller(place)
        const drafts = await Promise.all(
          Array.from({ length: RACERS }, () => scope.draft(place, by, undefined)),
        )
        const path = collectionPath(place, undefined)
        const exchanges = await Promise.all(
          drafts.map((values) => scope.send({ method: 'POST', path, as: by, body: bodyOf(values) })),
        )
        const created = exchanges.filter(({ answer }) => answer.status === 201)
        for (const [index, exchange] of exchanges.entries()) {
          if (exchange.answer.status === 201)
            scope.adopt({ place, parent: undefined, id: by.id, values: drafts[index] ?? new Map(), by })
          else expectAnswer(exchange, duplicate)
        }
        expectThat(
          created.length === 1,
          created[1] ?? exchanges[0],
          `one 201 of ${RACERS}, not ${created.length}`,
        )
      },
    ),
  ]
  if (serves(place, 'delete'))
    checks.push(
      placeCheck(
        platform,
        place,
        'a user whose entity is deleted can make one again',
        { entities: 1 },
        async (scope) => {
          const made = await scope.make(place, { by: await scope.caller(place) })
          const { by } = made
          expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(made), as: by }), {
            status: 200,
          })
          scope.disown(made)
          const again = await scope.make(place, { by, values: made.values })
          expectThat(again.id === made.id, undefined, `the id ${made.id} again, not ${again.id}`)
          await expectStored(scope, again, again.values, by)
        },
      ),
    )
  if (serves(place, 'identify'))
    checks.push(
      placeCheck(
        platform,
        place,
        'identify answers 404 before a user has one',
        { entities: 0 },
        async (scope) => {
          const by = await scope.caller(place)
          const ask = { method: 'GET', path: collectionPath(place, undefined), as: by }
          expectAnswer(await scope.send(ask), { status: 404, error: notFound(place, by.id) })
        },
      ),
      placeCheck(
        platform,
        place,
        'identify answers 302 with the way to what the user has made (2 users)',
        { entities: 2 },
        async (scope) => {
          for (const by of await scope.callers(place, 2)) {
            const made = await scope.make(place, { by })
            const location = itemPath(place, undefined, made.id)
            for (const method of ['GET', 'HEAD']) {
              const ask = { method, path: collectionPath(place, undefined), as: by }
              expectAnswer(await scope.send(ask), { status: 302, headers: { location } })
            }
          }
        },
      ),
    )
  return checks
}
