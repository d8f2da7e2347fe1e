import { randomUUID } from 'node:crypto'
import { bodyOf, bodyWith, requestAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import type { Resource } from '../resource.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'

/** Checks that update changes exactly one entity. */
export function updateChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'update')) return []
  const requested = requestAttributes(resource)
  if (requested.length === 0) return [emptyUpdate(resource)]
  return [
    resourceCheck(
      resource,
      'update returns 200 with the new values and stores them',
      { entities: 1 },
      async (context) => {
        const created = await context.create(resource, { user: await context.user(resource) })
        const { user } = created
        const values = await context.values.regenerate(created)
        const expected = { resource, id: created.id, values, isolated: context.test.isolated }
        const path = context.pathOf(created)
        const body = bodyWith(values, { id: JSON.stringify(randomUUID()), __unknown: '1' })
        expectEntityResponse(await context.send({ method: 'PUT', path, as: user, body }), 200, expected)
        await expectStored(context, created, values, user)
        const again = await context.send({ method: 'PUT', path, as: user, body: bodyOf(values) })
        expectEntityResponse(again, 200, expected)
      },
    ),
    resourceCheck(
      resource,
      'update changes only one entity',
      { entities: 2, perUser: 2 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const under = parent ? { user, parent } : { user }
        const changed = await context.create(resource, under)
        const other = await context.create(resource, under)
        const values = await context.values.regenerate(changed)
        const path = context.pathOf(changed)
        expectEntityResponse(
          await context.send({ method: 'PUT', path, as: user, body: bodyOf(values) }),
          200,
          {
            resource,
            id: changed.id,
            values,
            isolated: context.test.isolated,
          },
        )
        await expectStored(context, other, other.values, user)
      },
    ),
  ]
}

function emptyUpdate(resource: Resource): Check {
  return resourceCheck(
    resource,
    'update accepts an empty body, because there are no attributes to send',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const expected = { resource, id: created.id, values: created.values, isolated: context.test.isolated }
      for (const body of [undefined, '', '{}', '{"a":1}']) {
        const exchange = await context.send({
          method: 'PUT',
          path: context.pathOf(created),
          as: created.user,
          body,
        })
        expectEntityResponse(exchange, 200, expected)
      }
    },
  )
}
