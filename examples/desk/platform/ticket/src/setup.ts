import type { Caller } from '#lib/tokens.ts'
import { type Env, HookError } from './hooks.ts'

const isAgent = (caller: Caller): boolean => caller.roles.includes('agent')

/** Who may assign tickets, and who may write and read internal notes. */
export default function setup(env: Env): void {
  env.hooks.beforeCreate((_env, request, _input, caller) => {
    if (!isAgent(caller) && request.assignee !== null) throw new HookError(403, 'Only agents assign tickets')
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    if (isAgent(caller)) return
    const ticket = await env.datastore.readTicket({ id: input.id })
    if (request.assignee !== ticket?.assignee) throw new HookError(403, 'Only agents assign tickets')
  })

  env.hooks.comment.beforeCreate(async (env, request, input, caller) => {
    const author = await env.comm.member.read(caller.id, caller)
    if (author === undefined) throw new HookError(403, 'Create a member first: POST /api/member')
    input.author = author.id
    if (!isAgent(caller)) {
      if (request.internal) throw new HookError(403, 'Only agents write internal notes')
      return
    }
    const ticket = await env.datastore.readTicket({ id: input.parentId })
    if (ticket === undefined || request.internal) return
    const { answeredAt } = ticket
    const now = new Date().toISOString()
    await env.datastore.updateTicket({ ...ticket, answeredAt: answeredAt ?? now, status: 'pending' })
  })
  env.hooks.comment.afterRead((_env, comment, caller) => {
    if (comment.internal && !isAgent(caller)) throw new HookError(404, `Comment not found: ${comment.id}`)
  })
  env.hooks.comment.afterList((_env, comments, caller) => {
    if (!isAgent(caller)) comments.splice(0, Infinity, ...comments.filter(({ internal }) => !internal))
  })
}
