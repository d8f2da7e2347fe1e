import { randomUUID } from 'node:crypto'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import { bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { collectionPath, type Resource } from '../resource.ts'
import { CONCURRENT } from './concurrent.ts'
import { hasEndpoints, resourceCheck } from './resource-check.ts'

/** Checks that creates can be repeated with a key (`#idempotent`). */
export function idempotencyChecks(resource: Resource): Check[] {
  if (!resource.service.idempotent || !hasEndpoints(resource, 'create')) return []
  return [
    resourceCheck(
      resource,
      'a create that is repeated with its Idempotency-Key returns the first response again',
      { entities: 1 },
      async (context) => {
        let key = ''
        const created = await context.create(resource, {
          user: await context.user(resource),
          headers: () => ({ 'idempotency-key': (key = randomUUID()) }),
        })
        const { id, user, parent, values } = created
        const path = collectionPath(resource, parent?.id)
        const request = { method: 'POST', path, as: user, body: bodyOf(values) }
        const again = await context.send({ ...request, headers: { 'idempotency-key': key } })
        expectResponse(again, {
          status: 201,
          headers: { location: `${path}/${id}`, 'cache-control': 'no-store' },
        })
        expectThat(stringOf(again, 'id') === id, again, `the id ${id}`)
        const other = bodyOf(await context.values.regenerate(created))
        if (other !== request.body)
          expectResponse(
            await context.send({ ...request, body: other, headers: { 'idempotency-key': key } }),
            { status: 422, error: SERVICE_TEXTS.keyReused },
          )
        for (const invalid of ['a b', 'a'.repeat(256)])
          expectResponse(await context.send({ ...request, headers: { 'idempotency-key': invalid } }), {
            status: 400,
            error: SERVICE_TEXTS.keyInvalid,
          })
      },
    ),
    resourceCheck(
      resource,
      `${CONCURRENT} concurrent creates with the same Idempotency-Key create one entity`,
      { entities: 2, perUser: 2 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        // Values that nothing else has.
        const first = await context.create(resource, parent ? { user, parent } : { user })
        const values = await context.values.regenerate(first)
        const path = collectionPath(resource, parent?.id)
        const headers = { 'idempotency-key': randomUUID() }
        const exchanges = await Promise.all(
          Array.from({ length: CONCURRENT }, () =>
            context.send({ method: 'POST', path, as: user, headers, body: bodyOf(values) }),
          ),
        )
        const ids = new Set<string>()
        for (const exchange of exchanges) {
          if (exchange.response.status === 409) {
            expectResponse(exchange, { status: 409, error: SERVICE_TEXTS.keyInUse })
            continue
          }
          expectResponse(exchange, { status: 201 })
          ids.add(stringOf(exchange, 'id'))
        }
        for (const id of ids) context.track({ resource, parent, id, values, user })
        expectThat(ids.size === 1, exchanges[0], `1 entity, not ${ids.size}`)
      },
    ),
  ]
}
