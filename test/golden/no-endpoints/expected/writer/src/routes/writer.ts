import type { Context, Hono } from 'hono'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateWriter, UpdateWriter } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { redirectTo } from '../redirects.ts'
import { parse } from '../wire/writer.ts'

/** The endpoints of Writer. */
export function addWriterRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.writer
  const statements = context.statements.writer

  api.post('/writer', (c) => create(c))
  api.get('/writer/:id', (c) => read(c))
  api.put('/writer/:id', (c) => update(c))
  api.delete('/writer/:id', (c) => remove(c))
  api.get('/writer', (c) => identify(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = caller.id
    const input: CreateWriter = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id }).catch(refuse)
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/writer/${id}`
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
    if (found === undefined) throw notFound('Writer', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireOwn(id, caller)
    const input: UpdateWriter = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn.execute({ ...input, _caller: caller.id })
    if (updated === undefined) throw notFound('Writer', input.id)
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
    if (deleted === undefined) throw notFound('Writer', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }

  async function identify(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: caller.id }
    await runHooks(hooks.beforeIdentify, env, input, caller)
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    if (found === undefined) throw notFound('Writer', caller.id)
    await runHooks(hooks.afterIdentify, env, found, caller)
    return redirectTo(`/api/writer/${found.id}`)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Writer')
  throw error
}
