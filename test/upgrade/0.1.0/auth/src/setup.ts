import { HookError, type Env, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeRegister((_env, request) => {
    if (!request.email.endsWith('@example.org')) throw new HookError(403, 'Only members can register')
  })

  router.get('/auth/me', async (c) => {
    const { caller } = c.var
    if (caller === undefined) return c.var.fail(401, 'Unauthorized')
    const account = await env.datastore.readAuth({ id: caller.id })
    return c.json({ email: account?.email })
  })
}
