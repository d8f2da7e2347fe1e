import type { Caller } from '#lib/tokens.ts'
import type { WorkOrder } from './entities.ts'
import { type Env, HookError } from './hooks.ts'

const DAY_MS = 86_400_000
const CLOSED: readonly unknown[] = ['done', 'invoiced', 'cancelled']

/** Who changes what of a work order, and how it becomes an invoice. */
export default function setup(env: Env): void {
  env.conflicts['slot_no_overlap'] = 'The technician is elsewhere at this time'
  env.conflicts['slot_order'] = 'ends must be after begins'

  env.hooks.beforeCreate(async (env, request, _input, caller) => {
    requireOffice(caller)
    const customer = await env.comm.customer.read(request.customer, caller)
    if (customer?.archivedAt !== null) throw new HookError(409, 'The customer is archived')
  })
  env.hooks.beforeUpdate((_env, _request, _input, caller) => requireOffice(caller))
  env.hooks.afterUpdate(async (env, order) => {
    if (order.status === 'cancelled') await env.datastore.deleteSlots(order.id)
  })

  const { line, slot } = env.hooks
  line.beforeCreate((env, _request, { parentId }) => requireOpen(env, parentId))
  line.beforeUpdate((env, _request, { parentId }) => requireOpen(env, parentId))
  line.beforeDelete((env, { parentId }) => requireOpen(env, parentId))
  slot.beforeCreate((_env, _request, _input, caller) => requireOffice(caller))
  slot.beforeUpdate((_env, _request, _input, caller) => requireOffice(caller))
  slot.beforeDelete((_env, _input, caller) => requireOffice(caller))

  env.endpoints.progress(async (env, { id, status }, caller) => {
    const order = await env.datastore.readWorkOrder({ id })
    if (order?.technician !== caller.id)
      throw new HookError(403, 'Only the technician of the order may do this')
    return setStatus(env, order, status)
  })

  env.endpoints.total(async (env, { id }) => ({ total: await env.datastore.total(id) }))

  env.endpoints.bill(async (env, { id, dueInDays }, caller) => {
    const order = await env.datastore.readWorkOrder({ id })
    if (order?.status !== 'done') throw new HookError(409, 'Only work that is done can be billed')
    // Of requests at the same time, one goes on. No transaction waits for the other service.
    const claimed = await setStatus(env, order, 'invoiced')
    try {
      const total = await env.datastore.total(id)
      const dueOn = new Date(Date.now() + dueInDays * DAY_MS).toISOString().slice(0, 10)
      const request = { workOrder: id, customer: order.customer, total, dueOn }
      const invoice = await env.comm.invoice.create(request, caller)
      if (invoice === undefined) throw new HookError(503, 'Invoice is unavailable')
      return { invoice: invoice.id, total }
    } catch (error) {
      await setStatus(env, claimed, 'done')
      throw error
    }
  })
}

function requireOffice({ roles }: Caller): void {
  if (!roles.includes('office')) throw new HookError(403, 'Only the office plans work')
}

async function requireOpen(env: Env, id: string): Promise<void> {
  if (CLOSED.includes(await env.datastore.lockStatus(id)))
    throw new HookError(409, 'Lines can change until the work is done')
}

/** Changes the status of an order that nobody has changed since it was read. */
async function setStatus(env: Env, { id, _version }: WorkOrder, status: WorkOrder['status']) {
  const changed = await env.datastore.updateWorkOrder({ id, status }, [_version])
  if (changed === undefined) throw new HookError(409, 'The work order has changed, try again')
  return changed
}
