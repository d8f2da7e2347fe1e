import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse } from '../expect.ts'
import type { Resource } from '../resource.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectStored, notFound } from './expect-entity.ts'

/** Checks that delete removes exactly one entity. */
export function deleteChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'delete')) return []
  return [
    resourceCheck(
      resource,
      'delete returns 200 with {} and removes the entity',
      { entities: 1 },
      async (context) => {
        const created = await context.create(resource, { user: await context.user(resource) })
        const { user, id } = created
        const path = context.pathOf(created)
        expectResponse(await context.send({ method: 'DELETE', path, as: user }), { status: 200, body: {} })
        context.untrack(created)
        const gone = { status: 404, error: notFound(resource, id) }
        expectResponse(await context.send({ method: 'DELETE', path, as: user }), gone)
        if (hasEndpoints(resource, 'read'))
          expectResponse(await context.send({ method: 'GET', path, as: user }), gone)
        if (hasEndpoints(resource, 'update')) {
          const body = bodyOf(created.values)
          expectResponse(await context.send({ method: 'PUT', path, as: user, body }), gone)
        }
      },
    ),
    resourceCheck(
      resource,
      'delete removes only one entity',
      { entities: 2, perUser: 2, operations: ['read'] },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const under = parent ? { user, parent } : { user }
        const created = await context.create(resource, under)
        const other = await context.create(resource, under)
        const path = context.pathOf(created)
        expectResponse(await context.send({ method: 'DELETE', path, as: user }), { status: 200, body: {} })
        context.untrack(created)
        await expectStored(context, other, other.values, user)
      },
    ),
  ]
}
