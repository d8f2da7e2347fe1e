import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import type { ApiEnv } from './api.ts'
import type { Hook } from './hooks.ts'
import { afterList, type List, listResponse, MAX_IDS } from './lists.ts'
import type { Log } from './log.ts'
import { body } from './requests.ts'
import { uuid } from './values.ts'

/** What hooks work with, and the hooks of a read. */
interface ReadEnv<Env, Entity, Caller> {
  readonly log: Log
  readonly access: { unknown(ids: readonly string[], caller: Caller): Promise<readonly string[]> }
  readonly hooks: {
    readonly beforeRead: Hook<[env: Env, input: { id: string }, caller: Caller]>
    readonly afterRead: Hook<[env: Env, entity: Entity, caller: Caller]>
  }
}

const ReadManyRequest = z.object({
  ids: z.array(uuid, 'must be a list of strings').max(MAX_IDS, `must have at most ${MAX_IDS} ids`),
})

/**
 * The endpoint with which other services read several entities, with the hooks of a read for each. Those for which a
 * hook responds with 404 are left out. `find` returns those of the ids that the caller may read.
 */
export function readManyRoutes<Env extends ReadEnv<Env, Entity, Caller>, Entity, Caller>(
  env: Env & ReadEnv<Env, Entity, Caller>,
  find: (ids: string[], caller: Caller) => Promise<List<Entity>>,
  toPublic: (entity: Entity) => unknown,
) {
  const { beforeRead, afterRead } = env.hooks

  /** The ids that before-hooks admit. They run for no entity that the caller may not read. */
  async function admitted(ids: readonly string[], caller: Caller): Promise<string[]> {
    const unknown = await env.access.unknown(ids, caller)
    const inputs = ids.filter((id) => !unknown.includes(id)).map((id) => ({ id }))
    return (await shown(inputs, (input) => beforeRead.run(env, input, caller))).map(({ id }) => id)
  }

  const afterEach = {
    isUsed: afterRead.isUsed,
    async run(_env: Env, entities: Entity[], caller: Caller) {
      const found = entities.splice(0)
      entities.push(...(await shown(found, (entity) => afterRead.run(env, entity, caller))))
    },
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>().post(
    '/read-many',
    body(ReadManyRequest),
    async (c) => {
      const { ids } = c.req.valid('json')
      const { caller } = c.var
      const list = await find(beforeRead.isUsed() ? await admitted(ids, caller) : ids, caller)
      return listResponse(c, env.log, 'entities', await afterList(afterEach, env, list, caller), toPublic)
    },
  )
}

/** Those of the values for which a hook does not respond with 404. */
async function shown<Value>(
  values: readonly Value[],
  run: (value: Value) => Promise<void>,
): Promise<Value[]> {
  const found: Value[] = []
  for (const value of values) {
    try {
      await run(value)
      found.push(value)
    } catch (error) {
      if (!(error instanceof HTTPException && error.status === 404)) throw error
    }
  }
  return found
}
