import { Hono } from 'hono'
import { answer } from '../answers.ts'
import { answerFailure } from '../api.ts'
import type { ServiceContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { pathId } from '../ids.ts'
import { readIds } from '../reference-ids.ts'
import type { Bindings } from '../server.ts'

/** What other services ask of B: which references hold, and single entities. */
export function createInternalRoutes(context: ServiceContext) {
  const { access, env } = context
  const { read } = context.statements.b
  const internal = new Hono<{ Bindings: Bindings }>()
  internal.onError(answerFailure('B', env.log))

  internal.post('/references', async (c) => {
    const unknown = await access.unknown(await readIds(c.req))
    return answer(200, { unknown: [...unknown] })
  })

  internal.get('/entities/:id', async (c) => {
    const id = pathId(c.req.param('id'))
    const [found] = await read.execute({ id })
    if (found === undefined) throw notFound('B', id)
    return answer(200, found)
  })

  return internal
}
