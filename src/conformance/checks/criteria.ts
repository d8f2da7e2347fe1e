import { MAX_PAGE } from '../../limits.ts'
import { filterParameters, sortValues } from '../../model/criteria.ts'
import type { Attribute, Criteria } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import type { User } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { isObject, type Json } from '../../json.ts'
import { listPath, type Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { idsOf, itemsOf } from './list.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { invalidAttributePattern } from './required-attributes.ts'

const SEVERAL = 3
/** The maximum number of pages to follow. */
const MAX_PAGES = 500
/** The largest `limit` that lists accept. */

/** Checks the filters and orders of a list. */
export function criteriaChecks(resource: Resource): Check[] {
  const { criteria } = resource.entity
  if (criteria === undefined || !hasEndpoints(resource, 'list')) return []
  const isOne = resource.service.storesUsers && !resource.struct
  const several = { entities: isOne ? 1 : SEVERAL, perUser: isOne ? 1 : SEVERAL }
  const check = (title: string, run: (list: ListUnderTest) => Promise<void>) =>
    resourceCheck(resource, title, several, async (context) =>
      run(await makeList(context, resource, several.entities)),
    )
  return [
    check('filters return the entities that match, and only those', (list) => checkFilters(list, criteria)),
    check('orders return all entities, whole and in pages', (list) => checkOrders(list, criteria)),
    check('`total=true` adds the number of entities on all pages', checkTotal),
    check('other query parameters and invalid values return 400', (list) => checkRejected(list, criteria)),
    resourceCheck(
      resource,
      'filters, orders and totals show another user no more than the plain list',
      several,
      async (context) => {
        const list = await makeList(context, resource, several.entities)
        const freshUser = await context.test.freshUser()
        await checkAccess(context, list, criteria, freshUser)
      },
    ),
  ]
}

/** A list with some entities. */
interface ListUnderTest {
  readonly resource: Resource
  readonly path: string
  readonly user: User | undefined
  readonly created: readonly CreatedEntity[]
  readonly get: (query: string) => Promise<Exchange>
}

async function makeList(context: CheckContext, resource: Resource, count: number): Promise<ListUnderTest> {
  const user = await context.user(resource)
  const parent = await context.parentFor(resource, user)
  const created: CreatedEntity[] = []
  for (let index = 0; index < count; index++)
    created.push(await context.create(resource, parent ? { user, parent } : { user }))
  const path = listPath(resource, parent?.id)
  const get = (query: string) => context.send({ method: 'GET', path: `${path}?${query}`, as: user })
  return { resource, path, user, created, get }
}

const valueOf = (item: Json, { names }: Attribute): Json | undefined =>
  isObject(item) ? item[names.declared] : undefined

/** A query parameter with its value. */
const parameter = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** A value in the form of a query parameter. */
const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : JSON.stringify(value))

async function listed({ resource, get }: ListUnderTest, query: string): Promise<[Exchange, readonly Json[]]> {
  const exchange = await get(query)
  expectResponse(exchange, { status: 200 })
  return [exchange, itemsOf(exchange, resource)]
}

async function checkFilters(list: ListUnderTest, criteria: Criteria): Promise<void> {
  const [, all] = await listed(list, '')
  const created = new Set(list.created.map(({ id }) => id))
  const ids = idsOf(all)
  const sample = all.find((_, index) => created.has(ids[index] ?? ''))
  if (sample === undefined) return
  for (const { name, attribute, operator } of filterParameters(criteria)) {
    const value = valueOf(sample, attribute)
    // A comma separates the values of a list, and null has no bounds.
    if ((operator === 'in' && textOf(value).includes(',')) || (operator !== 'eq' && value === null)) continue
    const [exchange, found] = await listed(list, parameter(name, textOf(value)))
    const order = (item: Json) => compare(attribute, valueOf(item, attribute), value)
    const matches = (item: Json) => {
      if (operator === 'eq' || operator === 'in') return order(item) === 0
      if (valueOf(item, attribute) === null) return false
      return operator.startsWith('g')
        ? order(item) > 0 || (operator === 'gte' && order(item) === 0)
        : order(item) < 0 || (operator === 'lte' && order(item) === 0)
    }
    const expected = idsOf(all.filter(matches)).filter((id) => created.has(id))
    expectThat(found.every(matches), exchange, `only entities that match ${name}`)
    const shown = new Set(idsOf(found))
    expectThat(
      expected.every((id) => shown.has(id)),
      exchange,
      `all entities that match ${name}: ${expected.join(', ')}`,
    )
  }
}

async function checkOrders(list: ListUnderTest, criteria: Criteria): Promise<void> {
  for (const sort of sortValues(criteria)) {
    const attribute = criteria.sort.find(({ names }) => names.declared === sort.replace('-', ''))
    if (attribute === undefined) continue
    const direction = sort.startsWith('-') ? -1 : 1
    const [exchange, whole] = await listed(list, `sort=${sort}`)
    expectSorted(exchange, whole, attribute, direction)
    const limit = Math.min(Math.max(1, Math.ceil(whole.length / 3)), MAX_PAGE)
    const pages = await walk(list, `sort=${sort}&limit=${limit}`)
    expectSorted(exchange, pages, attribute, direction)
    for (const ids of [idsOf(whole), idsOf(pages)]) {
      const missing = list.created.find(({ id }) => ids.filter((each) => each === id).length !== 1)
      expectThat(missing === undefined, exchange, `${missing?.id} once in the order ${sort}`)
    }
  }
}

/** Follows the links to the next pages. */
async function walk(list: ListUnderTest, query: string): Promise<Json[]> {
  const found: Json[] = []
  let next: string | undefined = query
  for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
    const [exchange, items]: [Exchange, readonly Json[]] = await listed(list, next)
    found.push(...items)
    const { link } = exchange.response.headers
    const target = /^<([^>?]+)\?([^>]+)>; rel="next"$/.exec(link ?? '')
    expectThat(link === undefined || target?.[1] === list.path, exchange, `a link to ${list.path}`)
    next = target?.[2]
  }
  return found
}

function expectSorted(
  exchange: Exchange,
  items: readonly Json[],
  attribute: Attribute,
  direction: number,
): void {
  const ids = idsOf(items)
  const unsorted = items.findIndex((item, index) => {
    const previous = items[index - 1]
    if (previous === undefined) return false
    const [a, b] = [valueOf(previous, attribute), valueOf(item, attribute)]
    if (a === null || b === null)
      return a === null && (b !== null || (ids[index - 1] ?? '') >= (ids[index] ?? ''))
    const order = direction * compare(attribute, a, b)
    return order > 0 || (order === 0 && (ids[index - 1] ?? '') >= (ids[index] ?? ''))
  })
  expectThat(unsorted === -1, exchange, `${attribute.names.declared} in order, equal values by id, null last`)
}

/** Compares two values of an attribute as the database does. */
function compare({ type }: Attribute, a: Json | undefined, b: Json | undefined): number {
  if (type.kind === 'decimal' || typeof a !== 'string' || typeof b !== 'string')
    return Number(a) - Number(b) || Number(a === null) - Number(b === null)
  // The fraction of a second may be missing.
  const plain = (text: string) =>
    Buffer.from(type.kind === 'datetime' || type.kind === 'time' ? text.replace('Z', '') : text)
  return Buffer.compare(plain(a), plain(b))
}

async function checkTotal(list: ListUnderTest): Promise<void> {
  const [, all] = await listed(list, '')
  for (const query of ['total=true', 'total=true&limit=1']) {
    const [exchange] = await listed(list, query)
    const total = Number(exchange.response.headers['x-total-count'])
    // Other users may create entities in a list that all can read.
    expectThat(total >= list.created.length && total >= all.length, exchange, `x-total-count: ${all.length}`)
    if (list.resource.struct) expectThat(total === all.length, exchange, `x-total-count: ${all.length}`)
  }
  const [exchange] = await listed(list, 'total=false')
  expectResponse(exchange, { status: 200, headers: { 'x-total-count': undefined } })
}

async function checkRejected({ get }: ListUnderTest, criteria: Criteria): Promise<void> {
  for (const name of ['other', 'constructor', 'id', 'limit[in]', '_owner'])
    expectResponse(await get(parameter(name, '1')), {
      status: 400,
      error: `Unknown query parameter ${name}`,
    })
  for (const { name, attribute } of filterParameters(criteria)) {
    if (attribute.type.kind === 'string') continue
    expectResponse(await get(parameter(name, "x' or '1'='1")), {
      status: 400,
      error: /^Invalid request parameter /,
    })
  }
  const orders = sortValues(criteria)
  if (orders.length > 0)
    expectResponse(await get('sort=other'), { status: 400, error: invalidAttributePattern('sort') })
  for (const sort of orders)
    for (const after of ['x', '', Buffer.from('["other",1]').toString('base64url')])
      expectResponse(await get(`sort=${sort}&after=${after}`), {
        status: 400,
        error: invalidAttributePattern('after'),
      })
}

/** What another user does not find in the plain list is not in the others either. */
async function checkAccess(
  context: CheckContext,
  { resource, path, created }: ListUnderTest,
  criteria: Criteria,
  freshUser: User | undefined,
): Promise<void> {
  const get = (query: string) => context.send({ method: 'GET', path: `${path}?${query}`, as: freshUser })
  const plain = await get('')
  const queries = [...sortValues(criteria).map((sort) => `sort=${sort}`), 'total=true']
  if (plain.response.status === 404) {
    for (const query of queries) expectResponse(await get(query), { status: 404 })
    return
  }
  const visible = new Set(idsOf(itemsOf(plain, resource)))
  for (const query of queries) {
    const exchange = await get(query)
    expectResponse(exchange, { status: 200 })
    const shown = idsOf(itemsOf(exchange, resource))
    const hidden = created.find(({ id }) => shown.includes(id) !== visible.has(id))
    expectThat(hidden === undefined, exchange, `the same entities as the plain list (${hidden?.id})`)
    const total = exchange.response.headers['x-total-count']
    if (visible.size === 0 && total !== undefined) expectThat(total === '0', exchange, 'x-total-count: 0')
  }
}
