import type { StayRequest } from './entities.ts'
import { HookError, type Env, type Router } from './hooks.ts'
import type { Caller } from './identity.ts'

const DAY_MS = 86_400_000

/** Hooks and further routes of Stay. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
  })
}

/** The price comes from the home, never from the client. */
async function price(env: Env, stay: StayRequest, caller: Caller): Promise<number> {
  const nights = (Date.parse(stay.departure) - Date.parse(stay.arrival)) / DAY_MS
  if (nights < 1) throw new HookError(400, 'A stay ends after it begins')
  const home = await env.comm.home.read(stay.home, caller)
  if (home === undefined) throw new HookError(400, 'That home is gone')
  if (stay.guests > home.beds) throw new HookError(400, `That home has ${home.beds} beds`)
  return nights * home.nightlyRate
}
