import { randomUUIDv7 } from 'node:crypto'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { pgTable, text as textColumn, uuid as uuidColumn } from 'drizzle-orm/pg-core'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { createApp, listen, readBody, text, uuid } from './app.ts'
import { transactionWith } from './database.ts'

// What an engineer would write by hand for Step of measured.portico and its hook in step-setup.ts.

const steps = pgTable('step', {
  id: uuidColumn('id').primaryKey(),
  owner: uuidColumn('_owner').notNull(),
  title: textColumn('title').notNull(),
  previous: textColumn('previous').notNull(),
})
const { owner: _, ...columns } = getTableColumns(steps)

const StepRequest = z.object({ title: text(120), previous: uuid })

const param = sql.placeholder
const transaction = transactionWith((connection) => ({
  select: connection
    .select(columns)
    .from(steps)
    .where(eq(steps.id, param('id')))
    .prepare('select'),
  insert: connection
    .insert(steps)
    .values({
      id: param('id'),
      owner: param('owner'),
      title: param('title'),
      previous: param('previous'),
    })
    .returning(columns)
    .prepare('insert'),
}))

const app = createApp('step')

app.post('/step', async (c) => {
  const request = await readBody(c, StepRequest)
  const step = await transaction(async ({ select, insert }) => {
    const [previous] = await select.execute({ id: request.previous })
    if (previous === undefined) throw new HTTPException(409, { message: 'No such previous step' })
    const [created] = await insert.execute({ id: randomUUIDv7(), owner: c.var.caller.id, ...request })
    return created
  })
  return c.json(step, 201, { Location: `/api/step/${step?.id}` })
})

listen(app)
