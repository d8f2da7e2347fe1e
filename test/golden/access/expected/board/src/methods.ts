import type { Env, Hono } from 'hono'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that some route of the app takes at the path, for `Allow` (RFC 9110, section 10.2.1). */
export function allowedMethods<E extends Env>(app: Hono<E>, path: string): string[] {
  return METHODS.filter((method) =>
    // What matches whatever the method is middleware.
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  ).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
