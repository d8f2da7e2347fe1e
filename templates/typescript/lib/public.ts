import type { Hono, MiddlewareHandler } from 'hono'
import { findTargetHandler, isMiddleware } from 'hono/utils/handler'
import { unauthorized } from './errors.ts'
import type { Caller, Identify } from './tokens.ts'

type PossibleCaller = { Variables: { caller: Caller | undefined } }

/**
 * Rejects requests without a valid token, except below public paths, where only setup.ts has routes, and for public
 * endpoints, `GET /home/:id/quote`. `router` has the routes of setup.ts, which come before endpoints and stay closed.
 */
export function authenticateExcept(
  identify: Identify,
  publicPaths: readonly string[],
  publicEndpoints: readonly string[] = [],
  router?: Pick<Hono, 'router'>,
): MiddlewareHandler<PossibleCaller> {
  const endpoints = publicEndpoints.map(
    (endpoint) => new RegExp(`^${endpoint.replaceAll(/:\w+/g, '[^/]+')}$`),
  )
  return async (c, next) => {
    const caller = await identify(c.req.header('authorization'))
    const { path } = c.req
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const isPublic =
      publicPaths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
      (endpoints.some((endpoint) => endpoint.test(`${method} ${path}`)) && !hasRoute(router, method, path))
    if (caller === undefined && !isPublic) throw unauthorized()
    c.set('caller', caller && { roles: [], ...caller })
    await next()
  }
}

function hasRoute(router: Pick<Hono, 'router'> | undefined, method: string, path: string): boolean {
  const [matched = []] = router?.router.match(method, path) ?? []
  return matched.some(([[handler]]) => !isMiddleware(findTargetHandler(handler)))
}

/** Rejects requests without a caller. Generated routes are never public. */
export const requireCaller: MiddlewareHandler<{ Variables: { caller: Caller } }> = async (c, next) => {
  const { caller }: Partial<typeof c.var> = c.var
  if (caller === undefined) throw unauthorized()
  await next()
}
