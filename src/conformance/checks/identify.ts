import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { collectionPath, itemPath, entityName, type Resource } from '../resource.ts'
import { CONCURRENT, expectOneCreated } from './concurrent.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectStored, notFound } from './expect-entity.ts'
import { duplicateText } from '../../model/error-texts.ts'

/** Checks `#auth` services: one entity per user, and the redirect to it. */
export function identityChecks(resource: Resource): Check[] {
  if (!resource.service.storesUsers || resource.struct) return []
  const duplicate = { status: 409, error: duplicateText(entityName(resource)) }
  const checks = [
    resourceCheck(resource, 'a user can create only one entity', { entities: 2 }, async (context) => {
      const user = await context.user(resource)
      const created = await context.create(resource, { user })
      const values = await context.values.regenerate(created)
      const request = {
        method: 'POST',
        path: collectionPath(resource, undefined),
        as: user,
        body: bodyOf(values),
      }
      expectResponse(await context.send(request), duplicate)
      await expectStored(context, created, created.values, user)
    }),
    resourceCheck(
      resource,
      `only 1 of ${CONCURRENT} concurrent creates by one user succeeds`,
      { entities: CONCURRENT },
      async (context) => {
        const user = await context.user(resource)
        const drafts = await Promise.all(
          Array.from({ length: CONCURRENT }, () => context.values.generate(resource, user, undefined)),
        )
        const path = collectionPath(resource, undefined)
        const exchanges = await Promise.all(
          drafts.map((values) => context.send({ method: 'POST', path, as: user, body: bodyOf(values) })),
        )
        expectOneCreated(exchanges, duplicate.error, (_, index) => {
          const values = drafts[index] ?? new Map()
          context.track({ resource, parent: undefined, id: user.id, values, user })
        })
      },
    ),
  ]
  if (hasEndpoints(resource, 'delete'))
    checks.push(
      resourceCheck(
        resource,
        'a user can create another entity after deleting theirs',
        { entities: 1 },
        async (context) => {
          const created = await context.create(resource, { user: await context.user(resource) })
          const { user } = created
          expectResponse(await context.send({ method: 'DELETE', path: context.pathOf(created), as: user }), {
            status: 200,
          })
          context.untrack(created)
          const again = await context.create(resource, { user, values: created.values })
          expectThat(again.id === created.id, undefined, `the id ${created.id} again, not ${again.id}`)
          await expectStored(context, again, again.values, user)
        },
      ),
    )
  if (hasEndpoints(resource, 'identify'))
    checks.push(
      resourceCheck(
        resource,
        'identify returns 404 before the user has created an entity',
        { entities: 0 },
        async (context) => {
          const user = await context.user(resource)
          const request = { method: 'GET', path: collectionPath(resource, undefined), as: user }
          expectResponse(await context.send(request), { status: 404, error: notFound(resource, user.id) })
        },
      ),
      resourceCheck(
        resource,
        'identify redirects to the entity of the user with 302 (2 users)',
        { entities: 2 },
        async (context) => {
          for (const user of await context.users(resource, 2)) {
            const created = await context.create(resource, { user })
            const location = itemPath(resource, undefined, created.id)
            for (const method of ['GET', 'HEAD']) {
              const request = { method, path: collectionPath(resource, undefined), as: user }
              expectResponse(await context.send(request), { status: 302, headers: { location } })
            }
          }
        },
      ),
    )
  return checks
}
