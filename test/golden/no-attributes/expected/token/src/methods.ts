import type { Env, Handler, Hono } from 'hono'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Stands at a path for a method that a less particular path takes: `PUT /home/all` is no `PUT /home/{id}`. */
export const refuseMethod: Handler = (c) => c.notFound()

/** The methods that some route of the app takes at the path, for `Allow` (RFC 9110, section 10.2.1). */
export function allowedMethods<E extends Env>(app: Hono<E>, path: string): string[] {
  return METHODS.filter((method) => takes(app, method, path)).flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  )
}

function takes<E extends Env>(app: Hono<E>, method: string, path: string): boolean {
  const [matched] = app.router.match(method, path)
  // What matches whatever the method is middleware.
  const first = matched.find(([[, route]]) => route.method === method)
  return first !== undefined && first[0][0] !== refuseMethod
}
