import { randomUUID } from 'node:crypto'
import { namesRoles } from '../../model/describe-access.ts'
import { withArticle } from '../../naming.ts'
import { bodyOf, bodyWith } from '../body.ts'
import type { Check } from '../check.ts'
import type { User } from '../client.ts'
import { expectResponse, stringOf } from '../expect.ts'
import { collectionPath, itemPath, listPath, type Resource, serviceResource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import type { CreatedEntity } from '../test-context.ts'
import { writeRequest, writeOperations } from './access-checks.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse, notFound } from './expect-entity.ts'
import { idsOf, itemsOf } from './list.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import { unlinkedValues } from '../entity-values.ts'

/** Checks the entries of a struct: their parent and the access to it. */
export function structChecks(resource: Resource): Check[] {
  const { struct } = resource
  if (!struct) return []
  const parent = serviceResource(resource)
  const checks = [missingParent(resource, parent), foreignParent(resource, parent)]
  if (resource.platform.authentication && !namesRoles(resource.service))
    checks.push(inheritedAccess(resource, parent))
  if (hasEndpoints(resource, 'list')) checks.push(ownList(resource))
  if (hasEndpoints(parent, 'delete')) checks.push(deletedParent(resource, parent))
  if (resource.platform.authentication && resource.service.storesUsers && hasEndpoints(parent, 'delete'))
    checks.push(secondLife(resource, parent))
  return checks.filter((check) => check !== undefined)
}

/** Returns a request for each endpoint of an entry. Neither the parent nor the entry has to exist. */
export function entryRequests(
  resource: Resource,
  parentId: string,
  id: string,
  body: string,
): { method: string; path: string; body?: string }[] {
  const item = itemPath(resource, parentId, id)
  const collection = collectionPath(resource, parentId)
  return resource.entity.endpoints.flatMap(({ operation }) => {
    if (operation === 'create') return [{ method: 'POST', path: collection, body }]
    if (operation === 'read') return [{ method: 'GET', path: item }]
    if (operation === 'update') return [{ method: 'PUT', path: item, body }]
    if (operation === 'delete') return [{ method: 'DELETE', path: item }]
    return operation === 'list'
      ? [listPath(resource, parentId), `${collection}/${randomUUID()}/all`].map((path) => ({
          method: 'GET',
          path,
        }))
      : []
  })
}

function missingParent(resource: Resource, parent: Resource): Check {
  return resourceCheck(
    resource,
    `all paths below a missing ${parent.label} return 404`,
    { entities: 0 },
    async (context) => {
      const as = await context.user(resource)
      const parentId = randomUUID()
      for (const request of entryRequests(resource, parentId, randomUUID(), bodyOf(unlinkedValues(resource))))
        expectResponse(await context.send({ ...request, as }), {
          status: 404,
          error: notFound(parent, parentId),
        })
      if (!hasEndpoints(resource, 'create')) return
      // The body is validated before access is checked.
      const wrong = await context.send({
        method: 'POST',
        path: collectionPath(resource, parentId),
        as,
        body: '[]',
      })
      expectResponse(wrong, { status: 400, error: /^Invalid request body: / })
    },
  )
}

function foreignParent(resource: Resource, parent: Resource): Check {
  const requirements = { entities: 1, parents: 2, parentsPerUser: 2 }
  return resourceCheck(
    resource,
    `an entry is found only under its own ${parent.label}`,
    requirements,
    async (context) => {
      const user = await context.user(resource)
      const created = await context.create(resource, { user })
      const other = await context.create(parent, { user })
      const path = itemPath(resource, other.id, created.id)
      const lost = { status: 404, error: notFound(resource, created.id) }
      const body = bodyOf(created.values)
      for (const [operation, method] of [
        ['read', 'GET'],
        ['update', 'PUT'],
        ['delete', 'DELETE'],
      ] as const) {
        if (!hasEndpoints(resource, operation)) continue
        const request = { method, path, as: user, body: operation === 'update' ? body : undefined }
        expectResponse(await context.send(request), lost)
      }
      if (hasEndpoints(resource, 'read'))
        expectResponse(await context.send({ method: 'GET', path: context.pathOf(created), as: user }), {
          status: 200,
        })
    },
  )
}

function inheritedAccess(resource: Resource, parent: Resource): Check {
  const { readable, writable } = resource.service
  const closed = readable !== 'all'
  const title = closed
    ? `only the creator of the ${parent.label} can access its entries, others get 404 (3 users)`
    : writable !== 'all'
      ? `every user can read, only the creator of the ${parent.label} can write, others get 403 (3 users)`
      : 'every user can read and write (3 users)'
  return resourceCheck(resource, title, { entities: writable !== 'all' ? 1 : 3 }, async (context) => {
    const [creator, ...others] = await context.users(resource, 3)
    const created = await context.create(resource, { user: creator })
    for (const as of others)
      if (closed) await expectClosed(context, created, as, parent)
      else {
        await expectReadable(context, created, as)
        if (writable !== 'all') await expectUnwritable(context, created, as)
        else await expectWritable(context, created, as)
      }
    await expectReadable(context, created, creator)
    if (writable !== 'all' && hasEndpoints(resource, 'delete')) {
      expectResponse(await context.send({ method: 'DELETE', path: context.pathOf(created), as: creator }), {
        status: 200,
      })
      context.untrack(created)
    }
  })
}

async function expectClosed(
  context: CheckContext,
  created: CreatedEntity,
  as: User,
  parent: Resource,
): Promise<void> {
  const parentId = created.parent?.id ?? ''
  for (const request of entryRequests(created.resource, parentId, created.id, bodyOf(created.values)))
    expectResponse(await context.send({ ...request, as }), { status: 404, error: notFound(parent, parentId) })
}

async function expectReadable(context: CheckContext, created: CreatedEntity, as: User): Promise<void> {
  const { resource, parent, id, values } = created
  for (const request of entryRequests(resource, parent?.id ?? '', id, '').filter(
    ({ method }) => method === 'GET',
  )) {
    const exchange = await context.send({ ...request, as })
    expectResponse(exchange, { status: 200 })
    if (!request.path.endsWith('/all'))
      expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
  }
}

async function expectUnwritable(context: CheckContext, created: CreatedEntity, as: User): Promise<void> {
  const { resource, parent } = created
  for (const operation of writeOperations(resource)) {
    const path = operation === 'create' ? collectionPath(resource, parent?.id) : context.pathOf(created)
    const exchange = await context.send({ ...writeRequest(operation, created.values), path, as })
    expectResponse(exchange, { status: 403, error: SERVICE_TEXTS.forbidden })
  }
}

async function expectWritable(context: CheckContext, created: CreatedEntity, as: User): Promise<void> {
  const { resource, parent } = created
  const own = await context.create(resource, parent ? { user: as, parent } : { user: as })
  if (hasEndpoints(resource, 'update')) {
    const body = bodyOf(created.values)
    expectResponse(await context.send({ method: 'PUT', path: context.pathOf(created), as, body }), {
      status: 200,
    })
  }
  if (!hasEndpoints(resource, 'delete')) return
  expectResponse(await context.send({ method: 'DELETE', path: context.pathOf(own), as: created.user }), {
    status: 200,
  })
  context.untrack(own)
}

function ownList(resource: Resource): Check {
  const requirements = { entities: 2, parents: 2 }
  return resourceCheck(
    resource,
    'list shows only the entries of one parent, on both forms of its path',
    requirements,
    async (context) => {
      const [first, second = first] = await context.users(resource, 2)
      const mine = await context.create(resource, { user: first })
      const theirs = await context.create(resource, { user: second })
      for (const { parent, id, user } of [mine, theirs])
        for (const request of entryRequests(resource, parent?.id ?? '', id, '')) {
          if (!request.path.endsWith('/all')) continue
          for (const query of ['', `?id[in]=${mine.id},${theirs.id}`]) {
            const path = `${request.path}${query}`
            const exchange = await context.send({ ...request, path, as: user })
            expectResponse(exchange, { status: 200 })
            const ids = idsOf(itemsOf(exchange, resource))
            expectResponse(
              { ...exchange, response: { ...exchange.response, text: JSON.stringify(ids) } },
              { status: 200, body: [id] },
            )
          }
        }
      const { parent, user } = mine
      const path = `${collectionPath(resource, parent?.id)}/x/all`
      expectResponse(await context.send({ method: 'GET', path, as: user }), {
        status: 400,
        error: /^Invalid id: /,
      })
    },
  )
}

function deletedParent(resource: Resource, parent: Resource): Check {
  const unique = resource.entity.attributes.some((attribute) => attribute.unique && attribute.inRequest)
  const title = `deleting ${withArticle(parent.label)} deletes its entries${unique ? ' and frees their @unique values' : ''}`
  return resourceCheck(resource, title, { entities: 1 }, async (context) => {
    const user = await context.user(resource)
    const created = await context.create(resource, { user })
    const parentId = created.parent?.id ?? ''
    const path = itemPath(parent, undefined, parentId)
    expectResponse(await context.send({ method: 'DELETE', path, as: user }), { status: 200, body: {} })
    context.untrack(created)
    if (created.parent) context.untrack(created.parent)
    for (const request of entryRequests(resource, parentId, created.id, bodyOf(created.values)))
      expectResponse(await context.send({ ...request, as: user }), {
        status: 404,
        error: notFound(parent, parentId),
      })
    const tied = resource.entity.attributes.some(
      ({ inRequest, type }) => inRequest && type.kind === 'sibling',
    )
    if (!unique || tied) return
    const next = await context.create(parent, { user })
    const own = resource.entity.attributes.filter(({ type }) => type.kind === 'reference' && type.local)
    const body = bodyWith(
      created.values,
      Object.fromEntries(own.map(({ names }) => [names.declared, JSON.stringify(next.id)])),
    )
    const exchange = await context.send({
      method: 'POST',
      path: collectionPath(resource, next.id),
      as: user,
      body,
    })
    expectResponse(exchange, { status: 201 })
    context.track({ ...created, parent: next, id: stringOf(exchange, 'id') })
  })
}

/** Checks that an entity of an `#auth` service, recreated with the same id, does not get its old entries back. */
function secondLife(resource: Resource, parent: Resource): Check {
  return resourceCheck(
    resource,
    `${withArticle(parent.label)} created again after its deletion has none of its old entries`,
    { entities: 1 },
    async (context) => {
      const user = await context.user(resource)
      const created = await context.create(resource, { user })
      const before = created.parent
      if (!before) return
      expectResponse(await context.send({ method: 'DELETE', path: context.pathOf(before), as: user }), {
        status: 200,
      })
      context.untrack(created)
      context.untrack(before)
      const again = await context.create(parent, { user })
      if (hasEndpoints(resource, 'read')) {
        const path = itemPath(resource, again.id, created.id)
        const gone = { status: 404, error: notFound(resource, created.id) }
        expectResponse(await context.send({ method: 'GET', path, as: user }), gone)
      }
      if (hasEndpoints(resource, 'list')) {
        const path = listPath(resource, again.id)
        const body = { [resource.entity.listKey]: [] }
        expectResponse(await context.send({ method: 'GET', path, as: user }), { status: 200, body })
      }
    },
  )
}
