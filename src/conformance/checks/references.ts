import { isOnlyCreator } from '../../access.ts'
import { randomUUID } from 'node:crypto'
import type { Attribute } from '../../model/platform.ts'
import { listed, withArticle } from '../../naming.ts'
import { bodyWith, requestAttributes, withValues, bodyOf } from '../body.ts'
import type { Check } from '../check.ts'
import type { User } from '../client.ts'
import { expectResponse } from '../expect.ts'
import { feasibility, targetResource } from '../feasibility.ts'
import { collectionPath, entityName, filling, type Resource, serviceResource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { echoedValue } from '../values/value.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'
import { SERVICE_TEXTS, stillReferencedText, unknownReferenceText } from '../../model/error-texts.ts'

/** Checks attributes that refer to other entities. */
export function referenceChecks(resource: Resource): Check[] {
  const references = requestAttributes(resource).filter((attribute) => targetResource(resource, attribute))
  return [
    ...references.flatMap((attribute) => {
      const target = targetResource(resource, attribute)
      if (!target) return []
      const filled = filling(resource, attribute)
      return [
        unknownCheck(filled, attribute, target),
        ...foreignCheck(filled, attribute, target),
        ...updateCheck(filled, attribute, target),
        ...deletedCheck(filled, attribute, target),
        ...siblingChecks(filled, attribute, target),
      ]
    }),
    ...orderCheck(resource, references),
  ]
}

function unknown(target: Resource, id: string): { status: number; error: string } {
  return { status: 400, error: unknownReferenceText(entityName(target), id) }
}

function unknownCheck(resource: Resource, attribute: Attribute, target: Resource): Check {
  const name = attribute.names.declared
  return resourceCheck(
    resource,
    `\`${name}\` accepts an existing ${entityName(target)}, with its id in either case`,
    { entities: 1 },
    async (context) => {
      const user = await context.user(resource)
      const parent = await context.parentFor(resource, user)
      const values = await context.values.generate(resource, user, parent)
      const path = collectionPath(resource, parent?.id)
      const nobody = randomUUID()
      const body = bodyWith(values, { [name]: JSON.stringify(nobody) })
      expectResponse(await context.send({ method: 'POST', path, as: user, body }), unknown(target, nobody))
      const id = values.get(name)?.expected
      if (typeof id !== 'string') return
      const upper = { json: JSON.stringify(id.toUpperCase()), expected: id }
      const created = await context.createFrom(resource, user, parent, withValues(values, [[name, upper]]))
      await expectStored(context, created, created.values, user)
    },
  )
}

/** Checks references to another user's entity: valid if everyone can read it, else unknown. */
function foreignCheck(resource: Resource, attribute: Attribute, target: Resource): Check[] {
  if (!resource.platform.authentication || attribute.type.kind !== 'reference' || feasibility(target).blocked)
    return []
  const name = attribute.names.declared
  const { readable } = target.service
  // Users with roles have all of them.
  const hasRoles = feasibility(resource).needsRole
  const open = readable === 'all' || (hasRoles && readable.roles.length > 0)
  const noun = entityName(target)
  const title = open
    ? `\`${name}\` accepts ${withArticle(noun)} of another user (2 users)`
    : `\`${name}\` rejects ${withArticle(noun)} that only another user can read (2 users)`
  return [
    resourceCheck(
      resource,
      title,
      { entities: 1, parents: attribute.type.local ? 2 : 1 },
      async (context) => {
        const [user, other = user] = await context.users(resource, 2)
        const parent = await context.parentFor(resource, user)
        // The other user may have an entity already.
        const owner = context.test.feasibility(target).onePerUser ? await context.test.freshUser() : other
        const foreign = await context.create(target, { user: context.test.asCreator(target, owner) })
        const values = await context.values.generate(resource, user, parent, [
          [name, echoedValue(foreign.id)],
        ])
        const request = {
          method: 'POST',
          path: collectionPath(resource, parent?.id),
          as: user,
          body: bodyOf(values),
        }
        if (!open) return expectResponse(await context.send(request), unknown(target, foreign.id))
        await context.createFrom(resource, user, parent, values)
      },
    ),
  ]
}

function updateCheck(resource: Resource, attribute: Attribute, target: Resource): Check[] {
  if (!hasEndpoints(resource, 'update')) return []
  const name = attribute.names.declared
  const title = `update rejects an unknown \`${name}\` and changes nothing`
  return [
    resourceCheck(resource, title, { entities: 1 }, async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const { user } = created
      const path = context.pathOf(created)
      const nobody = randomUUID()
      const changed = await context.values.regenerate(created)
      const body = bodyWith(changed, { [name]: JSON.stringify(nobody) })
      for (const method of ['PUT', 'PATCH'])
        expectResponse(await context.send({ method, path, as: user, body }), unknown(target, nobody))
      await expectStored(context, created, created.values, user)
      if (
        resource.platform.authentication &&
        resource.service.readable === 'all' &&
        isOnlyCreator(resource.service.writable)
      ) {
        const [, freshUser] = await context.users(resource, 2)
        const refused = await context.send({ method: 'PUT', path, as: freshUser, body })
        // Access is checked before references.
        expectResponse(refused, { status: 403, error: SERVICE_TEXTS.forbidden })
      }
    }),
  ]
}

/** Checks that references to deleted entities remain and are validated again only when they change. */
function deletedCheck(resource: Resource, attribute: Attribute, target: Resource): Check[] {
  const { type, stored } = attribute
  if (type.kind !== 'reference' || !stored || !hasEndpoints(target, 'delete')) return []
  const { onePerUser } = feasibility(target)
  if (onePerUser && target.service.readable !== 'all') return []
  if (type.local && onePerUser) return []
  const name = attribute.names.declared
  const title = `\`${name}\` keeps its value when its ${entityName(target)} is deleted, and is checked again only when it changes`
  const parents = type.local ? { parents: 2, parentsPerUser: 2 } : {}
  return [
    resourceCheck(resource, title, { entities: 1, ...parents }, async (context) => {
      const user = await context.user(resource)
      const owner = context.test.asCreator(target, onePerUser ? await context.test.freshUser() : user)
      const referenced = await context.create(target, { user: owner })
      const created = await context.create(resource, { user, values: [[name, echoedValue(referenced.id)]] })
      await remove(context, referenced, owner)
      await expectStored(context, created, created.values, user)
      if (hasEndpoints(resource, 'update')) {
        const exchange = await context.send({
          method: 'PUT',
          path: context.pathOf(created),
          as: user,
          body: bodyOf(created.values),
        })
        const { id, values } = created
        expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
      }
      // References are validated before the database sees the @unique values.
      const path = collectionPath(resource, created.parent?.id)
      const exchange = await context.send({ method: 'POST', path, as: user, body: bodyOf(created.values) })
      expectResponse(exchange, unknown(target, referenced.id))
    }),
  ]
}

async function remove(context: CheckContext, created: CreatedEntity, user: User): Promise<void> {
  expectResponse(await context.send({ method: 'DELETE', path: context.pathOf(created), as: user }), {
    status: 200,
    body: {},
  })
  context.untrack(created)
}

function siblingChecks(resource: Resource, attribute: Attribute, target: Resource): Check[] {
  if (attribute.type.kind !== 'sibling') return []
  const name = attribute.names.declared
  const noun = entityName(target)
  const checks = [
    resourceCheck(
      resource,
      `\`${name}\` rejects ${withArticle(noun)} of another ${serviceResource(resource).label}`,
      { entities: 1, parents: 2 },
      async (context) => {
        const [user, other = user] = await context.users(resource, 2)
        const parent = await context.parentFor(resource, user)
        const foreign = await context.create(target, { user: other })
        const values = await context.values.generate(resource, user, parent, [
          [name, echoedValue(foreign.id)],
        ])
        const request = {
          method: 'POST',
          path: collectionPath(resource, parent?.id),
          as: user,
          body: bodyOf(values),
        }
        expectResponse(await context.send(request), unknown(target, foreign.id))
      },
    ),
  ]
  if (hasEndpoints(target, 'delete'))
    checks.push(
      resourceCheck(
        resource,
        `${withArticle(noun)} referenced by \`${name}\` cannot be deleted`,
        { entities: 1 },
        async (context) => {
          const user = await context.user(resource)
          const parent = await context.parentFor(resource, user)
          const under = parent ? { user, parent } : { user }
          const referenced = await context.create(target, under)
          const created = await context.create(resource, {
            ...under,
            values: [[name, echoedValue(referenced.id)]],
          })
          const path = context.pathOf(referenced)
          const refused = await context.send({ method: 'DELETE', path, as: user })
          expectResponse(refused, { status: 409, error: stillReferencedText(noun) })
          await expectStored(context, referenced, referenced.values, user)
          if (!hasEndpoints(resource, 'delete')) return
          await remove(context, created, user)
          await remove(context, referenced, user)
        },
      ),
    )
  return checks
}

/** Checks that the error names the first unknown reference in the order of the definition. */
function orderCheck(resource: Resource, references: readonly Attribute[]): Check[] {
  const [first, second] = references
  if (!first || !second) return []
  const names = references.map((attribute) => attribute.names.declared)
  return [
    resourceCheck(
      resource,
      `the error names the first unknown one of ${listed(names, 'and')}`,
      { entities: 1 },
      async (context) => {
        const user = await context.user(resource)
        const parent = await context.parentFor(resource, user)
        const values = await context.values.generate(resource, user, parent)
        const path = collectionPath(resource, parent?.id)
        const ids = new Map(references.map((attribute) => [attribute, randomUUID()] as const))
        for (const [from, attribute] of references.entries()) {
          const bad = references.slice(from).map((reference) => {
            const id = ids.get(reference) ?? ''
            return [reference.names.declared, echoedValue(id)] as const
          })
          const target = targetResource(resource, attribute)
          if (!target) continue
          const body = bodyOf(withValues(values, bad))
          const exchange = await context.send({ method: 'POST', path, as: user, body })
          expectResponse(exchange, unknown(target, ids.get(attribute) ?? ''))
        }
      },
    ),
  ]
}
