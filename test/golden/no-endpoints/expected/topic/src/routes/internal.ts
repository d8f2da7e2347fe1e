import { Hono } from 'hono'
import { answer } from '../answers.ts'
import { answerFailure } from '../api.ts'
import type { ServiceContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { pathId } from '../ids.ts'
import { readIds } from '../reference-ids.ts'
import type { Bindings } from '../server.ts'

/** What other services ask of Topic: which references hold, and single entities. */
export function createInternalRoutes(context: ServiceContext) {
  const { access, authenticate, env } = context
  const { readOwn } = context.statements.topic
  const internal = new Hono<{ Bindings: Bindings }>()
  internal.onError(answerFailure('Topic', env.log))

  internal.post('/references', async (c) => {
    const caller = await authenticate(c.req)
    const unknown = await access.unknown(await readIds(c.req), caller)
    return answer(200, { unknown: [...unknown] })
  })

  internal.get('/entities/:id', async (c) => {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const [found] = await readOwn.execute({ id, _caller: caller.id })
    if (found === undefined) throw notFound('Topic', id)
    return answer(200, found)
  })

  return internal
}
