import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { BoardRequest, type CreateBoard, publicBoard, type UpdateBoard } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Board. */
export function boardRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<BoardRequest>, caller: Caller) {
    let request: BoardRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(BoardRequest, sent, () => datastore.readBoard(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateBoard = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.updateBoard(input)
      if (updated === undefined) throw notFound('Board', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicBoard(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/board/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.batchesOfBoard(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'BoardList', list, publicBoard)
    })
    .all('/board/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/board', body(BoardRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateBoard = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createBoard(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicBoard(created), 201, { Location: `/api/board/${created.id}` })
    })
    .get('/board/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readBoard(input)
      if (found === undefined) throw notFound('Board', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicBoard(found))
    })
    .put('/board/:id', ids('id'), body(BoardRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/board/:id', ids('id'), patch(BoardRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/board/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteBoard(input)
        if (deleted === undefined) throw notFound('Board', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
