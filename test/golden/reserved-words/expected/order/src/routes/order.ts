import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateOrder, Order, UpdateOrder } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { requireReferences } from '../references.ts'
import { parse, present } from '../wire/order.ts'

/** The endpoints of Order. */
export function addOrderRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.order
  const statements = context.statements.order

  api.on(['PUT', 'DELETE'], '/order/all', refuseMethod)
  api.get('/order/all', (c) => list(c))
  api.post('/order', (c) => create(c))
  api.get('/order/:id', (c) => read(c))
  api.put('/order/:id', (c) => update(c))
  api.delete('/order/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await requireReferences([{ to: env.comm.user, id: request.user }], caller)
    const id = v7()
    const input: CreateOrder = {
      id,
      select: request.select,
      from: request.from,
      where: request.where,
      table: request.table,
      user: request.user,
      primary: request.primary,
      constraint: request.constraint,
      references: request.references,
      class: request.class,
      delete: request.delete,
      await: request.await,
      enum: request.enum,
      interface: request.interface,
      constructor: request.constructor,
      prototype: request.prototype,
      hasOwnProperty: request.hasOwnProperty,
      toString: request.toString,
      valueOf: request.valueOf,
      toJSON: request.toJSON,
      then: request.then,
      owner: request.owner,
      parent: request.parent,
      input: request.input,
      request: request.request,
      env: request.env,
      caller: request.caller,
      string: request.string,
      int: request.int,
      project: request.project,
      service: request.service,
      struct: request.struct,
      error: request.error,
      limit: request.limit,
      after: request.after,
      function: '',
      default: '',
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id }).catch(refuse)
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/order/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    if (found === undefined) throw notFound('Order', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(id, caller)
    const [current] = await statements.read.execute({ id })
    if (current === undefined) throw notFound('Order', id)
    await requireReferences([{ to: env.comm.user, id: request.user, stored: current.user }], caller)
    const input: UpdateOrder = {
      id,
      select: request.select,
      from: request.from,
      where: request.where,
      table: request.table,
      user: request.user,
      primary: request.primary,
      constraint: request.constraint,
      references: request.references,
      class: request.class,
      delete: request.delete,
      await: request.await,
      enum: request.enum,
      interface: request.interface,
      constructor: request.constructor,
      prototype: request.prototype,
      hasOwnProperty: request.hasOwnProperty,
      toString: request.toString,
      valueOf: request.valueOf,
      toJSON: request.toJSON,
      then: request.then,
      owner: request.owner,
      parent: request.parent,
      input: request.input,
      request: request.request,
      env: request.env,
      caller: request.caller,
      string: request.string,
      int: request.int,
      project: request.project,
      service: request.service,
      struct: request.struct,
      error: request.error,
      limit: request.limit,
      after: request.after,
      function: undefined,
      default: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({
        ...input,
        function: input.function ?? null,
        default: input.default ?? null,
        _caller: caller.id,
      })
      .catch(refuse)
    if (updated === undefined) throw notFound('Order', input.id)
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn.execute({ id: input.id, _caller: caller.id })
    if (deleted === undefined) throw notFound('Order', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, caller)
    const source: ListSource<Order> = {
      key: 'OrderList',
      path: '/api/order/all',
      batch: (after, limit) => statements.batch.execute({ after, limit, _caller: caller.id }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _caller: caller.id }),
      present,
      hidesBytes: true,
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { OrderList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Order')
  throw error
}
