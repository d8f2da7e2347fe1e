import { HookError, type Env, type Router } from './hooks.ts'

const DAY_MS = 86_400_000

/** Hooks and further routes of Stay. */
export default function setup(env: Env, _router: Router) {
  // The price comes from the home, never from the client. An update prices the stay anew.
  const price = async (
    env: Env,
    request: { home: string; arrival: string; departure: string; guests: number },
    caller: Parameters<Env['comm']['home']['read']>[1],
  ): Promise<number> => {
    const nights = (Date.parse(request.departure) - Date.parse(request.arrival)) / DAY_MS
    if (nights < 1) throw new HookError(400, 'A stay ends after it begins')
    const home = await env.comm.home.read(request.home, caller)
    if (home === undefined) throw new HookError(400, 'That home is gone')
    if (request.guests > home.beds) throw new HookError(400, `That home has ${home.beds} beds`)
    return nights * home.nightlyRate
  }

  env.hooks.beforeCreate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
  })

  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    input.price = await price(env, request, caller)
  })
}
