import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateWriter, publicWriter, type UpdateWriter, WriterRequest } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Writer. */
export function writerRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<WriterRequest>, caller: Caller) {
    let request: WriterRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(WriterRequest, sent, () => datastore.readWriter(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateWriter = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateWriter(input)
      if (updated === undefined) throw notFound('Writer', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicWriter(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/writer', body(WriterRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateWriter = {
          id: caller.id,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createWriter(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicWriter(created), 201, { Location: `/api/writer/${created.id}` })
    })
    .get('/writer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readWriter(input)
      if (found === undefined) throw notFound('Writer', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicWriter(found))
    })
    .put('/writer/:id', ids('id'), body(WriterRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/writer/:id', ids('id'), patch(WriterRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/writer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteWriter(input)
        if (deleted === undefined) throw notFound('Writer', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
    .get('/writer', async (c) => {
      const { caller } = c.var
      const input = { id: caller.id }
      await hooks.beforeIdentify.run(env, input, caller)
      const found = await datastore.as(caller).readWriter(input)
      if (found?.id !== caller.id) throw notFound('Writer', caller.id)
      await hooks.afterIdentify.run(env, found, caller)
      return c.redirect(`/api/writer/${found.id}`)
    })
}
