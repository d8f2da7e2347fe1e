import { randomUUIDv7 } from 'node:crypto'
import { eq, getTableColumns, gt, sql } from 'drizzle-orm'
import {
  boolean,
  date,
  doublePrecision,
  integer,
  pgTable,
  text as textColumn,
  uuid as uuidColumn,
} from 'drizzle-orm/pg-core'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { check, createApp, listen, readBody, text, uuid } from './app.ts'
import { datetime, db } from './database.ts'

// What an engineer would write by hand for Thing of measured.portico.

const things = pgTable('thing', {
  id: uuidColumn('id').primaryKey(),
  owner: uuidColumn('_owner').notNull(),
  title: textColumn('title').notNull(),
  amount: integer('amount').notNull(),
  price: doublePrecision('price').notNull(),
  due: date('due').notNull(),
  startsAt: datetime('starts_at').notNull(),
  active: boolean('active').notNull(),
})
const { owner: _, ...columns } = getTableColumns(things)

const ThingRequest = z.object({
  title: text(120),
  amount: z.int().min(0).max(1_000_000),
  price: z.number().min(0),
  due: z.iso.date(),
  startsAt: z.iso.datetime({ offset: true }),
  active: z.boolean(),
})
const Page = z.object({
  limit: z.coerce.number().int().min(1).max(1000),
  after: uuid.default('00000000-0000-0000-0000-000000000000'),
})

const param = sql.placeholder
const select = db
  .select(columns)
  .from(things)
  .where(eq(things.id, param('id')))
  .prepare('select')
const list = db
  .select(columns)
  .from(things)
  .where(gt(things.id, param('after')))
  .orderBy(things.id)
  .limit(param('limit'))
  .prepare('list')
const insert = db
  .insert(things)
  .values({
    id: param('id'),
    owner: param('owner'),
    title: param('title'),
    amount: param('amount'),
    price: param('price'),
    due: param('due'),
    startsAt: param('startsAt'),
    active: param('active'),
  })
  .returning(columns)
  .prepare('insert')

const app = createApp('thing')

app.get('/thing/all', async (c) => {
  const { limit, after } = check(Page, c.req.query())
  // One more shows whether another page follows.
  const found = await list.execute({ after, limit: limit + 1 })
  const page = found.slice(0, limit)
  if (found.length > limit)
    c.header('Link', `</api/thing/all?limit=${limit}&after=${page.at(-1)?.id}>; rel="next"`)
  return c.json({ ThingList: page })
})

app.get('/thing/:id', async (c) => {
  const id = check(uuid, c.req.param('id'))
  const [thing] = await select.execute({ id })
  if (thing === undefined) throw new HTTPException(404, { message: `Thing not found: ${id}` })
  return c.json(thing)
})

app.post('/thing', async (c) => {
  const request = await readBody(c, ThingRequest)
  const [thing] = await insert.execute({ id: randomUUIDv7(), owner: c.var.caller.id, ...request })
  return c.json(thing, 201, { Location: `/api/thing/${thing?.id}` })
})

listen(app)
