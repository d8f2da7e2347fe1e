import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateSeat, Seat, UpdateSeat } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { requireReferences } from '../references.ts'
import { parse, present } from '../wire/seat.ts'

/** The endpoints of Seat. */
export function addSeatRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.seat
  const statements = context.statements.seat

  api.on(['PUT', 'DELETE'], '/train/:parentId/seat/all', refuseMethod)
  api.get('/train/:parentId/seat/:id/all', (c) => list(c))
  api.get('/train/:parentId/seat/all', (c) => list(c))
  api.post('/train/:parentId/seat', (c) => create(c))
  api.get('/train/:parentId/seat/:id', (c) => read(c))
  api.put('/train/:parentId/seat/:id', (c) => update(c))
  api.delete('/train/:parentId/seat/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(parentId, caller)
    await requireReferences(
      [
        { to: env.comm.traveller, id: request.taker },
        { to: access, id: request.connection },
      ],
      caller,
    )
    const id = v7()
    const input: CreateSeat = {
      id,
      parentId,
      ...request,
      through: '00000000-0000-0000-0000-000000000000',
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Train', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/train/${input.parentId}/seat/${id}`
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
      throw notFound('Seat', input.id)
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
    if (current === undefined) throw notFound('Seat', id)
    await requireReferences(
      [
        { to: env.comm.traveller, id: request.taker, stored: current.taker },
        { to: access, id: request.connection, stored: current.connection },
      ],
      caller,
    )
    const input: UpdateSeat = {
      id,
      parentId,
      ...request,
      through: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, through: input.through ?? null, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireOwn(input.parentId, caller)
      throw notFound('Seat', input.id)
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
      throw notFound('Seat', input.id)
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
    const source: ListSource<Seat> = {
      key: 'SeatList',
      path: `/api/train/${input.parentId}/seat/all`,
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
    return answer(200, { SeatList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Seat')
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'seat___parent__fkey') {
    throw notFound('Train', parentId)
  }
  throw error
}
