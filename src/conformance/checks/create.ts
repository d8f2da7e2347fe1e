import { randomUUID } from 'node:crypto'
import { bodyOf, bodyWith, requiredAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { collectionPath, itemPath, type Resource } from '../resource.ts'
import { randomValue } from '../values/sample.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'
import { isReference } from '../../model/entities.ts'

/** Checks what create stores and returns. */
export function createChecks(resource: Resource): Check[] {
  if (!hasEndpoints(resource, 'create')) return []
  const checks = [
    resourceCheck(
      resource,
      'create returns 201 with the entity and its location',
      { entities: 1 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const values = await context.values.generate(resource, user, parent)
        const path = collectionPath(resource, parent?.id)
        const exchange = await context.send({ method: 'POST', path, as: user, body: bodyOf(values) })
        expectResponse(exchange, { status: 201 })
        const id = stringOf(exchange, 'id')
        context.track({ resource, parent, id, values, user })
        expectResponse(exchange, { status: 201, headers: { location: itemPath(resource, parent?.id, id) } })
        expectEntityResponse(exchange, 201, { resource, id, values, isolated: context.test.isolated })
      },
    ),
    resource.service.storesUsers && !resource.struct ? ownId(resource) : orderedIds(resource),
    ignoredKeys(resource),
  ]
  if (hasEndpoints(resource, 'read'))
    checks.push(
      resourceCheck(resource, 'a created entity can be read', { entities: 1 }, async (context) => {
        const created = await context.create(resource, { user: await context.user(resource) })
        await expectStored(context, created, created.values, created.user)
      }),
    )
  return checks
}

function orderedIds(resource: Resource): Check {
  return resourceCheck(
    resource,
    'ids are version 7 UUIDs in creation order',
    { entities: 2, parents: 2 },
    async (context) => {
      const [first, second] = await context.users(resource, 2)
      const earlier = await context.create(resource, { user: first })
      const later = await context.create(resource, { user: second ?? first })
      for (const { id } of [earlier, later])
        expectThat(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
          undefined,
          `a lowercase version 7 UUID as the id of ${resource.label}, not ${id}`,
        )
      expectThat(
        earlier.id < later.id,
        undefined,
        `the later id ${later.id} to be greater than ${earlier.id}`,
      )
    },
  )
}

function ownId(resource: Resource): Check {
  return resourceCheck(resource, 'an entity has the id of its creator', { entities: 1 }, async (context) => {
    const created = await context.create(resource, { user: await context.user(resource) })
    expectThat(
      created.id === created.user.id,
      undefined,
      `the id of the token, ${created.user.id}, not ${created.id}`,
    )
  })
}

function ignoredKeys(resource: Resource): Check {
  const closed = resource.entity.attributes.filter(({ inRequest }) => !inRequest)
  const names = closed.map(({ names: { declared } }) => `\`${declared}\``)
  return resourceCheck(
    resource,
    `create ignores ${['`id`', ...names].join(', ')} and unknown keys in requests`,
    { entities: 1 },
    async (context) => {
      const user = await context.user(resource)
      const parent = await context.parentFor(resource, user)
      const values = await context.values.generate(resource, user, parent)
      const sentId = randomUUID()
      const extra: Record<string, string> = { id: JSON.stringify(sentId), __unknown: '{"a":[1]}', '': '1' }
      for (const {
        names: { declared },
        type,
      } of closed)
        extra[declared] = isReference(type) ? JSON.stringify(randomUUID()) : randomValue(type).json
      const exchange = await context.send({
        method: 'POST',
        path: collectionPath(resource, parent?.id),
        as: user,
        body: bodyWith(values, extra),
      })
      expectResponse(exchange, { status: 201 })
      const id = stringOf(exchange, 'id')
      const created = context.track({ resource, parent, id, values, user })
      expectThat(id !== sentId, exchange, 'an id that the service has created, not the one in the request')
      expectEntityResponse(exchange, 201, { resource, id, values, isolated: context.test.isolated })
      await expectStored(context, created, values, user)
      if (requiredAttributes(resource).length === 0) return
      const nulls = await context.send({
        method: 'POST',
        path: collectionPath(resource, parent?.id),
        as: user,
        body: bodyWith(new Map(), extra),
      })
      expectResponse(nulls, { status: 400, error: /^Missing request parameter\(s\): / })
    },
  )
}
