import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateInner, InnerRequest, publicInner, type UpdateInner } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Inner. */
export function innerRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<InnerRequest>, caller: Caller) {
    let request: InnerRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(InnerRequest, sent, () => datastore.readInner(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateInner = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateInner(input)
      if (updated === undefined) throw notFound('Inner', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicInner(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/inner', body(InnerRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateInner = {
          id: randomUUIDv7(),
          ...request,
          count: 0,
          seen: '0001-01-01T00:00:00Z',
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createInner(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicInner(created), 201, { Location: `/api/inner/${created.id}` })
    })
    .get('/inner/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readInner(input)
      if (found === undefined) throw notFound('Inner', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicInner(found))
    })
    .put('/inner/:id', ids('id'), body(InnerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/inner/:id', ids('id'), patch(InnerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/inner/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteInner(input)
        if (deleted === undefined) throw notFound('Inner', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
