import { csvOf } from './csv.ts'
import { type Env, HookError, type Router } from './hooks.ts'
import { isSigned } from './signature.ts'

/** The numbers of invoices, payments, what is overdue and the export. */
export default function setup(env: Env, router: Router): void {
  env.conflicts['invoice_one_per_order'] = 'The work order has an invoice'

  env.hooks.beforeCreate(async (env, _request, input) => {
    input.number = await env.datastore.nextNumber()
  })
  env.hooks.beforeUpdate(async (env, _request, input) => {
    if (input.status !== 'paid') return
    const stored = await env.datastore.readInvoice({ id: input.id })
    input.paidAt = stored?.paidAt ?? new Date().toISOString()
  })

  // The provider sends an event again until it gets 200, so a second one changes nothing.
  env.endpoints.payment(async (env, { invoice: id, event, amount }, _caller, c) => {
    const body = new Uint8Array(await c.req.arrayBuffer())
    if (!isSigned(body, c.req.header('payment-signature'), env.settings.PAYMENT_SECRET))
      throw new HookError(403, 'Invalid signature')
    if (event !== 'paid') return {}
    const invoice = await env.datastore.readInvoice({ id })
    if (invoice === undefined) throw new HookError(404, 'Unknown invoice')
    if (amount !== invoice.total) throw new HookError(409, `The total is ${invoice.total}`)
    if (invoice.status !== 'paid')
      await env.datastore.updateInvoice({ id, status: 'paid', paidAt: new Date().toISOString() })
    return {}
  })

  env.jobs.markOverdue.run((_env, job) => job.finish((env) => env.datastore.markOverdue()))

  router.get('/invoice/export.csv', (c) => {
    const { caller } = c.var
    if (!caller?.roles.includes('office')) return c.var.fail(403, 'Only the office exports invoices')
    const headers = { 'Content-Type': 'text/csv; charset=utf-8' }
    return c.body(ReadableStream.from(csvOf(env, caller)), 200, headers)
  })
}
