import type { Context, Hono } from 'hono'
import { v7 } from 'uuid'
import { answer } from '../answers.ts'
import { readBody } from '../body.ts'
import type { ServiceContext } from '../context.ts'
import { classify } from '../database-errors.ts'
import type { CreateItem, UpdateItem } from '../entities.ts'
import { duplicate, notFound } from '../errors.ts'
import { runHooks } from '../hook-lists.ts'
import type { ApiEnv } from '../hooks.ts'
import { pathId } from '../ids.ts'
import { requireReferences } from '../references.ts'
import { parse, present } from '../wire/item.ts'

/** The endpoints of Item. */
export function addItemRoutes(api: Hono<ApiEnv>, context: ServiceContext): void {
  const { access, authenticate, env } = context
  const hooks = context.hooks.item
  const statements = context.statements.item

  api.post('/item', (c) => create(c))
  api.get('/item/:id', (c) => read(c))
  api.put('/item/:id', (c) => update(c))
  api.delete('/item/:id', (c) => remove(c))

  async function create(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await requireReferences([{ to: env.comm.keeper, id: request.keeper }], caller)
    const id = v7()
    const input: CreateItem = {
      id,
      label: request.label,
      number: request.number,
      weight: request.weight,
      day: request.day,
      picture: request.picture,
      keeper: request.keeper,
      serial: '',
      at: '0001-01-01T00:00:00Z',
      counted: 0,
      checked: false,
      holder: '00000000-0000-0000-0000-000000000000',
      pinHash: new Uint8Array(),
      opensAt: '00:00:00',
      bought: '0001-01-01',
      price: 0,
      digest: '',
    }
    await runHooks(hooks.beforeCreate, env, request, input, caller)
    const [created] = await statements.create.execute({ ...input, id, _caller: caller.id }).catch(refuse)
    if (created === undefined) throw new Error('Nothing was created')
    await runHooks(hooks.afterCreate, env, created, caller)
    const location = `/api/item/${id}`
    return answer(201, present(created), { Location: location })
  }

  async function read(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeRead.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeRead, env, input, caller)
    }
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    if (found === undefined) throw notFound('Item', input.id)
    await runHooks(hooks.afterRead, env, found, caller)
    return answer(200, present(found))
  }

  async function update(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const id = pathId(c.req.param('id'))
    const request = parse(await readBody(c, env.config.maxBodyBytes))
    await access.requireOwn(id, caller)
    const [current] = await statements.read.execute({ id })
    if (current === undefined) throw notFound('Item', id)
    await requireReferences([{ to: env.comm.keeper, id: request.keeper, stored: current.keeper }], caller)
    const input: UpdateItem = {
      id,
      label: request.label,
      number: request.number,
      weight: request.weight,
      day: request.day,
      picture: request.picture,
      keeper: request.keeper,
      serial: undefined,
      at: undefined,
      counted: undefined,
      checked: undefined,
      holder: undefined,
      pinHash: undefined,
      opensAt: undefined,
      bought: undefined,
      price: undefined,
      digest: undefined,
    }
    await runHooks(hooks.beforeUpdate, env, request, input, caller)
    const [updated] = await statements.updateOwn
      .execute({
        ...input,
        serial: input.serial ?? null,
        at: input.at ?? null,
        counted: input.counted ?? null,
        checked: input.checked ?? null,
        holder: input.holder ?? null,
        pinHash: input.pinHash ?? null,
        opensAt: input.opensAt ?? null,
        bought: input.bought ?? null,
        price: input.price ?? null,
        digest: input.digest ?? null,
        _caller: caller.id,
      })
      .catch(refuse)
    if (updated === undefined) throw notFound('Item', input.id)
    await runHooks(hooks.afterUpdate, env, updated, caller)
    return answer(200, present(updated))
  }

  async function remove(c: Context<ApiEnv>): Promise<Response> {
    const caller = await authenticate(c.req)
    const input = { id: pathId(c.req.param('id')) }
    if (hooks.beforeDelete.length > 0) {
      await access.requireOwn(input.id, caller)
      await runHooks(hooks.beforeDelete, env, input, caller)
    }
    const [deleted] = await statements.deleteOwn.execute({ id: input.id, _caller: caller.id })
    if (deleted === undefined) throw notFound('Item', input.id)
    await runHooks(hooks.afterDelete, env, deleted.id, caller)
    return answer(200, {})
  }
}

/** What the database refuses, as the client's mistake where it is one. */
function refuse(error: unknown): never {
  const failure = classify(error)
  if (failure.kind === 'unique') throw duplicate('Item')
  throw error
}
