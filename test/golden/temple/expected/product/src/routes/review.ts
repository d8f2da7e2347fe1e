import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateReview, Review, UpdateReview } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse, present } from '../wire/review.ts'

/** The endpoints of Review. */
export function addReviewRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.review
  const statements = context.statements.review

  api.on(['PUT', 'DELETE'], '/product/:parentId/review/all', refuseMethod)
  api.get('/product/:parentId/review/:id/all', (c) => list(c))
  api.get('/product/:parentId/review/all', (c) => list(c))
  api.post('/product/:parentId/review', (c) => create(c))
  api.get('/product/:parentId/review/:id', (c) => read(c))
  api.put('/product/:parentId/review/:id', (c) => update(c))
  api.delete('/product/:parentId/review/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeCreate.length > 0) await access.requireWritable(parentId, caller)
    const id = v7()
    const input: CreateReview = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Product', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/product/${input.parentId}/review/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.parentId)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.read.execute({ id: input.id, _parent: input.parentId })
    if (found === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Review', input.id)
    }
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireWritable(parentId, caller)
    const input: UpdateReview = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Review', input.id)
    }
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeDelete.length > 0) {
      await access.requireWritable(input.parentId, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn.execute({
      id: input.id,
      _parent: input.parentId,
      _caller: caller.id,
    })
    if (deleted === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Review', input.id)
    }
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    // The form of the path with an id takes any, to no effect.
    pathId(c.req.param('id') ?? parentId)
    await access.requireExisting(parentId)
    const input = { ...readPage(c), parentId }
    await runHooks(hooks.beforeList, env, input, caller)
    if (input.parentId !== parentId) await access.requireExisting(input.parentId)
    const source: ListSource<Review> = {
      key: 'ReviewList',
      path: `/api/product/${input.parentId}/review/all`,
      batch: (after, limit) => statements.batch.execute({ after, limit, _parent: input.parentId }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _parent: input.parentId }),
      present,
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { ReviewList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'review___parent__fkey') {
    throw notFound('Product', parentId)
  }
  throw error
}
