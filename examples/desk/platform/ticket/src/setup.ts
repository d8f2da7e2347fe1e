import type { Caller } from '#lib/tokens.ts'
import { type Env, HookError } from './hooks.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

const isAgent = (caller: Caller): boolean => caller.roles.includes('agent')

/** Who may assign tickets, whose tickets and comments they are, what an answer changes, and when tickets are closed. */
export default function setup(env: Env): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    expectAssignee(request.assignee, null, caller)
    const member = await readMember(env, caller)
    input.organisation = member.organisation
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    expectAssignee(request.assignee, await env.datastore.lockAssignee(input.id), caller)
  })
  env.hooks.afterUpdate(async (env, { id, status }) => {
    const at = new Date(Date.now() + WEEK_MS)
    if (status === 'solved') await env.jobs.close.add({ ticket: id }, { at, key: id })
  })
  env.jobs.close.run((_env, { ticket }, job) => job.finish((env) => env.datastore.closeSolved(ticket)))

  env.hooks.comment.beforeCreate(async (env, _request, input, caller) => {
    const author = await readMember(env, caller)
    input.author = author.id
    if (isAgent(caller)) await env.datastore.markAnswered(input.parentId)
  })
}

function expectAssignee(wanted: string | null, current: string | null, caller: Caller): void {
  if (wanted !== current && !isAgent(caller)) throw new HookError(403, 'Only agents assign tickets')
}

async function readMember(env: Env, caller: Caller) {
  const member = await env.comm.member.read(caller.id, caller)
  if (member === undefined) throw new HookError(403, 'Create a member first: POST /api/member')
  return member
}
