import type { Caller } from '#lib/tokens.ts'
import { HookError, type Env, type Router } from './hooks.ts'

/** Hooks and custom routes of Room. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (env, _request, input, caller) => {
    await expectPerson(env, caller)
    input.openedBy = caller.id
  })

  // All users can write to rooms, so these hooks protect the room itself.
  env.hooks.beforeUpdate((env, _request, input, caller) => expectCreator(env, input.id, caller))
  env.hooks.beforeDelete((env, input, caller) => expectCreator(env, input.id, caller))

  env.hooks.message.beforeCreate(async (env, _request, input, caller) => {
    await expectPerson(env, caller)
    input.author = caller.id
    input.sentAt = new Date().toISOString()
  })
  env.hooks.message.beforeUpdate((env, _request, input, caller) => expectAuthor(env, input, caller))
  env.hooks.message.beforeDelete((env, input, caller) => expectAuthor(env, input, caller))

  env.hooks.reaction.beforeCreate(async (env, _request, input, caller) => {
    await expectPerson(env, caller)
    input.author = caller.id
  })

  // GET /api/room/{id}/latest: the latest message, from the custom query in datastore.ts
  router.get('/room/:id/latest', async (c) => {
    const id = c.req.param('id')
    await env.access.requireReadable(id, c.var.caller)
    const latest = await env.datastore.latestMessage(id)
    return latest === undefined ? c.var.fail(404, 'The room has no messages yet') : c.json(latest)
  })
}

/** References that hooks set are not checked, so this looks whether the author exists. */
async function expectPerson(env: Env, caller: Caller): Promise<void> {
  if (!(await env.comm.person.exists(caller.id, caller)))
    throw new HookError(403, 'Create a person first: POST /api/person')
}

async function expectCreator(env: Env, id: string, caller: Caller): Promise<void> {
  const room = await env.datastore.readRoom({ id })
  if (room !== undefined && room.openedBy !== caller.id)
    throw new HookError(403, 'Only the creator can change this room')
}

async function expectAuthor(
  env: Env,
  input: { id: string; parentId: string },
  caller: Caller,
): Promise<void> {
  const message = await env.datastore.readMessage(input)
  if (message !== undefined && message.author !== caller.id)
    throw new HookError(403, 'Only the author can change this message')
}
