import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateEntry, EntryRequest, publicEntry, type UpdateEntry } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Entry. */
export function entryRoutes(env: Env) {
  const { comm, datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<EntryRequest>, caller: Caller) {
    await access.requireWritable(lookup.id, caller)
    const stored = await datastore.readEntry(lookup)
    if (stored === undefined) throw notFound('Entry', lookup.id)
    const request: EntryRequest = await complete(EntryRequest, sent, () => stored)
    await requireReferences([{ to: comm.topic, id: request.topic, stored: stored.topic }], caller)
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateEntry = { ...lookup, ...sent }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateEntry(input)
      if (updated === undefined) throw notFound('Entry', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicEntry(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/entry', body(EntryRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      await requireReferences([{ to: comm.topic, id: request.topic }], caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateEntry = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createEntry(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicEntry(created), 201, { Location: `/api/entry/${created.id}` })
    })
    .get('/entry/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readEntry(input)
      if (found === undefined) throw notFound('Entry', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicEntry(found))
    })
    .put('/entry/:id', ids('id'), body(EntryRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/entry/:id', ids('id'), patch(EntryRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/entry/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteEntry(input)
        if (deleted === undefined) throw notFound('Entry', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
