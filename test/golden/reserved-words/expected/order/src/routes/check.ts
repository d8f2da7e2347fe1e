import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { Check, CheckRequest, CreateCheck, UpdateCheck } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { requireReferences, unknownReference } from '../references.ts'
import { siblings } from '../siblings.ts'
import { parse, present } from '../wire/check.ts'

/** The endpoints of Check. */
export function addCheckRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.check
  const statements = context.statements.check

  api.on(['PUT', 'DELETE'], '/order/:parentId/check/all', refuseMethod)
  api.get('/order/:parentId/check/:id/all', (c) => list(c))
  api.get('/order/:parentId/check/all', (c) => list(c))
  api.post('/order/:parentId/check', (c) => create(c))
  api.get('/order/:parentId/check/:id', (c) => read(c))
  api.put('/order/:parentId/check/:id', (c) => update(c))
  api.delete('/order/:parentId/check/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(parentId, caller)
    const groupEntries = siblings('Group', context.statements.group.read, parentId)
    await requireReferences([{ to: groupEntries, id: request.group }], caller)
    const id = v7()
    const input: CreateCheck = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId, input, request))
    if (created === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Order', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/order/${input.parentId}/check/${id}`
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
      throw notFound('Check', input.id)
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
    if (current === undefined) throw notFound('Check', id)
    const groupEntries = siblings('Group', context.statements.group.read, parentId)
    await requireReferences([{ to: groupEntries, id: request.group, stored: current.group }], caller)
    const input: UpdateCheck = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId, input, request))
    if (updated === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Check', input.id)
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
    const [deleted] = await statements.deleteOwn.execute({
      id: input.id,
      _parent: input.parentId,
      _caller: caller.id,
    })
    if (deleted === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Check', input.id)
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
    const source: ListSource<Check> = {
      key: 'CheckList',
      path: `/api/order/${input.parentId}/check/all`,
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
    return answer(200, { CheckList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(
  error: unknown,
  parentId: string,
  input: Partial<CheckRequest>,
  request: CheckRequest,
): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Check')
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'check___parent__fkey') {
    throw notFound('Order', parentId)
  }
  // A sibling went meanwhile; one that a hook chose is the hook's mistake.
  const siblings = [
    {
      key: 'check__group__fkey',
      name: 'Group',
      stored: input.group,
      sent: request.group,
    },
  ]
  const gone = siblings.find(({ key, stored, sent }) => key === constraint && stored === sent)
  if (gone !== undefined) throw unknownReference(gone.name, gone.sent)
  throw error
}
