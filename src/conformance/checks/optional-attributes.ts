import type { Attribute } from '../../model/platform.ts'
import { bodyOf, bodyWith, requestAttributes, type AttributeValues, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { isObject, parseJson } from '../../json.ts'
import { collectionPath, type Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { echoedValue } from '../values/value.ts'
import { zeroValue } from '../values/zero.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'

/** How far the clock of the platform may be from that of this process. */
const CLOCK_SKEW_MS = 5 * 60_000

/** Checks what is stored for attributes that a request leaves out, or sends as `null`. */
export function optionalAttributeChecks(resource: Resource): Check[] {
  // Only one entity can have a unique default.
  const absent = requestAttributes(resource).filter(
    (attribute) => !attribute.required && !(attribute.unique && attribute.default !== undefined),
  )
  if (absent.length === 0 || !hasEndpoints(resource, 'create')) return []
  const names = absent.map(({ names: { declared } }) => `\`${declared}\``).join(', ')
  const entities = { entities: 1 }
  const checks = [
    resourceCheck(
      resource,
      `create without ${names} stores null or the default`,
      entities,
      async (context) => {
        const given = await valuesWithout(context, resource, absent)
        await createdWith(context, resource, given, bodyOf(given.values), absent)
      },
    ),
    resourceCheck(
      resource,
      `create with null for ${names} stores null, or the default where null is not allowed`,
      entities,
      async (context) => {
        const given = await valuesWithout(context, resource, absent)
        const nulls = Object.fromEntries(absent.map(({ names: { declared } }) => [declared, 'null']))
        const optional = absent.filter((attribute) => attribute.optional)
        const stored = withValues(
          given.values,
          optional.map(({ names: { declared } }) => [declared, echoedValue(null)]),
        )
        const rest = absent.filter((attribute) => !attribute.optional)
        await createdWith(
          context,
          resource,
          { ...given, values: stored },
          bodyWith(given.values, nulls),
          rest,
        )
      },
    ),
  ]
  if (hasEndpoints(resource, 'update'))
    checks.push(
      resourceCheck(
        resource,
        `update without ${names} stores null or the default`,
        entities,
        async (context) => {
          const created = await context.create(resource, { user: await context.user(resource) })
          const { user, id } = created
          const values = without(created.values, absent)
          const path = context.pathOf(created)
          const exchange = await context.send({ method: 'PUT', path, as: user, body: bodyOf(values) })
          expectResponse(exchange, { status: 200 })
          await expectAbsent(context, exchange, 200, { ...created, id, values }, absent)
        },
      ),
    )
  const unique = absent.filter((attribute) => attribute.unique && zeroValue(attribute) === null)
  return [...checks, ...unique.map((attribute) => manyWithout(resource, attribute))]
}

/** What a request must contain, and who sends it. */
type Given = Pick<CreatedEntity, 'user' | 'parent' | 'values'>

async function valuesWithout(
  context: CheckContext,
  resource: Resource,
  absent: readonly Attribute[],
): Promise<Given> {
  const user = await context.user(resource)
  const parent = await context.parentFor(resource, user)
  const all = await context.values.generate(resource, user, parent)
  return { user, parent, values: without(all, absent) }
}

function without(values: AttributeValues, absent: readonly Attribute[]): AttributeValues {
  const names = new Set(absent.map(({ names: { declared } }) => declared))
  return new Map([...values].filter(([name]) => !names.has(name)))
}

/** Creates an entity and compares it. `absent`: the attributes that have their default or `null`. */
async function createdWith(
  context: CheckContext,
  resource: Resource,
  { user, parent, values }: Given,
  body: string,
  absent: readonly Attribute[],
): Promise<void> {
  const path = collectionPath(resource, parent?.id)
  const exchange = await context.send({ method: 'POST', path, as: user, body })
  expectResponse(exchange, { status: 201 })
  const created = context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  await expectAbsent(context, exchange, 201, created, absent)
}

/** Compares a response, and what is stored, with what was sent and what was left out. */
async function expectAbsent(
  context: CheckContext,
  exchange: Exchange,
  status: number,
  created: CreatedEntity,
  absent: readonly Attribute[],
): Promise<void> {
  const { resource, id } = created
  const timed = absent.filter((attribute) => attribute.default?.kind === 'now')
  const values = withValues(
    created.values,
    absent
      .filter((attribute) => !timed.includes(attribute))
      .map((attribute) => [attribute.names.declared, echoedValue(zeroValue(attribute))]),
  )
  expectEntityResponse(exchange, status, { resource, id, values, isolated: context.test.isolated })
  for (const attribute of timed) expectNow(exchange, attribute)
  await expectStored(context, created, values, created.user)
}

function expectNow(exchange: Exchange, { names: { declared }, type }: Attribute): void {
  const body = parseJson(exchange.response.text)
  const value = isObject(body) ? body[declared] : undefined
  const text = typeof value === 'string' ? value : ''
  const now = Date.now()
  const isNow =
    type.kind === 'time'
      ? /^\d\d:\d\d:\d\d(\.\d{1,6})?$/.test(text)
      : type.kind === 'date'
        ? [now - CLOCK_SKEW_MS, now + CLOCK_SKEW_MS].some((time) => isoDay(time) === text)
        : Math.abs(Date.parse(text) - now) < CLOCK_SKEW_MS
  expectThat(isNow, exchange, `\`${declared}\` is the time of the request`)
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function manyWithout(resource: Resource, attribute: Attribute): Check {
  const name = attribute.names.declared
  return resourceCheck(
    resource,
    `any number of entities can have no \`${name}\``,
    { entities: 2, parents: 2 },
    async (context) => {
      const [first, second = first] = await context.users(resource, 2)
      const values = [[name, echoedValue(null)]] as const
      const one = await context.create(resource, { user: first, values })
      const other = await context.create(resource, { user: second, values })
      for (const created of [one, other]) await expectStored(context, created, created.values, created.user)
    },
  )
}
