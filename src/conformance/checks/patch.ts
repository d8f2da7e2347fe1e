import { bodyOf, bodyWith, requestAttributes, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import type { Resource } from '../resource.ts'
import { echoedValue } from '../values/value.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'
import { invalidAttributePattern } from './required-attributes.ts'
import { hasEndpoints, resourceCheck } from './resource-check.ts'

/** Checks that a patch changes the attributes that it has, and no others. */
export function patchChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'patch')) return []
  const requested = requestAttributes(resource)
  const stored = requested.filter((attribute) => attribute.stored)
  return [
    unchanged(resource),
    ...(stored.length === 0 ? [] : [changes(resource)]),
    ...(requested.length === 0 ? [] : [nulls(resource)]),
  ]
}

function unchanged(resource: Resource): Check {
  return resourceCheck(
    resource,
    'a patch without attributes returns 200 and changes nothing',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const { id, values, user } = created
      const path = context.pathOf(created)
      const expected = { resource, id, values, isolated: context.test.isolated }
      const isTimed = resource.entity.attributes.some(({ visibility }) => visibility === 'timestamp')
      for (const body of [undefined, '{}', '{"id":"x","__unknown":1}']) {
        const exchange = await context.send({ method: 'PATCH', path, as: user, body })
        expectEntityResponse(exchange, 200, expected)
        if (isTimed)
          expectThat(
            stringOf(exchange, 'updatedAt') === stringOf(exchange, 'createdAt'),
            exchange,
            '`updatedAt` is that of the creation',
          )
      }
      await expectStored(context, created, values, user)
    },
  )
}

/** Every attribute in a patch of its own, which also finds one that resets others. */
function changes(resource: Resource): Check {
  return resourceCheck(
    resource,
    'a patch changes one attribute, and keeps all others',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const { id, user } = created
      const path = context.pathOf(created)
      const next = await context.values.regenerate(created)
      let values = created.values
      for (const [name, value] of next) {
        values = withValues(values, [[name, value]])
        const body = bodyOf(new Map([[name, value]]))
        const exchange = await context.send({ method: 'PATCH', path, as: user, body })
        expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
      }
      await expectStored(context, created, values, user)
    },
  )
}

function nulls(resource: Resource): Check {
  return resourceCheck(
    resource,
    'null in a patch clears an optional attribute, and is rejected for others',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const { id, user } = created
      const path = context.pathOf(created)
      let values = created.values
      for (const { optional, stored, names } of requestAttributes(resource)) {
        const name = names.declared
        const body = bodyWith(new Map(), { [name]: 'null' })
        const exchange = await context.send({ method: 'PATCH', path, as: user, body })
        if (!optional) {
          expectResponse(exchange, { status: 400, error: invalidAttributePattern(name) })
          continue
        }
        if (stored) values = withValues(values, [[name, echoedValue(null)]])
        expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
      }
      await expectStored(context, created, values, user)
    },
  )
}
