import type { Caller } from '#lib/tokens.ts'
import type { ReviewRequest } from './entities.ts'
import { HookError, type Env, type Router } from './hooks.ts'

/** Only guests review a home. `#unique[home, author]` accepts one review from each. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    await expectGuest(env, request, caller)
    input.author = caller.id
  })
  env.hooks.beforeUpdate((env, request, _input, caller) => expectGuest(env, request, caller))
}

async function expectGuest(env: Env, { home }: ReviewRequest, caller: Caller): Promise<void> {
  if (!(await env.comm.host.exists(caller.id, caller)))
    throw new HookError(403, 'Create a host first: POST /api/host')
  const stays = (await env.comm.stay.list({ home, limit: 1 }, caller)) ?? []
  if (stays.length === 0) throw new HookError(403, 'Only guests can review a home')
}
