import type { Caller } from '#lib/tokens.ts'
import type { Env } from './hooks.ts'

/** The invoices that a caller may read, with the names of their customers, as parts of a CSV file. */
export async function* csvOf(env: Env, caller: Caller): AsyncGenerator<Buffer> {
  yield Buffer.from(lineOf(['number', 'customer', 'status', 'total', 'dueOn', 'paidAt']))
  let after: string | undefined
  do {
    const invoices = await env.datastore.as(caller).listInvoice({ after, limit: 1000 })
    const ids = invoices.map(({ customer }) => customer)
    const customers = await env.comm.customer.readMany(ids, caller)
    const names = new Map(customers.map(({ id, name }) => [id, name]))
    for (const { number, customer, status, total, dueOn, paidAt } of invoices)
      yield Buffer.from(lineOf([number, names.get(customer), status, total, dueOn, paidAt]))
    after = invoices.at(-1)?.id
  } while (after !== undefined)
}

/** A line of a CSV file (RFC 4180). Spreadsheets would run text that looks like a formula, so it begins with `'`. */
export function lineOf(values: readonly (string | number | null | undefined)[]): string {
  const fields = values.map((value) => String(value ?? '').replace(/^[=+\-@\t\r\n]/, "'$&"))
  return `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\r\n`
}
