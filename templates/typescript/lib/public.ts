import type { MiddlewareHandler } from 'hono'
import { unauthorized } from './errors.ts'
import type { Caller, Identify } from './tokens.ts'

type PossibleCaller = { Variables: { caller: Caller | undefined } }

/** Rejects requests without a valid token, except below public paths, where only setup.ts has routes. */
export function authenticateExcept(
  identify: Identify,
  publicPaths: readonly string[],
): MiddlewareHandler<PossibleCaller> {
  return async (c, next) => {
    const caller = await identify(c.req.header('authorization'))
    const isPublic = publicPaths.some((path) => c.req.path === path || c.req.path.startsWith(`${path}/`))
    if (caller === undefined && !isPublic) throw unauthorized()
    c.set('caller', caller && { roles: [], ...caller })
    await next()
  }
}

/** Rejects requests without a caller. Generated routes are never public. */
export const requireCaller: MiddlewareHandler<PossibleCaller> = async (c, next) => {
  if (c.var.caller === undefined) throw unauthorized()
  await next()
}
