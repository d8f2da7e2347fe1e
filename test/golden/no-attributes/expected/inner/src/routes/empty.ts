import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readOptionalBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateEmpty, Empty, EmptyRequest, UpdateEmpty } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { present } from '../wire/empty.ts'

/** The endpoints of Empty. */
export function addEmptyRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.empty
  const statements = context.statements.empty

  api.on(['PUT', 'DELETE'], '/inner/:parentId/empty/all', refuseMethod)
  api.get('/inner/:parentId/empty/:id/all', (c) => list(c))
  api.get('/inner/:parentId/empty/all', (c) => list(c))
  api.post('/inner/:parentId/empty', (c) => create(c))
  api.get('/inner/:parentId/empty/:id', (c) => read(c))
  api.put('/inner/:parentId/empty/:id', (c) => update(c))
  api.delete('/inner/:parentId/empty/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    await readOptionalBody(c, env.config.maxBodyBytes)
    const request: EmptyRequest = {}
    if (hooks.beforeCreate.length > 0) await access.requireOwn(parentId, caller)
    const id = v7()
    const input: CreateEmpty = {
      id,
      parentId,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Inner', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/inner/${input.parentId}/empty/${id}`
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
      throw notFound('Empty', input.id)
    }
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    await readOptionalBody(c, env.config.maxBodyBytes)
    const request: EmptyRequest = {}
    if (hooks.beforeUpdate.length > 0) await access.requireOwn(parentId, caller)
    const input: UpdateEmpty = {
      id,
      parentId,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Empty', input.id)
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
      throw notFound('Empty', input.id)
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
    const source: ListSource<Empty> = {
      key: 'EmptyList',
      path: `/api/inner/${input.parentId}/empty/all`,
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
    return answer(200, { EmptyList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'empty___parent__fkey') {
    throw notFound('Inner', parentId)
  }
  throw error
}
