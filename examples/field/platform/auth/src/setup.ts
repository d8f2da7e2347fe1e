import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { body } from '#lib/requests.ts'
import type { Env, Router } from './hooks.ts'
import { ROLES } from './roles.ts'
import { auth } from './schema.ts'

const RolesRequest = z.object({ roles: z.array(z.enum(ROLES)) })

/** The first account belongs to the office, which then gives roles to others. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeRegister(async ({ datastore: { db } }, _request, input) => {
    await db.execute(sql`SELECT pg_advisory_xact_lock(1)`) // Others wait, so only one is the first.
    if ((await db.$count(auth)) === 0) input.roles = ['office']
  })

  // PUT /api/auth/{id}/roles with {"roles": ["technician"]}: they are in the tokens of the next logins.
  router.put('/auth/:id/roles', body(RolesRequest), async (c) => {
    if (!c.var.caller?.roles.includes('office')) return c.var.fail(403, 'Only the office gives roles')
    const { roles } = c.req.valid('json')
    const isKnown = await env.datastore.updateRoles(c.req.param('id'), roles)
    return isKnown ? c.json({ roles }) : c.var.fail(404, 'Account not found')
  })
}
