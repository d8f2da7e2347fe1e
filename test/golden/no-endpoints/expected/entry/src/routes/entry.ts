import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateEntry, UpdateEntry } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { requireReferences } from '../references.ts'
import { parse } from '../wire/entry.ts'

/** The endpoints of Entry. */
export function addEntryRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.entry
  const statements = context.statements.entry

  api.post('/entry', (c) => create(c))
  api.get('/entry/:id', (c) => read(c))
  api.put('/entry/:id', (c) => update(c))
  api.delete('/entry/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await requireReferences([{ to: env.comm.topic, id: request.topic }], caller)
    const id = v7()
    const input: CreateEntry = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/entry/${id}`
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
    if (found === undefined) throw notFound('Entry', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(id, caller)
    const [current] = await statements.read.execute({ id })
    if (current === undefined) throw notFound('Entry', id)
    await requireReferences([{ to: env.comm.topic, id: request.topic, stored: current.topic }], caller)
    const input: UpdateEntry = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn.execute({ ...input, _caller: caller.id })
    if (updated === undefined) throw notFound('Entry', input.id)
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
    if (deleted === undefined) throw notFound('Entry', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }
}
