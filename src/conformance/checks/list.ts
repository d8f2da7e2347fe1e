import { randomUUID } from 'node:crypto'
import type { Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Caller } from '../client.ts'
import { type Exchange, ShortfallError } from '../exchange.ts'
import { expectAnswer, expectThat, objectOf } from '../expect.ts'
import { isObject, type Json } from '../json.ts'
import { collectionPath, listPath, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import type { Made } from '../world.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntity } from './entity.ts'

/** How many entities the checks of lists make. */
const SEVERAL = 4

/** Pages that a walk follows before it gives up. */
const MAX_PAGES = 500

/** What lists have to do. */
export function listChecks(platform: Platform, place: Place): Check[] {
  if (!serves(place, 'list')) return []
  const ownOnly = place.service.identity && !place.struct && place.service.readable === 'this'
  const several = { entities: ownOnly ? 1 : SEVERAL, perCaller: perCaller(place) }
  const checks = [
    placeCheck(
      platform,
      place,
      `list answers 200 with {"${place.entity.listKey}": [...]} in the order of ids`,
      several,
      async (scope) => {
        const made = await makeSeveral(scope, place, several.entities)
        const [{ by, parent }] = made
        for (const path of listPaths(place, parent)) {
          const exchange = await scope.send({ method: 'GET', path, as: by })
          expectAnswer(exchange, { status: 200, headers: { link: undefined, 'cache-control': 'no-store' } })
          const items = itemsOf(exchange, place)
          expectListed(exchange, items, made)
          expectAscending(exchange, items)
          if (place.struct)
            expectThat(
              items.length === made.length,
              exchange,
              `the ${made.length} entries of this parent alone`,
            )
        }
        const head = await scope.send({ method: 'HEAD', path: listPath(place, parent?.id), as: by })
        expectAnswer(head, { status: 200 })
      },
    ),
    placeCheck(
      platform,
      place,
      '`limit` takes 1 to 1000, `after` an id; else 400',
      { entities: 0, parents: 1 },
      async (scope) => {
        const by = await scope.caller(place)
        const parent = await scope.parentFor(place, by)
        const [path] = listPaths(place, parent)
        for (const query of [
          'limit=1',
          'limit=1000',
          `after=${randomUUID()}`,
          `limit=3&after=${randomUUID()}`,
          'other=1',
        ])
          expectAnswer(await scope.send({ method: 'GET', path: `${path}?${query}`, as: by }), { status: 200 })
        for (const limit of ['0', '-1', '1001', '1.5', 'x', '', '1e1', '99999999999999999999', '%00', '1;2'])
          expectAnswer(await scope.send({ method: 'GET', path: `${path}?limit=${limit}`, as: by }), {
            status: 400,
            error: /^Invalid request parameter limit: /,
          })
        for (const after of ['x', '', '0', "'", '018f6d1e000070008000000000000000', '%00'])
          expectAnswer(await scope.send({ method: 'GET', path: `${path}?after=${after}`, as: by }), {
            status: 400,
            error: /^Invalid request parameter after: /,
          })
      },
    ),
  ]
  if (!ownOnly)
    checks.push(
      placeCheck(
        platform,
        place,
        'a list is paged: each page links to the next, the last to none',
        several,
        (scope) => walkPages(scope, place),
      ),
    )
  return checks
}

/** Entities that one caller sees in a list: one each where a user has only one. */
function perCaller(place: Place): number {
  return place.struct || !place.service.identity ? SEVERAL : 1
}

/** Several entities that the first one's creator can list, in the order of creation; entries under one parent. */
async function makeSeveral(scope: Scope, place: Place, count: number): Promise<readonly [Made, ...Made[]]> {
  const different = perCaller(place) === 1
  const callers = different ? await scope.callers(place, count) : [await scope.caller(place)]
  const [first] = callers
  const parent = first && (await scope.parentFor(place, first))
  const made: Made[] = []
  for (let index = 0; index < count; index++) {
    const by = (different ? callers[index] : first) as Caller
    made.push(await scope.make(place, parent ? { by, parent } : { by }))
  }
  // Ids of an #auth service are those of its users, in no order of creation.
  return made as unknown as [Made, ...Made[]]
}

function listPaths(place: Place, parent: Made | undefined): [string, ...string[]] {
  const short = listPath(place, parent?.id)
  return place.struct ? [short, `${collectionPath(place, parent?.id)}/${randomUUID()}/all`] : [short]
}

/** The entities of a list answer. Throws a `ShortfallError` where the body is none. */
export function itemsOf(exchange: Exchange, place: Place): readonly Json[] {
  const body = objectOf(exchange)
  const { listKey } = place.entity
  const items = body[listKey]
  if (Object.keys(body).join() !== listKey || !Array.isArray(items))
    throw new ShortfallError(exchange, `{"${listKey}": [...]}`)
  return items
}

/** The ids of a list answer. */
export function idsOf(items: readonly Json[]): string[] {
  return items.map((item) => (isObject(item) && typeof item['id'] === 'string' ? item['id'] : ''))
}

function expectListed(exchange: Exchange, items: readonly Json[], made: readonly Made[]): void {
  const ids = idsOf(items)
  for (const { place, id, values } of made) {
    const index = ids.indexOf(id)
    expectThat(index !== -1, exchange, `a list that holds ${id}`)
    expectEntity(exchange, items[index], { place, id, values, pristine: false })
  }
}

function expectAscending(exchange: Exchange, items: readonly Json[]): void {
  const ids = idsOf(items)
  const ascending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
  expectThat(ascending, exchange, 'ids that ascend, each once')
}

async function walkPages(scope: Scope, place: Place): Promise<void> {
  const made = [...(await makeSeveral(scope, place, SEVERAL))].sort((a, b) => (a.id < b.id ? -1 : 1))
  const [first] = made
  if (!first) return
  const { parent } = first
  const by = made.find(() => true)?.by
  const path = listPath(place, parent?.id)
  const get = (query: string) => scope.send({ method: 'GET', path: `${path}?${query}`, as: by })

  // `after` an id just before the first, so that what else a platform holds costs few pages.
  const before = precedingId(first.id)
  for (const limit of [1, 2, 3]) {
    const ids = await walk(scope, place, `${path}?limit=${limit}&after=${before}`, limit, by, made)
    if (place.struct)
      expectThat(ids.length === SEVERAL, undefined, `pages with ${SEVERAL} entries, not ${ids.length}`)
  }
  const last = made.at(-1) ?? first
  const rest = await get(`after=${first.id}`)
  expectAnswer(rest, { status: 200, headers: { link: undefined } })
  const restIds = idsOf(itemsOf(rest, place))
  expectThat(!restIds.includes(first.id), rest, `nothing up to ${first.id}`)
  expectListed(rest, itemsOf(rest, place), made.slice(1))
  if (!place.struct) return
  const whole = await get(`limit=${SEVERAL}`)
  expectAnswer(whole, { status: 200, headers: { link: undefined } })
  expectThat(itemsOf(whole, place).length === SEVERAL, whole, `${SEVERAL} entries`)
  expectAnswer(await get(`after=${last.id}&limit=5`), { status: 200, body: { [place.entity.listKey]: [] } })
}

/** Follows `rel="next"` to the last of the entities made, and gives all ids on the way. */
async function walk(
  scope: Scope,
  place: Place,
  start: string,
  limit: number,
  by: Caller | undefined,
  made: readonly Made[],
): Promise<string[]> {
  const ids: string[] = []
  const wanted = new Set(made.map(({ id }) => id))
  let next: string | undefined = start
  for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
    const exchange: Exchange = await scope.send({ method: 'GET', path: next, as: by })
    expectAnswer(exchange, { status: 200 })
    const items = itemsOf(exchange, place)
    const pageIds = idsOf(items)
    ids.push(...pageIds)
    expectAscending(exchange, items)
    expectThat(items.length <= limit, exchange, `at most ${limit} entities`)
    for (const id of pageIds) wanted.delete(id)
    const { link } = exchange.answer.headers
    if (link === undefined) {
      expectThat(
        wanted.size === 0,
        exchange,
        `a link to the next page: ${[...wanted].join(', ')} is still to come`,
      )
      break
    }
    expectThat(items.length === limit, exchange, `${limit} entities, as there are more`)
    const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
    const [path, query] = (target ?? '').split('?')
    const parameters = new URLSearchParams(query)
    expectThat(
      path === next.split('?')[0] &&
        parameters.get('limit') === String(limit) &&
        parameters.get('after') === ids.at(-1),
      exchange,
      `link: <${next.split('?')[0]}?limit=${limit}&after=${ids.at(-1)}>; rel="next"`,
    )
    next = wanted.size === 0 && !place.struct ? undefined : target
  }
  const ascending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
  expectThat(ascending, undefined, `pages of ${place.label} whose ids ascend across them, each once`)
  return ids
}

/** The UUID before this one, in the order that lists have. */
function precedingId(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) - 1n
  const digits = (number < 0n ? 0n : number).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
