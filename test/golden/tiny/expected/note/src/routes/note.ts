import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import { type CreateNote, NoteRequest, publicNote, type UpdateNote } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Note. */
export function noteRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<NoteRequest>) {
    let request: NoteRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, undefined)
      request = await complete(NoteRequest, sent, () => datastore.readNote(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateNote = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, undefined)
      const updated = await env.datastore.updateNote(input)
      if (updated === undefined) throw notFound('Note', input.id)
      await hooks.afterUpdate.run(env, updated, undefined)
      return updated
    })
    return publicNote(updated)
  }

  return new Hono<ApiEnv>()
    .post('/note', body(NoteRequest), async (c) => {
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateNote = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, undefined)
        const created = await env.datastore.createNote(input)
        await hooks.afterCreate.run(env, created, undefined)
        return created
      })
      return c.json(publicNote(created), 201, { Location: `/api/note/${created.id}` })
    })
    .get('/note/:id', ids('id'), async (c) => {
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, undefined)
      await hooks.beforeRead.run(env, input, undefined)
      const found = await datastore.readNote(input)
      if (found === undefined) throw notFound('Note', input.id)
      await hooks.afterRead.run(env, found, undefined)
      return c.json(publicNote(found))
    })
    .put('/note/:id', ids('id'), body(NoteRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .patch('/note/:id', ids('id'), patch(NoteRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .delete('/note/:id', ids('id'), async (c) => {
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, undefined)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, undefined)
        const deleted = await env.datastore.deleteNote(input)
        if (deleted === undefined) throw notFound('Note', input.id)
        await hooks.afterDelete.run(env, deleted, undefined)
      })
      return c.json({})
    })
}
