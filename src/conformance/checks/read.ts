import { randomUUID } from 'node:crypto'
import type { Platform } from '../../model/platform.ts'
import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { itemPath, type Place } from '../place.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer, notFound } from './entity.ts'

/** Texts in place of an id that are no UUID, percent-encoded where a path asks for it. */
const MALFORMED = [
  'x',
  '1',
  'null',
  '018f6d1e000070008000000000000000',
  '018f6d1e-0000-7000-8000-00000000000g',
] as const

/** What reading an entity has to do, and what ids in paths may be. */
export function readChecks(platform: Platform, place: Place): Check[] {
  const checks: Check[] = []
  if (serves(place, 'read'))
    checks.push(
      placeCheck(
        platform,
        place,
        'read answers 200 with the entity, whatever the case of the id, and HEAD without it',
        { entities: 1 },
        async (scope) => {
          const made = await scope.make(place, { by: await scope.caller(place) })
          const looks = { place, id: made.id, values: made.values, pristine: scope.world.pristine }
          const path = scope.pathOf(made)
          const read = await scope.send({ method: 'GET', path, as: made.by })
          expectEntityAnswer(read, 200, looks)
          const upper = itemPath(place, made.parent?.id.toUpperCase(), made.id.toUpperCase())
          expectEntityAnswer(await scope.send({ method: 'GET', path: upper, as: made.by }), 200, looks)
          expectEntityAnswer(
            await scope.send({ method: 'GET', path: `${path}?a=1`, as: made.by }),
            200,
            looks,
          )
          const head = await scope.send({ method: 'HEAD', path, as: made.by })
          expectAnswer(head, { status: 200, headers: { 'cache-control': 'no-store' } })
          const type = read.answer.headers['content-type'] ?? ''
          expectThat(head.answer.headers['content-type'] === type, head, `content-type: ${type}, as for GET`)
        },
      ),
    )
  const operations = (['read', 'update', 'delete'] as const).filter((operation) => serves(place, operation))
  if (operations.length === 0) return checks
  const names = operations.join(', ')
  checks.push(
    placeCheck(
      platform,
      place,
      `${names} of what is not there is 404`,
      { entities: 0, parents: 1 },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const id = randomUUID()
        for (const operation of operations) {
          const method = operation === 'read' ? 'GET' : operation === 'update' ? 'PUT' : 'DELETE'
          const body = operation === 'update' ? bodyOf(scope.emptyDraft(place)) : undefined
          const exchange = await scope.send({ method, path: itemPath(place, parent?.id, id), as: by, body })
          expectAnswer(exchange, { status: 404, error: notFound(place, id) })
        }
      },
    ),
    placeCheck(
      platform,
      place,
      `${names} with an id that is no UUID is 400`,
      { entities: 0 },
      async (scope) => {
        const by = await scope.caller(place)
        const body = bodyOf(scope.emptyDraft(place))
        for (const operation of operations) {
          const method = operation === 'read' ? 'GET' : operation === 'update' ? 'PUT' : 'DELETE'
          for (const id of MALFORMED) {
            const paths = [itemPath(place, randomUUID(), id)]
            if (place.struct) paths.push(itemPath(place, id, randomUUID()))
            for (const path of paths) {
              const ask = { method, path, as: by, body: operation === 'update' ? body : undefined }
              expectAnswer(await scope.send(ask), { status: 400, error: /^Invalid id: / })
            }
          }
          const odd = itemPath(place, randomUUID(), '%00%ff%27')
          const exchange = await scope.send({
            method,
            path: odd,
            as: by,
            body: operation === 'update' ? body : undefined,
          })
          expectThat(exchange.answer.status === 400, exchange, '400')
        }
      },
    ),
  )
  return checks
}
