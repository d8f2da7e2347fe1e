import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import {
  type CreateVisitor,
  publicVisitor,
  type UpdateVisitor,
  type UpdateVisitorRequest,
  VisitorRequest,
} from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Visitor. */
export function visitorRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<VisitorRequest>, caller: Caller) {
    const { pin: _pin, ...attributes } = sent
    let request: UpdateVisitorRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(VisitorRequest, sent, () => datastore.readVisitor(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateVisitor = { ...lookup, ...attributes }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateVisitor(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('Visitor', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicVisitor(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/visitor', body(VisitorRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const { pin: _pin, ...attributes } = request
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateVisitor = {
          id: caller.id,
          ...attributes,
          tickets: 0,
          pinHash: Buffer.alloc(0),
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createVisitor(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicVisitor(created), 201, { Location: `/api/visitor/${created.id}` })
    })
    .get('/visitor/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readVisitor(input)
      if (found === undefined) throw notFound('Visitor', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicVisitor(found))
    })
    .put('/visitor/:id', ids('id'), body(VisitorRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/visitor/:id', ids('id'), patch(VisitorRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/visitor/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteVisitor(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Visitor', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
