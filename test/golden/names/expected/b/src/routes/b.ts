import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateB, UpdateB } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { requireReferences } from '../references.ts'
import { parse } from '../wire/b.ts'

/** The endpoints of B. */
export function addBRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.b
  const statements = context.statements.b

  api.post('/b', (c) => create(c))
  api.get('/b/:id', (c) => read(c))
  api.put('/b/:id', (c) => update(c))
  api.delete('/b/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await requireReferences([{ to: env.comm.httpProxy2, id: request.proxy }], undefined)
    const id = v7()
    const input: CreateB = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, undefined)
    const [created] = await statements.create.execute({ ...input, id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, undefined)
    const location = `/api/b/${id}`
    return answer(201, created, { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeRead, env, input, undefined)
    }
    const [found] = await statements.read.execute({ id: input.id })
    if (found === undefined) throw notFound('B', input.id)
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireExisting(id)
    const [current] = await statements.read.execute({ id })
    if (current === undefined) throw notFound('B', id)
    await requireReferences(
      [{ to: env.comm.httpProxy2, id: request.proxy, stored: current.proxy }],
      undefined,
    )
    const input: UpdateB = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, undefined)
    const [updated] = await statements.update.execute({ ...input })
    if (updated === undefined) throw notFound('B', input.id)
    await runHooks(hooks.afterUpdate, env, updated, undefined)
    return answer(200, updated)
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeDelete, env, input, undefined)
    }
    const [deleted] = await statements.delete.execute({ id: input.id })
    if (deleted === undefined) throw notFound('B', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, undefined)
    return answer(200, {})
  }
}
