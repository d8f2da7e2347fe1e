import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateNote, UpdateNote } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { parse } from '../wire/note.ts'

/** The endpoints of Note. */
export function addNoteRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.note
  const statements = context.statements.note

  api.post('/note', (c) => create(c))
  api.get('/note/:id', (c) => read(c))
  api.put('/note/:id', (c) => update(c))
  api.delete('/note/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = v7()
    const input: CreateNote = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, undefined)
    const [created] = await statements.create.execute({ ...input, id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, undefined)
    const location = `/api/note/${id}`
    return answer(201, created, { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeRead, env, input, undefined)
    }
    const [found] = await statements.read.execute({ id: input.id })
    if (found === undefined) throw notFound('Note', input.id)
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireExisting(id)
    const input: UpdateNote = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, undefined)
    const [updated] = await statements.update.execute({ ...input })
    if (updated === undefined) throw notFound('Note', input.id)
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
    if (deleted === undefined) throw notFound('Note', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, undefined)
    return answer(200, {})
  }
}
