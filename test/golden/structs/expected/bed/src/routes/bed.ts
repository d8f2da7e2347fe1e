import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { Bed, CreateBed, UpdateBed } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { answerList, gatherList, type ListSource, readPage } from '../lists.ts'
import { refuseMethod } from '../methods.ts'
import { parse } from '../wire/bed.ts'

/** The endpoints of Bed. */
export function addBedRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, env } = context
  const hooks = context.hooks.bed
  const statements = context.statements.bed

  api.on(['PUT', 'DELETE'], '/bed/all', refuseMethod)
  api.get('/bed/all', (c) => list(c))
  api.post('/bed', (c) => create(c))
  api.get('/bed/:id', (c) => read(c))
  api.put('/bed/:id', (c) => update(c))
  api.delete('/bed/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    const id = v7()
    const input: CreateBed = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeCreate, env, request, input, undefined)
    const [created] = await statements.create.execute({ ...input, id }).catch(refuse)
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, undefined)
    const location = `/api/bed/${id}`
    return answer(201, created, { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeRead, env, input, undefined)
    }
    const [found] = await statements.read.execute({ id: input.id })
    if (found === undefined) throw notFound('Bed', input.id)
    await runHooks(hooks.afterRead, env, found, undefined)
    return answer(200, found)
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    if (hooks.beforeUpdate.length > 0) await access.requireExisting(id)
    const input: UpdateBed = {
      id,
      ...request,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, undefined)
    const [updated] = await statements.update.execute({ ...input }).catch(refuse)
    if (updated === undefined) throw notFound('Bed', input.id)
    await runHooks(hooks.afterUpdate, env, updated, undefined)
    return answer(200, updated)
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireExisting(input.id)
      await runHooks(hooks.beforeDelete, env, input, undefined)
    }
    const [deleted] = await statements.delete.execute({ id: input.id })
    if (deleted === undefined) throw notFound('Bed', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, undefined)
    return answer(200, {})
  }

  async function list(c: Context<ApiEnv>): Promise<Response> {
    const input = readPage(c)
    await runHooks(hooks.beforeList, env, input, undefined)
    const source: ListSource<Bed> = {
      key: 'BedList',
      path: '/api/bed/all',
      batch: (after, limit) => statements.batch.execute({ after, limit }),
      pageEnd: (after, offset) => statements.pageEnd.execute({ after, offset }),
    }
    if (hooks.afterList.length === 0) {
      return answerList(source, input, { outgoing: c.env.outgoing, log: env.log })
    }
    const { entities, headers } = await gatherList(source, input)
    await runHooks(hooks.afterList, env, entities, undefined)
    return answer(200, { BedList: entities }, headers)
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Bed')
  throw error
}
