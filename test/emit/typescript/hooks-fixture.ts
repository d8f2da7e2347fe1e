import { setupText } from '../platform.ts'

/** Two services, of which one has a public path and the other one hooks of every kind. */
export const DEFINITION = `
Hooked: project { #authMethod(email); }
Person: service { name: string; #auth; #public[webhook]; }
Home: service {
  address: string;
  rate: float;
  plan: data;
  coupon: string @client;
  secret: string @server;
  listedAt: datetime @serverSet;

  Photo: struct { caption: string; views: int @serverSet; #enumerable; }

  #readable(by: all);
  #enumerable;
}
`
/** `setup.ts` of the home service. */
export const HOME_SETUP = setupText(
  `import { sql } from 'drizzle-orm'
import { HTTPException } from 'hono/http-exception'
import { type Env, HookError, type Router } from './hooks.ts'

const seen: unknown[] = []
const STORED = { address: 'a', rate: 1, plan: Buffer.of(1), secret: 's', listedAt: '2020-01-01T00:00:00Z' }

export default async function setup(env: Env, router: Router): Promise<void> {
  const { hooks } = env
  hooks.beforeCreate(async (hookEnv, request, input, caller) => {
    seen.push(['beforeCreate', hookEnv !== env, request.coupon, { ...input, plan: [...input.plan], id: 0 }, caller.id])
    if (request.address === 'throw') throw new HookError(418, 'thrown')
    if (request.address === 'return') return new HookError(422, 'returned')
    if (request.address === 'crash') throw new Error('a secret of ours')
    if (request.address === 'bad status') throw new HookError(99, 'x')
    // A statement fails, and so does every later one of the transaction.
    if (request.address === 'failed statement') {
      env.log.info('statement fails')
      await hookEnv.datastore.db.execute(sql\`SELECT 1 / 0\`).catch(() => {})
    }
    if (request.address === 'text') throw 's3cret'
    if (request.address === 'message') throw new HTTPException(402, { message: 'Not paid' })
    if (request.address === 'response') {
      const res = new Response('Slow down', { status: 429, headers: { 'Retry-After': '7' } })
      throw new HTTPException(429, { message: 'Not sent', res })
    }
    if (request.address === 'transaction') {
      await hookEnv.transaction((tx) => tx.datastore.createHome({ ...STORED, address: request.coupon }, caller))
    }
    if (request.address === 'unavailable rate') input.rate = Number.NaN
    input.listedAt = '2020-01-01T00:00:00.5Z'
    input.secret = 'set'
    input.address = input.address.trim()
  })
  hooks.beforeCreate((_env, _request, input) => {
    input.address += '!'
  })
  hooks.afterCreate(async (hookEnv, home) => {
    if (home.address === 'failing callback!') {
      hookEnv.afterCommit(async () => {
        throw new Error('No mail server')
      })
    }
    hookEnv.afterCommit(() => env.log.info('committed ' + home.address.toLowerCase()))
    if (home.address === 'refuse after!') {
      await hookEnv.datastore.createPhoto({ parentId: home.id, caption: 'rolled back', views: 0 })
      throw new HookError(409, 'after create')
    }
    home.address = home.address.toUpperCase()
    seen.push(['afterCreate', home.secret])
  })
  hooks.beforeRead((_env, input, caller) => {
    seen.push(['beforeRead', input.id, caller.id])
  })
  hooks.afterRead((_env, home) => {
    if (home.address === 'fail after!') throw new HookError(409, 'after')
    home.rate = 7
  })
  hooks.beforeUpdate(async (_env, request, input) => {
    const current = await env.datastore.readHome({ id: input.id })
    seen.push(['beforeUpdate', current?.address, request.coupon, input.listedAt])
    if (request.address === 'elsewhere') input.id = request.coupon
    if (request.coupon === 'stamp') input.listedAt = '2021-01-01T00:00:00Z'
  })
  hooks.afterUpdate((_env, home) => {
    home.address = 'after update'
  })
  hooks.beforeDelete((_env, input) => {
    seen.push(['beforeDelete', input.id])
  })
  hooks.afterDelete((_env, id) => {
    seen.push(['afterDelete', id])
  })
  hooks.beforeList((_env, input) => {
    if (input.limit === 999) input.limit = 1
  })
  hooks.afterList((_env, homes) => {
    if (homes.length > 100) seen.push(['afterList', homes.length])
    if (homes.some(({ address }) => address === 'broken')) throw new HookError(418, 'broken')
    for (const home of homes) home.rate = 8
    homes.reverse()
  })
  hooks.photo.beforeCreate((_env, request, input) => {
    seen.push(['photo.beforeCreate', input.parentId, input.views])
    if (request.caption.startsWith('move ')) input.parentId = request.caption.slice(5)
    input.views = 3
  })
  hooks.photo.afterRead((_env, photo) => {
    photo.caption += photo.parentId
  })

  router.get('/home/:id/custom-endpoint', async (c) => {
    const home = await env.datastore.readHome({ id: c.req.param('id') })
    return home ? c.json({ address: home.address, caller: c.var.caller.id }) : c.var.fail(404, 'No such home')
  })
  router.on('PROPFIND', '/home/special', (c) => c.text('special'))
  router.get('/home/all/seen', (c) => c.json(seen.splice(0)))
  router.post('/home/datastore', async (c) => {
    const { datastore } = env
    const home = await datastore.createHome(STORED, c.var.caller)
    const photo = await datastore.createPhoto({ parentId: home.id, caption: 'c', views: 1 })
    const orphan = await datastore.createPhoto({ parentId: c.var.caller.id, caption: 'c', views: 1 })
    const updated = await datastore.updateHome({ ...STORED, id: home.id, address: 'b' })
    const lookup = { id: photo?.id ?? '', parentId: home.id }
    const result = {
      secret: home.secret,
      orphan: orphan ?? null,
      updated: updated?.address,
      photo: (await datastore.readPhoto(lookup))?.caption,
      photos: (await datastore.listPhoto({ parentId: home.id })).length,
      homes: (await datastore.listHome({ limit: 1 })).length,
      malformed: [
        await datastore.readHome({ id: 'x' }),
        await datastore.updateHome({ ...STORED, id: 'x' }),
        await datastore.deleteHome({ id: 'x' }),
        await datastore.deletePhoto({ id: lookup.id, parentId: 'x' }),
      ].filter((value) => value !== undefined).length,
      deletedPhoto: (await datastore.deletePhoto(lookup)) === lookup.id,
      deleted: (await datastore.deleteHome({ id: home.id })) === home.id,
      gone: (await datastore.readHome({ id: home.id })) ?? null,
    }
    return c.json(result)
  })

  router.post('/home/transaction/:outcome', async (c) => {
    const { outcome } = c.req.param()
    const create = ({ datastore }: Env, address: string) => datastore.createHome({ ...STORED, address }, c.var.caller)
    await env.transaction(async (tx) => {
      tx.afterCommit(() => env.log.info('committed route ' + outcome))
      await create(tx, outcome)
      await tx.transaction((inner) => create(inner, outcome))
      if (outcome === 'thrown') throw new HookError(418, 'thrown')
    })
    return c.json({})
  })
  router.post('/home/outer-datastore', async (c) => {
    await env.transaction(() => env.datastore.readHome({ id: c.var.caller.id }))
    return c.json({})
  })
  router.post('/home/after-commit', (c) => {
    const order: string[] = []
    env.afterCommit(() => order.push('callback'))
    order.push('route')
    return c.json(order)
  })
  router.get('/home/:id/access/:kind', async (c) => {
    const { id, kind } = c.req.param()
    if (kind === 'read') await env.access.requireReadable(id, c.var.caller)
    if (kind === 'write') await env.access.requireWritable(id, c.var.caller)
    if (kind === 'read-photos') await env.access.photo.requireReadable(id, c.var.caller)
    if (kind === 'write-photos') await env.access.photo.requireWritable(id, c.var.caller)
    return c.json({})
  })
}
`,
  'hooks-home.go',
)
/** `setup.ts` of the person service. */
export const PERSON_SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(_env: Env, router: Router): void {
  router.post('/person/webhook/mail', (c) => c.json({ caller: c.var.caller?.id ?? null }))
  router.post('/person/webhooks', (c) => c.json({}))
}
`,
  'hooks-person.go',
)
