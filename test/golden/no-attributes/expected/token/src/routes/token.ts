import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateToken, publicToken, TokenRequest, type UpdateToken } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Token. */
export function tokenRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<TokenRequest>, caller: Caller) {
    let request: TokenRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(TokenRequest, sent, () => datastore.readToken(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateToken = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateToken(input)
      if (updated === undefined) throw notFound('Token', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicToken(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/token/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfToken(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'TokenList', list, publicToken)
    })
    .all('/token/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/token', body(TokenRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateToken = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createToken(caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicToken(created), 201, { Location: `/api/token/${created.id}` })
    })
    .get('/token/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readToken(input)
      if (found === undefined) throw notFound('Token', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicToken(found))
    })
    .put('/token/:id', ids('id'), body(TokenRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/token/:id', ids('id'), patch(TokenRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/token/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteToken(input)
        if (deleted === undefined) throw notFound('Token', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
