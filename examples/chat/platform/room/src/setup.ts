import { HookError, type Env, type Router } from './hooks.ts'
import type { Caller } from './identity.ts'

/** Hooks and further routes of Room. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate((_env, _request, input, caller) => {
    input.openedBy = caller.id
  })

  // Everybody may write in a room, so the room itself is guarded here.
  env.hooks.beforeUpdate((env, _request, input, caller) => onlyOpener(env, input.id, caller))
  env.hooks.beforeDelete((env, input, caller) => onlyOpener(env, input.id, caller))

  env.hooks.message.beforeCreate((_env, _request, input, caller) => {
    input.author = caller.id
    input.sentAt = new Date().toISOString()
  })
  env.hooks.message.beforeUpdate((env, _request, input, caller) => onlyAuthor(env, input, caller))
  env.hooks.message.beforeDelete((env, input, caller) => onlyAuthor(env, input, caller))

  // GET /api/room/{id}/latest: the last thing said, from a query of our own in datastore.ts.
  router.get('/room/:id/latest', async (c) => {
    const room = await env.datastore.readRoom({ id: c.req.param('id') })
    if (room === undefined) return c.var.fail(404, 'No such room')
    const latest = await env.datastore.latestMessage(room.id)
    return latest === undefined ? c.var.fail(404, 'Nobody has said anything yet') : c.json(latest)
  })
}

async function onlyOpener(env: Env, id: string, caller: Caller): Promise<void> {
  const room = await env.datastore.readRoom({ id })
  if (room !== undefined && room.openedBy !== caller.id) throw new HookError(403, 'This room is not yours')
}

async function onlyAuthor(env: Env, input: { id: string; parentId: string }, caller: Caller): Promise<void> {
  const message = await env.datastore.readMessage(input)
  if (message !== undefined && message.author !== caller.id)
    throw new HookError(403, 'Somebody else said that')
}
