import { MAX_PAGE } from '../../limits.ts'
import { type Access, admitsCreator, admitsRole } from '../../access.ts'
import { namesRoles } from '../../model/describe-access.ts'
import { requestAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import type { User } from '../client.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { targetResource } from '../feasibility.ts'
import { collectionPath, listPath, type Resource, serviceResource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { writeRequest } from './access-checks.ts'
import { expectEntityResponse, expectStored, notFound } from './expect-entity.ts'
import { idsOf, itemsOf } from './list.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import { unlinkedValues } from '../entity-values.ts'

/** A user, and what the definition allows them. */
interface Caller {
  readonly user: User
  readonly reads: boolean
  readonly writes: boolean
  readonly creates: boolean
}

/** Checks what each role and the creator may do with the entities of a service and the entries of its structs. */
export function roleChecks(resource: Resource): Check[] {
  const roles = resource.platform.authentication?.roles ?? []
  if (roles.length === 0 || !namesRoles(resource.service)) return []
  const users = `(creator, ${roles.join(', ')}, no role)`
  const checks: Check[] = []
  const add = (
    title: string,
    run: (context: CheckContext, created: CreatedEntity, caller: Caller) => Promise<CreatedEntity>,
  ): void => {
    checks.push(
      resourceCheck(resource, `${title} ${users}`, { entities: 1 }, async (context) => {
        const [creator, ...others] = await context.users(resource, roles.length + 2)
        let created = await context.create(resource, { user: creator })
        for (const caller of callersOf(context, resource, creator, others))
          created = await run(context, created, caller)
      }),
    )
  }
  if (hasEndpoints(resource, 'read') || hasEndpoints(resource, 'list'))
    add('roles decide who can read', checkReading)
  if (hasEndpoints(resource, 'create')) add('roles decide who can create', checkCreating)
  for (const operation of ['update', 'patch', 'delete'] as const)
    if (hasEndpoints(resource, operation))
      add(`roles decide who can ${operation}`, (context, created, caller) =>
        checkWriting(context, created, caller, operation),
      )
  return checks
}

function allows(access: Access, role: string | undefined): boolean {
  return access === 'all' || (role !== undefined && admitsRole(access, role))
}

/** The creator without a role, a user with each of the roles, and a user without any. */
function callersOf(
  context: CheckContext,
  { service }: Resource,
  creator: User,
  others: readonly User[],
): Caller[] {
  const { readable, writable } = service
  const roles = [undefined, ...(context.test.platform.authentication?.roles ?? [])]
  const callerWith = (user: User, role: string | undefined, isCreator: boolean): Caller => ({
    user: context.test.withRoles(user, role === undefined ? [] : [role]),
    reads: allows(readable, role) || (isCreator && admitsCreator(readable)),
    writes: allows(writable, role) || (isCreator && admitsCreator(writable)),
    creates: allows(writable, role) || admitsCreator(writable),
  })
  return [
    callerWith(creator, undefined, true),
    ...roles.flatMap((role, index) => {
      const user = others[index]
      return user === undefined ? [] : [callerWith(user, role, false)]
    }),
  ]
}

/** The response to a caller who may not read, or not write. */
function rejection(
  { resource, parent, id }: CreatedEntity,
  { reads }: Caller,
): { status: number; error: string } {
  if (reads) return { status: 403, error: SERVICE_TEXTS.forbidden }
  const hidden = resource.struct === undefined ? resource : serviceResource(resource)
  return { status: 404, error: notFound(hidden, parent?.id ?? id) }
}

async function checkReading(
  context: CheckContext,
  created: CreatedEntity,
  caller: Caller,
): Promise<CreatedEntity> {
  const { resource, parent, id } = created
  const as = caller.user
  if (hasEndpoints(resource, 'read'))
    if (caller.reads) await expectStored(context, created, created.values, as)
    else
      expectResponse(
        await context.send({ method: 'GET', path: context.pathOf(created), as }),
        rejection(created, caller),
      )
  if (!hasEndpoints(resource, 'list')) return created
  const exchange = await context.send({
    method: 'GET',
    path: `${listPath(resource, parent?.id)}?limit=${MAX_PAGE}`,
    as,
  })
  if (resource.struct && !caller.reads) expectResponse(exchange, rejection(created, caller))
  else {
    expectResponse(exchange, { status: 200 })
    const isShown = idsOf(itemsOf(exchange, resource)).includes(id)
    const isPart = exchange.response.headers['link'] !== undefined
    expectThat(
      isShown === caller.reads || isPart,
      exchange,
      `a list ${caller.reads ? 'with' : 'without'} ${id}, created by ${created.user.name}`,
    )
  }
  return created
}

/** Access is checked before references, so that a caller with access gets at least as far as those. */
async function checkCreating(
  context: CheckContext,
  created: CreatedEntity,
  caller: Caller,
): Promise<CreatedEntity> {
  const { resource, parent } = created
  const as = caller.user
  const isOwn = resource.struct === undefined
  const hasReferences = requestAttributes(resource).some((attribute) => targetResource(resource, attribute))
  const isAllowed = isOwn ? caller.creates : caller.writes
  // The creator of an entity of an #auth service cannot create another one.
  if (isAllowed && as.id === created.user.id && context.test.feasibility(resource).onePerUser) return created
  const values =
    hasReferences || !isAllowed
      ? unlinkedValues(resource)
      : await context.values.generate(resource, as, parent)
  const path = collectionPath(resource, parent?.id)
  const exchange = await context.send({ ...writeRequest('create', values), path, as })
  if (!isAllowed)
    expectResponse(
      exchange,
      isOwn ? { status: 403, error: SERVICE_TEXTS.forbidden } : rejection(created, caller),
    )
  else if (hasReferences) expectResponse(exchange, { status: 400, error: /^Unknown / })
  else {
    expectResponse(exchange, { status: 201 })
    const user = context.test.asCreator(resource, as)
    context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  }
  return created
}

async function checkWriting(
  context: CheckContext,
  created: CreatedEntity,
  caller: Caller,
  operation: 'update' | 'patch' | 'delete',
): Promise<CreatedEntity> {
  const { resource, id, values, user, parent } = created
  const path = context.pathOf(created)
  const exchange = await context.send({ ...writeRequest(operation, values), path, as: caller.user })
  if (!caller.writes) {
    expectResponse(exchange, rejection(created, caller))
    await expectStored(context, created, values, user)
    return created
  }
  if (operation !== 'delete') {
    expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
    return created
  }
  expectResponse(exchange, { status: 200, body: {} })
  context.untrack(created)
  return context.create(resource, parent === undefined ? { user } : { user, parent })
}
