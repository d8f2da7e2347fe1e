import type { Context, Hono } from 'hono'
import { answer } from '../answers.ts'
import type { ServiceContext } from '../context.ts'
import type { ListOnly } from '../entities.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'

/** The endpoints of ListOnly. */
export function addListOnlyRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { authenticate, env } = context
  const hooks = context.hooks.listOnly
  const statements = context.statements.listOnly

  api.get('/list-only/all', (c) => list(c))

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, caller)
    const source: ListSource<ListOnly> = {
      key: 'ListOnlyList',
      path: '/api/list-only/all',
      batch: (after, limit) => statements.batch.execute({ after, limit, _caller: caller.id }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _caller: caller.id }),
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, caller)
    return answer(200, { ListOnlyList: entities }, headers)
  }
}
