import { MAX_PAGE } from '../../limits.ts'
import { namesRoles } from '../../model/describe-access.ts'
import type { Operation } from '../../model/platform.ts'
import { bodyOf, type AttributeValues } from '../body.ts'
import type { Check } from '../check.ts'
import type { User } from '../client.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { endpointOf, itemPath, listPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntity, expectEntityResponse, expectStored, notFound } from './expect-entity.ts'
import { idsOf, itemsOf } from './list.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'

/** Checks who can read and write the entities of a service without roles. Without authentication everyone can. */
export function accessChecks(resource: Resource): Check[] {
  if (!resource.platform.authentication || resource.struct || namesRoles(resource.service)) return []
  const checks: Check[] = []
  if (hasEndpoints(resource, 'read')) checks.push(readCheck(resource))
  if (hasEndpoints(resource, 'list')) checks.push(listCheck(resource))
  for (const operation of ['update', 'patch', 'delete'] as const)
    if (hasEndpoints(resource, operation)) checks.push(writeCheck(resource, operation))
  return checks
}

function readCheck(resource: Resource): Check {
  const closed = resource.service.readable !== 'all'
  const title = closed ? 'only the creator can read (3 users)' : 'every user can read (3 users)'
  return resourceCheck(resource, title, { entities: 1 }, async (context) => {
    const [creator, ...others] = await context.users(resource, 3)
    const created = await context.create(resource, { user: creator })
    await expectStored(context, created, created.values, creator)
    for (const as of others)
      for (const method of ['GET', 'HEAD']) {
        const exchange = await context.send({ method, path: context.pathOf(created), as })
        if (!closed) expectResponse(exchange, { status: 200 })
        else if (method === 'HEAD') expectResponse(exchange, { status: 404 })
        else expectResponse(exchange, { status: 404, error: notFound(resource, created.id) })
      }
  })
}

function listCheck(resource: Resource): Check {
  const closed = resource.service.readable !== 'all'
  const title = closed
    ? 'list shows each user only their own entities (3 users)'
    : 'list shows every user all entities (3 users)'
  return resourceCheck(resource, title, { entities: 2 }, async (context) => {
    const [first, second = first, third = first] = await context.users(resource, 3)
    const created = [
      await context.create(resource, { user: first }),
      await context.create(resource, { user: second }),
    ]
    // Also requests a large page, because the platform may have other entities.
    for (const as of [first, second, third])
      for (const query of ['', `?limit=${MAX_PAGE}`]) {
        const exchange = await context.send({
          method: 'GET',
          path: `${listPath(resource, undefined)}${query}`,
          as,
        })
        expectResponse(exchange, { status: 200 })
        if (query !== '' && exchange.response.headers['link'] !== undefined) continue
        const items = itemsOf(exchange, resource)
        const ids = idsOf(items)
        for (const { id, user, values } of created) {
          const shown = ids.indexOf(id)
          const due = !closed || user === as
          expectThat(
            (shown !== -1) === due,
            exchange,
            `a list ${due ? 'with' : 'without'} ${id}, created by ${user.name}`,
          )
          if (due)
            expectEntity(exchange, items[shown], { resource, id, values, isolated: context.test.isolated })
        }
      }
  })
}

function writeCheck(resource: Resource, operation: Extract<Operation, 'update' | 'patch' | 'delete'>): Check {
  const open = resource.service.writable === 'all'
  const status = resource.service.readable !== 'all' ? 404 : 403
  const title = open
    ? `every user can ${operation} (3 users)`
    : `only the creator can ${operation}, others get ${status} (3 users)`
  return resourceCheck(resource, title, { entities: 1 }, async (context) => {
    const [creator, ...others] = await context.users(resource, 3)
    let created = await context.create(resource, { user: creator })
    if (open) {
      for (const as of others) {
        await writeByOther(context, created, as, operation)
        if (operation === 'delete') created = await context.create(resource, { user: creator })
      }
      return
    }
    for (const as of others) {
      const path = context.pathOf(created)
      const exchange = await context.send({ ...writeRequest(operation, created.values), path, as })
      expectResponse(exchange, {
        status,
        error: status === 403 ? SERVICE_TEXTS.forbidden : notFound(resource, created.id),
      })
      await expectStored(context, created, created.values, creator)
    }
    const exchange = await context.send({
      ...writeRequest(operation, created.values),
      path: context.pathOf(created),
      as: creator,
    })
    expectResponse(exchange, { status: 200 })
    if (operation === 'delete') context.untrack(created)
  })
}

/** Expects a write by another user to succeed and not to change the owner. */
async function writeByOther(
  context: CheckContext,
  created: CreatedEntity,
  as: User,
  operation: 'update' | 'patch' | 'delete',
): Promise<void> {
  const { resource, id } = created
  const path = itemPath(resource, undefined, id)
  if (operation === 'delete') {
    expectResponse(await context.send({ method: 'DELETE', path, as }), { status: 200, body: {} })
    context.untrack(created)
    return
  }
  const values = await context.values.regenerate(created)
  const kept = new Map(
    [...values].map(([name, value]) => {
      const attribute = resource.entity.attributes.find(({ names }) => names.declared === name)
      // The other user may not be able to read what the creator refers to.
      return [
        name,
        attribute?.type.kind === 'reference' ? (created.values.get(name) ?? value) : value,
      ] as const
    }),
  )
  const exchange = await context.send({ ...writeRequest(operation, kept), path, as })
  expectEntityResponse(exchange, 200, { resource, id, values: kept, isolated: context.test.isolated })
  await expectStored(context, created, kept, created.user)
}

const WRITE_METHODS = { create: 'POST', update: 'PUT', patch: 'PATCH' }

/** Returns the method and body of a write. */
export function writeRequest(
  operation: 'create' | 'update' | 'patch' | 'delete',
  values: AttributeValues,
): { method: string; body: string | undefined } {
  if (operation === 'delete') return { method: 'DELETE', body: undefined }
  return { method: WRITE_METHODS[operation], body: bodyOf(values) }
}

/** Returns the write operations of a resource. */
export function writeOperations(resource: Resource): ('create' | 'update' | 'patch' | 'delete')[] {
  return (['create', 'update', 'patch', 'delete'] as const).filter((operation) =>
    endpointOf(resource, operation),
  )
}
