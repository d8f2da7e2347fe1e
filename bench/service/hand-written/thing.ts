import { newId, sql, toInstant } from './database.ts'
import { createApp, readBody, Refusal, serve } from './serve.ts'
import { bool, date, float, instant, integer, pathId, requireAll, text } from './validation.ts'

// What an engineer would write by hand for Thing of measured.portico.

interface Row {
  id: string
  title: string
  amount: number
  price: number
  due: string
  starts_at: string
  active: boolean
}

function toThing(row: Row) {
  const { id, title, amount, price, due, active } = row
  return { id, title, amount, price, due, startsAt: toInstant(row.starts_at), active }
}

const app = createApp('thing')

app.get('/thing/all', async (c) => {
  const rows = await sql<
    Row[]
  >`SELECT id, title, amount, price, due, starts_at, active FROM thing ORDER BY id`
  return c.json({ ThingList: rows.map(toThing) })
})

app.get('/thing/:id', async (c) => {
  const id = pathId(c.req.param('id'))
  const [row] = await sql<
    Row[]
  >`SELECT id, title, amount, price, due, starts_at, active FROM thing WHERE id = ${id}`
  if (row === undefined) throw new Refusal(404, `Thing not found: ${id}`)
  return c.json(toThing(row))
})

app.post('/thing', async (c) => {
  const body = await readBody(c.req.raw)
  requireAll(body, ['title', 'amount', 'price', 'due', 'startsAt', 'active'])
  const title = text('title', body['title'], 1, 120)
  const amount = integer('amount', body['amount'], 0, 1_000_000)
  const price = float('price', body['price'], 0)
  const due = date('due', body['due'])
  const startsAt = instant('startsAt', body['startsAt'])
  const active = bool('active', body['active'])
  const [row] = await sql<Row[]>`
    INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
    VALUES (${newId()}, ${c.var.caller.id}, ${title}, ${amount}, ${price}, ${due}, ${startsAt}, ${active})
    RETURNING id, title, amount, price, due, starts_at, active`
  if (row === undefined) throw new Error('Nothing inserted')
  return c.json(toThing(row), 201, { Location: `/api/thing/${row.id}` })
})

serve(app)
