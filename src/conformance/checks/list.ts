import { MAX_IDS, MAX_PAGE } from '../../limits.ts'
import { randomUUID } from 'node:crypto'
import type { Check } from '../check.ts'
import type { User } from '../client.ts'
import { type Exchange, ViolationError } from '../exchange.ts'
import { expectResponse, expectThat, objectOf } from '../expect.ts'
import { isObject, type Json } from '../../json.ts'
import { collectionPath, listPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { invalidParameterText } from '../../model/error-texts.ts'
import { expectEntity } from './expect-entity.ts'
import { invalidAttributePattern } from './required-attributes.ts'

/** How many entities the checks create. */
const SEVERAL = 4

/** The maximum number of pages to follow. */
const MAX_PAGES = 500

/** Checks lists and their pages. */
export function listChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'list')) return []
  const ownOnly = resource.service.storesUsers && !resource.struct && resource.service.readable !== 'all'
  const several = { entities: ownOnly ? 1 : SEVERAL, perUser: perUser(resource) }
  const checks = [
    resourceCheck(
      resource,
      `list returns 200 with {"${resource.entity.listKey}": [...]} in id order`,
      several,
      async (context) => {
        const created = await makeSeveral(context, resource, several.entities)
        const [{ user, parent }] = created
        for (const path of listPaths(resource, parent)) {
          const exchange = await context.send({ method: 'GET', path, as: user })
          expectResponse(exchange, { status: 200, headers: { link: undefined, 'cache-control': 'no-store' } })
          const items = itemsOf(exchange, resource)
          expectListed(exchange, items, created)
          expectAscending(exchange, items)
          if (resource.struct)
            expectThat(
              items.length === created.length,
              exchange,
              `the ${created.length} entries of only this parent`,
            )
        }
        const head = await context.send({ method: 'HEAD', path: listPath(resource, parent?.id), as: user })
        expectResponse(head, { status: 200 })
      },
    ),
    resourceCheck(
      resource,
      `\`limit\` accepts 1 to ${MAX_PAGE} and \`after\` an id; other values return 400`,
      { entities: 0, parents: 1 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const [path] = listPaths(resource, parent)
        for (const query of [
          'limit=1',
          `limit=${MAX_PAGE}`,
          `after=${randomUUID()}`,
          `limit=3&after=${randomUUID()}`,
          ...(resource.entity.criteria === undefined ? ['other=1'] : []),
        ])
          expectResponse(await context.send({ method: 'GET', path: `${path}?${query}`, as: user }), {
            status: 200,
          })
        for (const limit of ['0', '-1', '1001', '1.5', 'x', '', '1e1', '99999999999999999999', '%00', '1;2'])
          expectResponse(await context.send({ method: 'GET', path: `${path}?limit=${limit}`, as: user }), {
            status: 400,
            error: invalidAttributePattern('limit'),
          })
        for (const after of ['x', '', '0', "'", '018f6d1e000070008000000000000000', '%00'])
          expectResponse(await context.send({ method: 'GET', path: `${path}?after=${after}`, as: user }), {
            status: 400,
            error: invalidAttributePattern('after'),
          })
      },
    ),
    resourceCheck(
      resource,
      `\`id[in]\` returns those of up to ${MAX_IDS} entities that the caller may read`,
      several,
      (context) => checkIds(context, resource, several.entities),
    ),
  ]
  if (!ownOnly)
    checks.push(
      resourceCheck(
        resource,
        'each page of a list links to the next one; the last page has no link',
        several,
        (context) => walkPages(context, resource),
      ),
    )
  return checks
}

/** Returns how many entities each user creates: one if a user can have only one. */
function perUser(resource: Resource): number {
  return resource.struct || !resource.service.storesUsers ? SEVERAL : 1
}

/**
 * Creates several entities that the first one's creator can list, in order of creation. Entries have the same parent.
 */
async function makeSeveral(
  context: CheckContext,
  resource: Resource,
  count: number,
): Promise<readonly [CreatedEntity, ...CreatedEntity[]]> {
  const different = perUser(resource) === 1
  const users = different ? await context.users(resource, count) : [await context.user(resource)]
  const [first] = users
  const parent = first && (await context.parentFor(resource, first))
  const created: CreatedEntity[] = []
  for (let index = 0; index < count; index++) {
    const user = (different ? users[index] : first) as User
    created.push(await context.create(resource, parent ? { user, parent } : { user }))
  }
  // Entities of an #auth service have the ids of their users, so their order is arbitrary.
  return created as unknown as [CreatedEntity, ...CreatedEntity[]]
}

function listPaths(resource: Resource, parent: CreatedEntity | undefined): [string, ...string[]] {
  const short = listPath(resource, parent?.id)
  return resource.struct ? [short, `${collectionPath(resource, parent?.id)}/${randomUUID()}/all`] : [short]
}

/** Returns the entities of a list response. Throws `ViolationError` if the body is not a list. */
export function itemsOf(exchange: Exchange, resource: Resource): readonly Json[] {
  const body = objectOf(exchange)
  const { listKey } = resource.entity
  const items = body[listKey]
  if (Object.keys(body).join() !== listKey || !Array.isArray(items))
    throw new ViolationError(exchange, `{"${listKey}": [...]}`)
  return items
}

/** Returns the ids of a list's entities. */
export function idsOf(items: readonly Json[]): string[] {
  return items.map((item) => (isObject(item) && typeof item['id'] === 'string' ? item['id'] : ''))
}

function expectListed(exchange: Exchange, items: readonly Json[], created: readonly CreatedEntity[]): void {
  const ids = idsOf(items)
  for (const { resource, id, values } of created) {
    const index = ids.indexOf(id)
    expectThat(index !== -1, exchange, `a list with ${id}`)
    expectEntity(exchange, items[index], { resource, id, values, isolated: false })
  }
}

function expectAscending(exchange: Exchange, items: readonly Json[]): void {
  const ids = idsOf(items)
  const ascending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
  expectThat(ascending, exchange, 'ascending ids without duplicates')
}

async function walkPages(context: CheckContext, resource: Resource): Promise<void> {
  const created = [...(await makeSeveral(context, resource, SEVERAL))].sort((a, b) => (a.id < b.id ? -1 : 1))
  const [first] = created
  if (!first) return
  const { parent } = first
  const user = created.find(() => true)?.user
  const path = listPath(resource, parent?.id)
  const get = (query: string) => context.send({ method: 'GET', path: `${path}?${query}`, as: user })

  // Starts just before the first id, so that entities of other users add few pages.
  const before = precedingId(first.id)
  for (const limit of [1, 2, 3]) {
    const ids = await walk(context, resource, `${path}?limit=${limit}&after=${before}`, limit, user, created)
    if (resource.struct)
      expectThat(ids.length === SEVERAL, undefined, `pages with ${SEVERAL} entries, not ${ids.length}`)
  }
  const last = created.at(-1) ?? first
  const rest = await get(`after=${first.id}`)
  expectResponse(rest, { status: 200, headers: { link: undefined } })
  const restIds = idsOf(itemsOf(rest, resource))
  expectThat(!restIds.includes(first.id), rest, `no ids up to ${first.id}`)
  expectListed(rest, itemsOf(rest, resource), created.slice(1))
  if (!resource.struct) return
  const whole = await get(`limit=${SEVERAL}`)
  expectResponse(whole, { status: 200, headers: { link: undefined } })
  expectThat(itemsOf(whole, resource).length === SEVERAL, whole, `${SEVERAL} entries`)
  expectResponse(await get(`after=${last.id}&limit=5`), {
    status: 200,
    body: { [resource.entity.listKey]: [] },
  })
}

/** Reads some of the entities by their ids, in any order and in pages, also as a user who may not read them. */
async function checkIds(context: CheckContext, resource: Resource, count: number): Promise<void> {
  const created = await makeSeveral(context, resource, count)
  const [{ user, parent }, ...others] = created
  const wanted = others.length === 0 ? created : others
  const [path] = listPaths(resource, parent)
  const sorted = wanted.map(({ id }) => id).sort()
  const given = sorted.toReversed().flatMap((id) => [id.toUpperCase(), randomUUID(), id])
  const get = (ids: readonly string[], as: User | undefined, more = '') =>
    context.send({ method: 'GET', path: `${path}?id[in]=${ids.join(',')}${more}`, as })

  const exchange = await get(given, user)
  expectResponse(exchange, { status: 200, headers: { link: undefined } })
  const items = itemsOf(exchange, resource)
  expectThat(idsOf(items).join() === sorted.join(), exchange, `only ${sorted.join(', ')}`)
  expectListed(exchange, items, wanted)
  const page = await get(given, user, '&limit=1')
  expectResponse(page, { status: 200 })
  expectThat(idsOf(itemsOf(page, resource)).join() === sorted[0], page, `only ${sorted[0]}`)
  const rest = await get(given, user, `&after=${sorted[0]}`)
  expectResponse(rest, { status: 200 })
  expectThat(idsOf(itemsOf(rest, resource)).join() === sorted.slice(1).join(), rest, 'the other entities')

  const many = Array.from({ length: MAX_IDS }, () => randomUUID())
  expectResponse(await get(many, user), { status: 200, body: { [resource.entity.listKey]: [] } })
  for (const [ids, problem] of [
    [[...many, randomUUID()], `must have at most ${MAX_IDS} ids`],
    [[...sorted, 'x'], 'must be a UUID'],
    [[''], 'must be a UUID'],
  ] as const)
    expectResponse(await get(ids, user), { status: 400, error: invalidParameterText('id[in]', problem) })
  await expectSameAccess(context, resource, path, created)
}

/** Another user reads no more entities by their ids than the whole list has. */
async function expectSameAccess(
  context: CheckContext,
  resource: Resource,
  path: string,
  created: readonly CreatedEntity[],
): Promise<void> {
  const freshUser = await context.test.freshUser()
  const whole = await context.send({ method: 'GET', path, as: freshUser })
  const ids = created.map(({ id }) => id)
  const some = await context.send({ method: 'GET', path: `${path}?id[in]=${ids.join(',')}`, as: freshUser })
  if (whole.response.status === 404) {
    expectResponse(some, { status: 404 })
    return
  }
  expectResponse(some, { status: 200 })
  const visible = new Set(idsOf(itemsOf(whole, resource)))
  const expected = ids.filter((id) => visible.has(id)).sort()
  const shown = idsOf(itemsOf(some, resource))
  expectThat(shown.join() === expected.join(), some, `the same entities as in the whole list`)
}

/** Follows `rel="next"` until all created entities were listed. Returns all ids of the pages. */
async function walk(
  context: CheckContext,
  resource: Resource,
  start: string,
  limit: number,
  user: User | undefined,
  created: readonly CreatedEntity[],
): Promise<string[]> {
  const ids: string[] = []
  const wanted = new Set(created.map(({ id }) => id))
  let next: string | undefined = start
  for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
    const exchange: Exchange = await context.send({ method: 'GET', path: next, as: user })
    expectResponse(exchange, { status: 200 })
    const items = itemsOf(exchange, resource)
    const pageIds = idsOf(items)
    ids.push(...pageIds)
    expectAscending(exchange, items)
    expectThat(items.length <= limit, exchange, `at most ${limit} entities`)
    for (const id of pageIds) wanted.delete(id)
    const { link } = exchange.response.headers
    if (link === undefined) {
      expectThat(
        wanted.size === 0,
        exchange,
        `a link to the next page, because ${[...wanted].join(', ')} was not listed yet`,
      )
      break
    }
    expectThat(items.length === limit, exchange, `${limit} entities, because there are more`)
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
    next = wanted.size === 0 && !resource.struct ? undefined : target
  }
  const ascending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
  expectThat(ascending, undefined, `ascending ids without duplicates across the pages of ${resource.label}`)
  return ids
}

/** Returns the UUID before this one in list order. */
function precedingId(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) - 1n
  const digits = (number < 0n ? 0n : number).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
