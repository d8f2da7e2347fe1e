import { randomUUID } from 'node:crypto'
import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { itemPath, type Resource } from '../resource.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse, notFound } from './expect-entity.ts'
import { unlinkedValues } from '../entity-values.ts'

/** Malformed ids. */
const METHODS = { read: 'GET', update: 'PUT', patch: 'PATCH', delete: 'DELETE' }
/** Whether requests of an operation have a body. */
const sendsBody = (operation: keyof typeof METHODS) => operation === 'update' || operation === 'patch'

const MALFORMED = [
  'x',
  '1',
  'null',
  '018f6d1e000070008000000000000000',
  '018f6d1e-0000-7000-8000-00000000000g',
] as const

/** Checks read, and ids in paths. */
export function readChecks(resource: Resource): Check[] {
  const checks: Check[] = []
  if (hasEndpoints(resource, 'read'))
    checks.push(
      resourceCheck(
        resource,
        'read returns 200 with the entity for an id in either case; HEAD returns no body',
        { entities: 1 },
        async (context) => {
          const created = await context.create(resource, { user: await context.user(resource) })
          const expected = {
            resource,
            id: created.id,
            values: created.values,
            isolated: context.test.isolated,
          }
          const path = context.pathOf(created)
          const read = await context.send({ method: 'GET', path, as: created.user })
          expectEntityResponse(read, 200, expected)
          const upper = itemPath(resource, created.parent?.id.toUpperCase(), created.id.toUpperCase())
          expectEntityResponse(
            await context.send({ method: 'GET', path: upper, as: created.user }),
            200,
            expected,
          )
          expectEntityResponse(
            await context.send({ method: 'GET', path: `${path}?a=1`, as: created.user }),
            200,
            expected,
          )
          const head = await context.send({ method: 'HEAD', path, as: created.user })
          expectResponse(head, { status: 200, headers: { 'cache-control': 'no-store' } })
          const type = read.response.headers['content-type'] ?? ''
          expectThat(
            head.response.headers['content-type'] === type,
            head,
            `content-type: ${type}, as for GET`,
          )
        },
      ),
    )
  const operations = (['read', 'update', 'patch', 'delete'] as const).filter((operation) =>
    hasEndpoints(resource, operation),
  )
  if (operations.length === 0) return checks
  const names = operations.join(', ')
  checks.push(
    resourceCheck(
      resource,
      `${names} of a missing entity returns 404`,
      { entities: 0, parents: 1 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const id = randomUUID()
        for (const operation of operations) {
          const method = METHODS[operation]
          const body = sendsBody(operation) ? bodyOf(unlinkedValues(resource)) : undefined
          const exchange = await context.send({
            method,
            path: itemPath(resource, parent?.id, id),
            as: user,
            body,
          })
          expectResponse(exchange, { status: 404, error: notFound(resource, id) })
        }
      },
    ),
    resourceCheck(resource, `${names} with a malformed id returns 400`, { entities: 0 }, async (context) => {
      const user = await context.user(resource)
      const body = bodyOf(unlinkedValues(resource))
      for (const operation of operations) {
        const method = METHODS[operation]
        for (const id of MALFORMED) {
          const paths = [itemPath(resource, randomUUID(), id)]
          if (resource.struct) paths.push(itemPath(resource, id, randomUUID()))
          for (const path of paths) {
            const request = { method, path, as: user, body: sendsBody(operation) ? body : undefined }
            expectResponse(await context.send(request), { status: 400, error: /^Invalid id: / })
          }
        }
        const odd = itemPath(resource, randomUUID(), '%00%ff%27')
        const exchange = await context.send({
          method,
          path: odd,
          as: user,
          body: sendsBody(operation) ? body : undefined,
        })
        expectThat(exchange.response.status === 400, exchange, '400')
      }
    }),
  )
  return checks
}
