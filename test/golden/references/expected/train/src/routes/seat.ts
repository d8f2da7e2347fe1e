import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { NIL_UUID } from '#lib/values.ts'
import { type CreateSeat, publicSeat, SeatRequest, type UpdateSeat } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Seat. */
export function seatRoutes(env: Env) {
  const { comm, datastore, access, log } = env
  const hooks = env.hooks.seat
  const ownEntities = {
    ...access,
    name: 'Train',
  }

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<SeatRequest>,
    caller: Caller,
  ) {
    await access.requireWritable(lookup.parentId, caller)
    const stored = await datastore.readSeat(lookup)
    if (stored === undefined) throw notFound('Seat', lookup.id)
    const request: SeatRequest = await complete(SeatRequest, sent, () => stored)
    await requireReferences(
      [
        { to: comm.traveller, id: request.taker, stored: stored.taker },
        { to: ownEntities, id: request.connection, stored: stored.connection },
      ],
      caller,
    )
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateSeat = { ...lookup, ...sent }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateSeat(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        throw notFound('Seat', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicSeat(updated)
  }

  const all = new Hono<ApiEnv & { Variables: { caller: Caller } }>().get(
    '/',
    ids('parentId', 'id'),
    page,
    async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const input = { ...c.req.valid('query'), parentId }
      await access.requireReadable(parentId, caller)
      await hooks.beforeList.run(env, input, caller)
      if (input.parentId !== parentId) await access.requireReadable(input.parentId, caller)
      const found = await datastore.batchesOfSeat(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'SeatList', list, publicSeat)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/train/:parentId/seat/:id/all', all)
    .route('/train/:parentId/seat/all', all)
    .all('/train/:parentId/seat/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/train/:parentId/seat', ids('parentId'), body(SeatRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      await access.requireWritable(parentId, caller)
      await requireReferences(
        [
          { to: comm.traveller, id: request.taker },
          { to: ownEntities, id: request.connection },
        ],
        caller,
      )
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateSeat = {
          id: randomUUIDv7(),
          parentId,
          ...request,
          through: NIL_UUID,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createSeat(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Train', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicSeat(created), 201, {
        Location: `/api/train/${created.parentId}/seat/${created.id}`,
      })
    })
    .get('/train/:parentId/seat/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readSeat(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Seat', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicSeat(found))
    })
    .put('/train/:parentId/seat/:id', ids('parentId', 'id'), body(SeatRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/train/:parentId/seat/:id', ids('parentId', 'id'), patch(SeatRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/train/:parentId/seat/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteSeat(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Seat', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
