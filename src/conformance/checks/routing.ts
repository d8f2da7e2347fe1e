import { randomUUID } from 'node:crypto'
import type { Method, Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Exchange } from '../exchange.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { collectionPath, itemPath, listPath, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import { placeCheck } from './build.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const

/** Which paths and methods a place serves, and what it says of others. */
export function routingChecks(platform: Platform, place: Place): Check[] {
  return [
    placeCheck(
      platform,
      place,
      `serves ${place.entity.endpoints.map(({ operation }) => operation).join(', ') || 'nothing'}, and 405 or 404 for the rest`,
      { entities: 0 },
      async (scope) => {
        const as = await scope.caller(place)
        for (const { path, served } of paths(place))
          for (const method of METHODS) {
            if (served.includes(method as Method)) continue
            const exchange = await scope.send({ method, path, as, body: method === 'GET' ? undefined : '{}' })
            // Routes of the user's own may serve more.
            if (!scope.world.pristine && ![404, 405].includes(exchange.answer.status)) continue
            if (served.length === 0) expectAnswer(exchange, { status: 404, error: 'Not found' })
            else expectNotAllowed(scope, exchange, served)
          }
      },
    ),
    placeCheck(
      platform,
      place,
      'paths below it that it does not serve are 404',
      { entities: 0 },
      async (scope) => {
        const as = await scope.caller(place)
        const item = itemPath(place, randomUUID(), randomUUID())
        for (const path of [
          `${item}/no-such-thing`,
          `${item}/no/such/thing`,
          `${item}/no-such-thing/${randomUUID()}`,
        ])
          for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
            expectAnswer(await scope.send({ method, path, as }), { status: 404, error: 'Not found' })
      },
    ),
  ]
}

interface Routed {
  readonly path: string
  readonly served: readonly Method[]
}

/** Every form of path at the place with the methods that it serves; nothing has to be at the ids. */
function paths(place: Place): Routed[] {
  const parentId = randomUUID()
  const served = (pattern: RegExp): Method[] =>
    place.entity.endpoints
      .filter((endpoint) => endpoint.paths.some((path) => pattern.test(path)))
      .map(({ method }) => method)
  const item = { path: itemPath(place, parentId, randomUUID()), served: served(/\/\{id\}$/) }
  const collection = { path: collectionPath(place, parentId), served: served(/^(?!.*\/all$).*[^}]$/) }
  const list = served(/\/all$/)
  if (list.length === 0) return [collection, item]
  const all = { path: listPath(place, parentId), served: list }
  if (!place.struct) return [collection, item, all]
  return [
    collection,
    item,
    all,
    { path: `${collectionPath(place, parentId)}/${randomUUID()}/all`, served: list },
  ]
}

function expectNotAllowed(scope: Scope, exchange: Exchange, served: readonly Method[]): void {
  expectAnswer(exchange, { status: 405, error: 'Method not allowed' })
  const allowed = (exchange.answer.headers['allow'] ?? '')
    .split(/ *, */)
    .filter((method) => method !== 'HEAD')
  // Routes of the user count too, on a platform that has some.
  const extra = scope.world.pristine ? allowed.filter((method) => !served.includes(method as Method)) : []
  const missing = served.filter((method) => !allowed.includes(method))
  expectThat(extra.length === 0 && missing.length === 0, exchange, `405 allow: ${served.join(', ')}`)
}
