import { HookError, type Env, type Router } from './hooks.ts'

const MAX_NIGHTLY_RATE = 5000

/** Hooks and custom routes of Home. */
export default function setup(env: Env, router: Router): void {
  // A home belongs to the host who creates it, whatever the client sends.
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    if (request.nightlyRate > MAX_NIGHTLY_RATE)
      throw new HookError(400, `nightlyRate must be at most ${MAX_NIGHTLY_RATE}`)
    if (!(await env.comm.host.exists(caller.id, caller))) {
      throw new HookError(403, 'Only hosts can list homes. Create a host first: POST /api/host')
    }
    input.owner = caller.id
    input.listedAt = new Date().toISOString()
  })

  env.hooks.beforeUpdate((_env, request) => {
    if (request.nightlyRate > MAX_NIGHTLY_RATE)
      throw new HookError(400, `nightlyRate must be at most ${MAX_NIGHTLY_RATE}`)
  })

  // GET /api/home/{id}/quote?nights=3
  router.get('/home/:id/quote', async (c) => {
    const nights = Number(c.req.query('nights') ?? '1')
    if (!Number.isInteger(nights) || nights < 1 || nights > 365) {
      return c.var.fail(400, 'nights must be an integer from 1 to 365')
    }
    const id = c.req.param('id')
    await env.access.requireReadable(id, c.var.caller)
    const home = await env.datastore.readHome({ id })
    if (home === undefined) return c.var.fail(404, 'Home not found')
    return c.json({ address: home.address, nights, total: nights * home.nightlyRate })
  })
}
