import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import type { CreateWriteOnly } from '../entities.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { parse } from '../wire/write-only.ts'

/** The endpoints of WriteOnly. */
export function addWriteOnlyRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { authenticate, env } = context
  const hooks = context.hooks.writeOnly
  const statements = context.statements.writeOnly

  api.post('/write-only', (c) => create(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = v7()
    const input: CreateWriteOnly = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/write-only/${id}`
    return answer(201, created, { Location: location })
  }
}
