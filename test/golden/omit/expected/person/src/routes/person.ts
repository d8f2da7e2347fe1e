import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreatePerson, PersonRequest, publicPerson, type UpdatePerson } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Person. */
export function personRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<PersonRequest>, caller: Caller) {
    let request: PersonRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(PersonRequest, sent, () => datastore.readPerson(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdatePerson = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updatePerson(input)
      if (updated === undefined) throw notFound('Person', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicPerson(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/person', body(PersonRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreatePerson = {
          id: caller.id,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createPerson(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicPerson(created), 201, { Location: `/api/person/${created.id}` })
    })
    .get('/person/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readPerson(input)
      if (found === undefined) throw notFound('Person', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicPerson(found))
    })
    .put('/person/:id', ids('id'), body(PersonRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/person/:id', ids('id'), patch(PersonRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/person/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deletePerson(input)
        if (deleted === undefined) throw notFound('Person', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
