import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateDrawer, DrawerRequest, publicDrawer, type UpdateDrawer } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Drawer. */
export function drawerRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<DrawerRequest>, caller: Caller) {
    let request: DrawerRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(DrawerRequest, sent, () => datastore.readDrawer(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateDrawer = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateDrawer(input)
      if (updated === undefined) throw notFound('Drawer', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicDrawer(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/drawer/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfDrawer(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'DrawerList', list, publicDrawer)
    })
    .all('/drawer/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/drawer', body(DrawerRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateDrawer = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createDrawer(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicDrawer(created), 201, { Location: `/api/drawer/${created.id}` })
    })
    .get('/drawer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readDrawer(input)
      if (found === undefined) throw notFound('Drawer', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicDrawer(found))
    })
    .put('/drawer/:id', ids('id'), body(DrawerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/drawer/:id', ids('id'), patch(DrawerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/drawer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteDrawer(input)
        if (deleted === undefined) throw notFound('Drawer', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
