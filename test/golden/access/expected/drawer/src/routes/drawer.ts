import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateDrawer, Drawer, UpdateDrawer } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse } from '../wire/drawer.ts'

/** The endpoints of Drawer. */
export function addDrawerRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.drawer
  const statements = context.statements.drawer

  api.on(['PUT', 'DELETE'], '/drawer/all', refuseMethod)
  api.get('/drawer/all', (c) => list(c))
  api.post('/drawer', (c) => create(c))
  api.get('/drawer/:id', (c) => read(c))
  api.put('/drawer/:id', (c) => update(c))
  api.delete('/drawer/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = v7()
    const input: CreateDrawer = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/drawer/${id}`
    return answer(201, created, { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    if (found === undefined) throw notFound('Drawer', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireOwn(id, caller)
    const input: UpdateDrawer = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn.execute({ ...input, _caller: caller.id })
    if (updated === undefined) throw notFound('Drawer', input.id)
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, updated)
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn.execute({ id: input.id, _caller: caller.id })
    if (deleted === undefined) throw notFound('Drawer', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, caller)
    const source: ListSource<Drawer> = {
      key: 'DrawerList',
      path: '/api/drawer/all',
      batch: (after, limit) => statements.batch.execute({ after, limit, _caller: caller.id }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _caller: caller.id }),
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { DrawerList: entities }, headers)
  }
}
