import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateSeal, Seal, UpdateSeal } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse, present } from '../wire/seal.ts'

/** The endpoints of Seal. */
export function addSealRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.seal
  const statements = context.statements.seal

  api.on(['PUT', 'DELETE'], '/item/:parentId/seal/all', refuseMethod)
  api.get('/item/:parentId/seal/:id/all', (c) => list(c))
  api.get('/item/:parentId/seal/all', (c) => list(c))
  api.post('/item/:parentId/seal', (c) => create(c))
  api.get('/item/:parentId/seal/:id', (c) => read(c))
  api.put('/item/:parentId/seal/:id', (c) => update(c))
  api.delete('/item/:parentId/seal/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeCreate.length > 0) await access.requireOwn(parentId, caller)
    const id = v7()
    const input: CreateSeal = {
      id,
      parentId,
      mark: '',
      hidden: 0,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Item', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/item/${input.parentId}/seal/${id}`
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
      throw notFound('Seal', input.id)
    }
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireOwn(parentId, caller)
    const input: UpdateSeal = {
      id,
      parentId,
      mark: undefined,
      hidden: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({
        ...input,
        mark: input.mark ?? null,
        hidden: input.hidden ?? null,
        _parent: input.parentId,
        _caller: caller.id,
      })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Seal', input.id)
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
      throw notFound('Seal', input.id)
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
    const source: ListSource<Seal> = {
      key: 'SealList',
      path: `/api/item/${input.parentId}/seal/all`,
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
    return answer(200, { SealList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Seal')
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'seal___parent__fkey') {
    throw notFound('Item', parentId)
  }
  throw error
}
