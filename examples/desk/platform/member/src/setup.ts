import type { Caller } from '#lib/tokens.ts'
import { type Env, HookError } from './hooks.ts'

/** Only admins decide who belongs to an organisation. */
export default function setup(env: Env): void {
  env.hooks.beforeCreate((_env, request, _input, caller) => {
    expectOrganisation(request.organisation, null, caller)
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    expectOrganisation(request.organisation, await env.datastore.lockOrganisation(input.id), caller)
  })
}

function expectOrganisation(wanted: string | null, current: string | null, caller: Caller): void {
  if (wanted !== current && !caller.roles.includes('admin'))
    throw new HookError(403, 'Only admins assign members to organisations')
}
