import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { listQuery } from '#lib/filters.ts'
import { withHooks } from '#lib/hooks.ts'
import { withKey } from '#lib/idempotency.ts'
import { afterList, listResponse } from '#lib/lists.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { NIL_UUID } from '#lib/values.ts'
import {
  BookingQuery,
  BookingRequest,
  type CreateBooking,
  publicBooking,
  type UpdateBooking,
} from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Booking. */
export function bookingRoutes(env: Env) {
  const { comm, datastore, access, log, hooks } = env
  const ownEntities = {
    ...access,
    name: 'Booking',
  }

  async function update(lookup: { id: string }, sent: Partial<BookingRequest>, caller: Caller) {
    await access.requireWritable(lookup.id, caller)
    const stored = await datastore.readBooking(lookup)
    if (stored === undefined) throw notFound('Booking', lookup.id)
    const request: BookingRequest = await complete(BookingRequest, sent, () => stored)
    await requireReferences(
      [
        { to: comm.hall, id: request.hall, stored: stored.hall },
        { to: comm.visitor, id: request.guest, stored: stored.guest },
        { to: ownEntities, id: request.instead, stored: stored.instead },
      ],
      caller,
    )
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateBooking = { ...lookup, ...sent }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateBooking(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('Booking', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicBooking(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/booking/all', listQuery(BookingQuery), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfBooking(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'BookingList', list, publicBooking)
    })
    .all('/booking/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/booking', body(BookingRequest), async (c) => {
      return withKey(c, env, async (env) => {
        const { caller } = c.var
        const request = c.req.valid('json')
        await requireReferences(
          [
            { to: comm.hall, id: request.hall },
            { to: comm.visitor, id: request.guest },
            { to: ownEntities, id: request.instead },
          ],
          caller,
        )
        const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
          const input: CreateBooking = {
            id: randomUUIDv7(),
            ...request,
            follows: NIL_UUID,
            confirmed: false,
          }
          await hooks.beforeCreate.run(env, request, input, caller)
          const created = await env.datastore.createBooking(input, caller)
          await hooks.afterCreate.run(env, created, caller)
          return created
        })
        return c.json(publicBooking(created), 201, { Location: `/api/booking/${created.id}` })
      })
    })
    .get('/booking/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readBooking(input)
      if (found === undefined) throw notFound('Booking', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicBooking(found))
    })
    .put('/booking/:id', ids('id'), body(BookingRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/booking/:id', ids('id'), patch(BookingRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/booking/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteBooking(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Booking', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
