import { randomUUID } from 'node:crypto'
import type { Platform } from '../../model/platform.ts'
import { bodyOf, bodyWith, requestedOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer, expectThat, stringOf } from '../expect.ts'
import { collectionPath, itemPath, type Place } from '../place.ts'
import { randomValue } from '../values/sample.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer, expectStored } from './entity.ts'

/** What creating at a place has to do. */
export function createChecks(platform: Platform, place: Place): Check[] {
  if (!serves(place, 'create')) return []
  const checks = [
    placeCheck(
      platform,
      place,
      'create answers 201 with what is stored and where it is',
      { entities: 1 },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const values = await scope.draft(place, by, parent)
        const path = collectionPath(place, parent?.id)
        const exchange = await scope.send({ method: 'POST', path, as: by, body: bodyOf(values) })
        expectAnswer(exchange, { status: 201 })
        const id = stringOf(exchange, 'id')
        scope.adopt({ place, parent, id, values, by })
        expectAnswer(exchange, { status: 201, headers: { location: itemPath(place, parent?.id, id) } })
        expectEntityAnswer(exchange, 201, { place, id, values, pristine: scope.world.pristine })
      },
    ),
    place.service.identity && !place.struct ? ownId(platform, place) : orderedIds(platform, place),
    ignoredKeys(platform, place),
  ]
  if (serves(place, 'read'))
    checks.push(
      placeCheck(platform, place, 'what is created can be read', { entities: 1 }, async (scope) => {
        const made = await scope.make(place, { by: await scope.caller(place) })
        await expectStored(scope, made, made.values, made.by)
      }),
    )
  return checks
}

function orderedIds(platform: Platform, place: Place): Check {
  return placeCheck(
    platform,
    place,
    'ids are UUIDs of version 7, in the order of creation',
    { entities: 2, parents: 2 },
    async (scope) => {
      const [first, second] = await scope.callers(place, 2)
      const earlier = await scope.make(place, { by: first })
      const later = await scope.make(place, { by: second ?? first })
      for (const { id } of [earlier, later])
        expectThat(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
          undefined,
          `a UUID of version 7 in lower case as the id of ${place.label}, not ${id}`,
        )
      expectThat(earlier.id < later.id, undefined, `the id ${later.id}, made later, after ${earlier.id}`)
    },
  )
}

function ownId(platform: Platform, place: Place): Check {
  return placeCheck(
    platform,
    place,
    'an entity has the id of its creator',
    { entities: 1 },
    async (scope) => {
      const made = await scope.make(place, { by: await scope.caller(place) })
      expectThat(made.id === made.by.id, undefined, `the id of the token, ${made.by.id}, not ${made.id}`)
    },
  )
}

function ignoredKeys(platform: Platform, place: Place): Check {
  const closed = place.entity.attributes.filter(({ requested }) => !requested)
  const names = closed.map(({ names: { declared } }) => `\`${declared}\``)
  return placeCheck(
    platform,
    place,
    `create ignores ${['`id`', ...names, 'unknown keys'].join(', ')} in requests`,
    { entities: 1 },
    async (scope) => {
      const by = await scope.caller(place)
      const parent = await scope.parentFor(place, by)
      const values = await scope.draft(place, by, parent)
      const sentId = randomUUID()
      const extra: Record<string, string> = { id: JSON.stringify(sentId), __unknown: '{"a":[1]}', '': '1' }
      for (const {
        names: { declared },
        type,
      } of closed)
        extra[declared] =
          type.kind === 'reference' || type.kind === 'sibling'
            ? JSON.stringify(randomUUID())
            : randomValue(type).json
      const exchange = await scope.send({
        method: 'POST',
        path: collectionPath(place, parent?.id),
        as: by,
        body: bodyWith(values, extra),
      })
      expectAnswer(exchange, { status: 201 })
      const id = stringOf(exchange, 'id')
      const made = scope.adopt({ place, parent, id, values, by })
      expectThat(id !== sentId, exchange, 'an id that the service has made, not the one in the request')
      expectEntityAnswer(exchange, 201, { place, id, values, pristine: scope.world.pristine })
      await expectStored(scope, made, values, by)
      if (requestedOf(place).length === 0) return
      const nulls = await scope.send({
        method: 'POST',
        path: collectionPath(place, parent?.id),
        as: by,
        body: bodyWith(new Map(), extra),
      })
      expectAnswer(nulls, { status: 400, error: /^Missing request parameter\(s\): / })
    },
  )
}
