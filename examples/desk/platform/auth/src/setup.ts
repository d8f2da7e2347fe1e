import { z } from 'zod'
import type { Env, Router } from './hooks.ts'
import { ROLES } from './roles.ts'
import { auth } from './schema.ts'

const roleList = z.array(z.enum(ROLES))

/** The first account is the admin's, who then gives roles to others. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeRegister(async (env, _request, input) => {
    await env.datastore.lockRegistration()
    if ((await env.datastore.db.$count(auth)) === 0) input.roles = ['admin']
  })

  // PUT /api/auth/{id}/roles with ["agent"]: the roles are in the tokens of the next logins
  router.put('/auth/:id/roles', async (c) => {
    if (c.var.caller?.roles.includes('admin') !== true) return c.var.fail(403, 'Only admins give roles')
    const roles = roleList.safeParse(await c.req.json().catch(() => undefined))
    if (!roles.success) return c.var.fail(400, `Send a list of roles: ${ROLES.join(', ')}`)
    const isKnown = await env.datastore.updateRoles(c.req.param('id'), roles.data)
    return isKnown ? c.json({ roles: roles.data }) : c.var.fail(404, 'Account not found')
  })
}
