import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import { requireRole } from '#lib/roles.ts'
import type { Caller } from '#lib/tokens.ts'
import { hasChanged, isNotModified, requireMatch, tagOf, type Versions } from '#lib/versions.ts'
import { type CreateNotice, NoticeRequest, publicNotice, type UpdateNotice } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Notice. */
export function noticeRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(
    lookup: { id: string },
    sent: Partial<NoticeRequest>,
    caller: Caller,
    versions: Versions,
  ) {
    let request: NoticeRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(NoticeRequest, sent, () => datastore.readNotice(lookup))
    } else if (Object.keys(sent).length === 0) await access.requireWritable(lookup.id, caller)
    return withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateNotice = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateNotice(input, versions)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        if (versions !== undefined) throw hasChanged('Notice')
        throw notFound('Notice', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/notice/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfNotice(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'NoticeList', list, publicNotice)
    })
    .all('/notice/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/notice', body(NoticeRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      requireRole(caller, 'organizer')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateNotice = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createNotice(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicNotice(created), 201, { Location: `/api/notice/${created.id}`, ...tagOf(created) })
    })
    .get('/notice/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readNotice(input)
      if (found === undefined) throw notFound('Notice', input.id)
      await hooks.afterRead.run(env, found, caller)
      if (isNotModified(c, found)) return c.body(null, 304, tagOf(found))
      return c.json(publicNotice(found), 200, tagOf(found))
    })
    .put('/notice/:id', ids('id'), body(NoticeRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, requireMatch(c))
      return c.json(publicNotice(updated), 200, tagOf(updated))
    })
    .patch('/notice/:id', ids('id'), patch(NoticeRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, requireMatch(c))
      return c.json(publicNotice(updated), 200, tagOf(updated))
    })
    .delete('/notice/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const versions = requireMatch(c)
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteNotice(input, versions)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          if (versions !== undefined) throw hasChanged('Notice')
          throw notFound('Notice', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
