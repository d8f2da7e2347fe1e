import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateEvery, Every, UpdateEvery } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse, present } from '../wire/every.ts'

/** The endpoints of Every. */
export function addEveryRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.every
  const statements = context.statements.every

  api.on(['PUT', 'DELETE'], '/every/all', refuseMethod)
  api.get('/every/all', (c) => list(c))
  api.post('/every', (c) => create(c))
  api.get('/every/:id', (c) => read(c))
  api.put('/every/:id', (c) => update(c))
  api.delete('/every/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = v7()
    const input: CreateEvery = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, undefined)
    const [created] = await statements.create.execute({ ...input, id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, undefined)
    const location = `/api/every/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeRead, env, input, undefined)
    }
    const [found] = await statements.read.execute({ id: input.id })
    if (found === undefined) throw notFound('Every', input.id)
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireExisting(id)
    const input: UpdateEvery = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, undefined)
    const [updated] = await statements.update.execute({ ...input })
    if (updated === undefined) throw notFound('Every', input.id)
    await runHooks(hooks.afterUpdate, env, updated, undefined)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeDelete, env, input, undefined)
    }
    const [deleted] = await statements.delete.execute({ id: input.id })
    if (deleted === undefined) throw notFound('Every', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, undefined)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, undefined)
    const source: ListSource<Every> = {
      key: 'EveryList',
      path: '/api/every/all',
      batch: (after, limit) => statements.batch.execute({ after, limit }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset }),
      present,
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, undefined)
    return answer(200, { EveryList: entities.map(present) }, headers)
  }
}
