import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreatePlant, Plant, UpdatePlant } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse, present } from '../wire/plant.ts'

/** The endpoints of Plant. */
export function addPlantRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.plant
  const statements = context.statements.plant

  api.on(['PUT', 'DELETE'], '/bed/:parentId/plant/all', refuseMethod)
  api.get('/bed/:parentId/plant/:id/all', (c) => list(c))
  api.get('/bed/:parentId/plant/all', (c) => list(c))
  api.post('/bed/:parentId/plant', (c) => create(c))
  api.get('/bed/:parentId/plant/:id', (c) => read(c))
  api.put('/bed/:parentId/plant/:id', (c) => update(c))
  api.delete('/bed/:parentId/plant/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeCreate.length > 0) await access.requireExisting(parentId)
    const id = v7()
    const input: CreatePlant = {
      id,
      parentId,
      ...request,
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
    const location = `/api/bed/${input.parentId}/plant/${id}`
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
      throw notFound('Plant', input.id)
    }
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireExisting(parentId)
    const input: UpdatePlant = {
      id,
      parentId,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, undefined)
    const [updated] = await statements.update
      .execute({ ...input, _parent: input.parentId })
      .catch((error: unknown) => refuse(error, input.parentId))
    if (updated === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Plant', input.id)
    }
    await runHooks(hooks.afterUpdate, env, updated, undefined)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    const input = { id: pathId(c.req.param('id')), parentId }
    if (hooks.beforeDelete.length > 0) {
      await access.requireExisting(input.parentId)
      await runHooks(hooks.beforeDelete, env, input, undefined)
    }
    const [deleted] = await statements.delete.execute({ id: input.id, _parent: input.parentId })
    if (deleted === undefined) {
      await access.requireExisting(input.parentId)
      throw notFound('Plant', input.id)
    }
    await runHooks(hooks.afterDelete, env, deleted.id, undefined)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const parentId = pathId(c.req.param('parentId'))
    // The form of the path with an id takes any, to no effect.
    pathId(c.req.param('id') ?? parentId)
    await access.requireExisting(parentId)
    const input = { ...readPage(c), parentId }
    await runHooks(hooks.beforeList, env, input, undefined)
    if (input.parentId !== parentId) await access.requireExisting(input.parentId)
    const source: ListSource<Plant> = {
      key: 'PlantList',
      path: `/api/bed/${input.parentId}/plant/all`,
      batch: (after, limit) => statements.batch.execute({ after, limit, _parent: input.parentId }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset, _parent: input.parentId }),
      present,
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, undefined)
    return answer(200, { PlantList: entities.map(present) }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown, parentId: string): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Plant')
  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined
  // The parent went while the entry came.
  if (constraint === 'plant___parent__fkey') {
    throw notFound('Bed', parentId)
  }
  throw error
}
