import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateSoul, publicSoul, SoulRequest, type UpdateSoul } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Soul. */
export function soulRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<SoulRequest>, caller: Caller) {
    let request: SoulRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(SoulRequest, sent, () => datastore.readSoul(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateSoul = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateSoul(input)
      if (updated === undefined) throw notFound('Soul', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicSoul(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/soul', body(SoulRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateSoul = {
          id: caller.id,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createSoul(caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicSoul(created), 201, { Location: `/api/soul/${created.id}` })
    })
    .get('/soul/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readSoul(input)
      if (found === undefined) throw notFound('Soul', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicSoul(found))
    })
    .put('/soul/:id', ids('id'), body(SoulRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/soul/:id', ids('id'), patch(SoulRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/soul/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteSoul(input)
        if (deleted === undefined) throw notFound('Soul', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
    .get('/soul', async (c) => {
      const { caller } = c.var
      const input = { id: caller.id }
      await hooks.beforeIdentify.run(env, input, caller)
      const found = await datastore.as(caller).readSoul(input)
      if (found?.id !== caller.id) throw notFound('Soul', caller.id)
      await hooks.afterIdentify.run(env, found, caller)
      return c.redirect(`/api/soul/${found.id}`)
    })
}
