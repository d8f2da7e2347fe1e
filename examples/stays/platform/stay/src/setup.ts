import type { Caller } from '#lib/tokens.ts'
import type { StayRequest } from './entities.ts'
import { HookError, type Env, type Router } from './hooks.ts'

const DAY_MS = 86_400_000

/** Hooks and custom routes of Stay. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
    await expectFree(env, input)
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
    await expectFree(env, { ...request, id: input.id })
  })
}

/** Returns the price, from the rate of the home. Clients cannot set it. */
async function price(env: Env, stay: StayRequest, caller: Caller): Promise<number> {
  const nights = (Date.parse(stay.departure) - Date.parse(stay.arrival)) / DAY_MS
  if (nights < 1) throw new HookError(400, 'departure must be after arrival')
  const home = await env.comm.home.read(stay.home, caller)
  if (home === undefined) throw new HookError(400, 'The home no longer exists')
  if (stay.guests > home.beds) throw new HookError(400, `The home has only ${home.beds} beds`)
  return nights * home.nightlyRate
}

/** Rejects a stay in a home that others have booked for one of its nights. */
async function expectFree(env: Env, stay: StayRequest & { id: string }): Promise<void> {
  await env.datastore.lockHome(stay.home)
  if (await env.datastore.isBooked(stay)) throw new HookError(409, 'The home is booked on these days')
}
