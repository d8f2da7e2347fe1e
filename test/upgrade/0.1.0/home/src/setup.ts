import { HookError, type Env, type Router } from './hooks.ts'
import type { Caller } from './identity.ts'
import { seasonalRate } from './rates.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    await expectHost(env, caller)
    input.owner = caller.id
    input.listedAt = new Date().toISOString()
    input.nightlyRate = seasonalRate(request.nightlyRate, input.listedAt)
  })

  env.hooks.afterCreate((env, home) => {
    env.log.info('A home was listed', { home: home.id })
  })

  env.hooks.photo.beforeCreate((_env, request) => {
    if (request.caption.trim() === '') throw new HookError(400, 'caption is blank')
  })

  // GET /api/home/cheap?below=50
  router.get('/home/cheap', async (c) => {
    const below = Number(c.req.query('below'))
    if (Number.isNaN(below)) return c.var.fail(400, 'below must be a number')
    return c.json({ homes: await env.datastore.findCheaper(below) })
  })
}

async function expectHost(env: Env, caller: Caller): Promise<void> {
  if (!(await env.comm.host.exists(caller.id, caller))) throw new HookError(403, 'Create a host first')
}
