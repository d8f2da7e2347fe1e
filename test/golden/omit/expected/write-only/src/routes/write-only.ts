import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { withHooks } from '#lib/hooks.ts'
import { body } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateWriteOnly, publicWriteOnly, WriteOnlyRequest } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of WriteOnly. */
export function writeOnlyRoutes(env: Env) {
  const { hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>().post(
    '/write-only',
    body(WriteOnlyRequest),
    async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateWriteOnly = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createWriteOnly(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicWriteOnly(created), 201, { Location: `/api/write-only/${created.id}` })
    },
  )
}
