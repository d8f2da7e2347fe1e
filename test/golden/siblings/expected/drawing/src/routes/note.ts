import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateNote, NoteRequest, UpdateNote } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { requireReferences, unknownReference } from '../references.ts'
import { siblings } from '../siblings.ts'
import { parse, present } from '../wire/note.ts'

/** The endpoints of Note. */
export function addNoteRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.note
  const statements = context.statements.note

  api.post('/drawing/:parentId/note', (c) => create(c))
  api.get('/drawing/:parentId/note/:id', (c) => read(c))
  api.put('/drawing/:parentId/note/:id', (c) => update(c))
  api.delete('/drawing/:parentId/note/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireWritable(parentId, caller)
    const edgeEntries = siblings('Edge', context.statements.edge.read, parentId)
    await requireReferences([{ to: edgeEntries, id: request.about }], caller)
    const id = v7()
    const input: CreateNote = {
      id,
      parentId,
      ...request,
      node: '00000000-0000-0000-0000-000000000000',
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.createOwn
      .execute({ ...input, id, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId, input, request))
    if (created === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Drawing', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/drawing/${input.parentId}/note/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.parentId)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.read.execute({ id: input.id, _parent: input.parentId })
    if (found === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Note', input.id)
    }
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireWritable(parentId, caller)
    const [current] = await statements.read.execute({ id, _parent: parentId })
    if (current === undefined) throw notFound('Note', id)
    const edgeEntries = siblings('Edge', context.statements.edge.read, parentId)
    await requireReferences([{ to: edgeEntries, id: request.about, stored: current.about }], caller)
    const input: UpdateNote = {
      id,
      parentId,
      ...request,
      node: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({ ...input, node: input.node ?? null, _parent: input.parentId, _caller: caller.id })
      .catch((error: unknown) => refuse(error, input.parentId, input, request))
    if (updated === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Note', input.id)
    }
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeDelete.length > 0) {
      await access.requireWritable(input.parentId, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn.execute({
      id: input.id,
      _parent: input.parentId,
      _caller: caller.id,
    })
    if (deleted === undefined) {
      await access.requireWritable(input.parentId, caller)
      throw notFound('Note', input.id)
    }
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string, input: Partial<NoteRequest>, request: NoteRequest): never {
  const failure = classify(error)
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'note___parent__fkey') {
    throw notFound('Drawing', parentId)
  }
  // A sibling went meanwhile; one that a hook chose is the hook's mistake.
  const siblings = [
    {
      key: 'note__about__fkey',
      name: 'Edge',
      stored: input.about,
      sent: request.about,
    },
  ]
  const gone = siblings.find(({ key, stored, sent }) => key === constraint && stored === sent)
  if (gone !== undefined) throw unknownReference(gone.name, gone.sent)
  throw error
}
