import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readOptionalBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateInner, InnerRequest, UpdateInner } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { present } from '../wire/inner.ts'

/** The endpoints of Inner. */
export function addInnerRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.inner
  const statements = context.statements.inner

  api.post('/inner', (c) => create(c))
  api.get('/inner/:id', (c) => read(c))
  api.put('/inner/:id', (c) => update(c))
  api.delete('/inner/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    await readOptionalBody(c, env.config.maxBodyBytes)
    const request: InnerRequest = {}
    const id = v7()
    const input: CreateInner = {
      id,
      count: 0,
      seen: '0001-01-01T00:00:00Z',
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/inner/${id}`
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
    if (found === undefined) throw notFound('Inner', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    await readOptionalBody(c, env.config.maxBodyBytes)
    const request: InnerRequest = {}
    if (hooks.beforeUpdate.length > 0) await access.requireOwn(id, caller)
    const input: UpdateInner = {
      id,
      count: undefined,
      seen: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn.execute({
      ...input,
      count: input.count ?? null,
      seen: input.seen ?? null,
      _caller: caller.id,
    })
    if (updated === undefined) throw notFound('Inner', input.id)
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
    if (deleted === undefined) throw notFound('Inner', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }
}
