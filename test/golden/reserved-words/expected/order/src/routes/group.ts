import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateGroup, Group, UpdateGroup } from '../entities.ts'
import { notFound, ServiceError } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { requireReferences } from '../references.ts'
import { parse, present } from '../wire/group.ts'

/** The endpoints of Group. */
export function addGroupRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.group
  const statements = context.statements.group

  api.on(['PUT', 'DELETE'], '/order/:parentId/group/all', refuseMethod)
  api.get('/order/:parentId/group/:id/all', (c) => list(c))
  api.get('/order/:parentId/group/all', (c) => list(c))
  api.post('/order/:parentId/group', (c) => create(c))
  api.get('/order/:parentId/group/:id', (c) => read(c))
  api.put('/order/:parentId/group/:id', (c) => update(c))
  api.delete('/order/:parentId/group/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(parentId, caller)
    await requireReferences([{ to: env.comm.user, id: request.user }], caller)
    const id = v7()
    const input: CreateGroup = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Order', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/order/${input.parentId}/group/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeRead.length > 0) {
      await access.requireOwn(input.parentId, caller)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.readOwn.execute({
      id: input.id,
      _parent: input.parentId,
      _caller: caller.id,
    })
    if (found === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Group', input.id)
    }
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(parentId, caller)
    const [current] = await statements.read.execute({ id, _parent: parentId })
    if (current === undefined) throw notFound('Group', id)
    await requireReferences([{ to: env.comm.user, id: request.user, stored: current.user }], caller)
    const input: UpdateGroup = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Group', input.id)
    }
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeDelete.length > 0) {
      await access.requireOwn(input.parentId, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn
      .execute({ id: input.id, _parent: input.parentId, _caller: caller.id })
      .catch(refuseDelete)
    if (deleted === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Group', input.id)
    }
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    // The form of the path with an id takes any, to no effect.
    pathId(c.req.param('id') ?? parentId)
    await access.requireOwn(parentId, caller)
    const input = { ...readPage(c), parentId }
    await runHooks(hooks.beforeList, env, input, caller)
    if (input.parentId !== parentId) await access.requireOwn(input.parentId, caller)
    const source: ListSource<Group> = {
      key: 'GroupList',
      path: `/api/order/${input.parentId}/group/all`,
      batch: (after, limit) =>
        statements.batch.execute({ after, limit, _parent: input.parentId, _caller: caller.id }),
      pageEnd: (after, offset) =>
        statements.pageEnd.execute({ after, offset, _parent: input.parentId, _caller: caller.id }),
      present,
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { GroupList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'group___parent__fkey') {
    throw notFound('Order', parentId)
  }
  throw error
}

/** An entry that a sibling refers to cannot be deleted. */
function refuseDelete(error: unknown): never {
  if (classify(error).kind !== 'foreignKey') throw error
  throw new ServiceError(409, 'Group is still referenced')
}
