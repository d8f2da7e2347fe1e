import type { Context, Hono } from 'hono'
import { answer } from '../answers.ts'
import type { ServiceContext } from '../context.ts'
import type { ReadOnly } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'

/** The endpoints of ReadOnly. */
export function addReadOnlyRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.readOnly
  const statements = context.statements.readOnly

  api.get('/read-only/all', (c) => list(c))
  api.get('/read-only/:id', (c) => read(c))

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    if (found === undefined) throw notFound('ReadOnly', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, found)
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, caller)
    const source: ListSource<ReadOnly> = {
      key: 'ReadOnlyList',
      path: '/api/read-only/all',
      batch: (after, limit) => statements.batch.execute({ after, limit, _caller: caller.id }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _caller: caller.id }),
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { ReadOnlyList: entities }, headers)
  }
}
