import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateWatering } from '../entities.ts'
import { notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { parse, present } from '../wire/watering.ts'

/** The endpoints of Watering. */
export function addWateringRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.watering
  const statements = context.statements.watering

  api.post('/bed/:parentId/watering', (c) => create(c))
  api.get('/bed/:parentId/watering/:id', (c) => read(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeCreate.length > 0) await access.requireExisting(parentId)
    const id = v7()
    const input: CreateWatering = {
      id,
      parentId,
      ...request,
      done: '0001-01-01T00:00:00Z',
    }
    await runHooks(hooks.beforeCreate, env, request, input, undefined)
    const [created] = await statements.create
      .execute({ ...input, id, _parent: input.parentId })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (created === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Bed', input.parentId)
    }
    await runHooks(hooks.afterCreate, env, created, undefined)
    const location = `/api/bed/${input.parentId}/watering/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.parentId)
      await runHooks(hooks.beforeRead, env, input, undefined)
    }
    const [found] = await statements.read.execute({ id: input.id, _parent: input.parentId })
    if (found === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Watering', input.id)
    }
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, present(found))
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'watering___parent__fkey') {
    throw notFound('Bed', parentId)
  }
  throw error
}
