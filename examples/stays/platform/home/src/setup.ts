import { HookError, type Env } from './hooks.ts'

const MAX_NIGHTLY_RATE = 5000

/** Hooks of Home, and what its endpoint does. */
export default function setup(env: Env): void {
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

  env.endpoints.quote(async (env, { id, nights }) => {
    const home = await env.datastore.readHome({ id })
    if (home === undefined) throw new HookError(404, 'Home not found')
    return { nights, address: home.address, total: nights * home.nightlyRate }
  })
}
