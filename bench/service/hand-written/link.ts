import { randomUUIDv7 } from 'node:crypto'
import { getTableColumns, sql } from 'drizzle-orm'
import { pgTable, text as textColumn, uuid as uuidColumn } from 'drizzle-orm/pg-core'
import { HTTPException } from 'hono/http-exception'
import { Pool } from 'undici'
import { z } from 'zod'
import { createApp, listen, readBody, text, uuid } from './app.ts'
import { db } from './database.ts'
import type { Caller } from './identity.ts'

// What an engineer would write by hand for Link of measured.portico.

const links = pgTable('link', {
  id: uuidColumn('id').primaryKey(),
  owner: uuidColumn('_owner').notNull(),
  title: textColumn('title').notNull(),
  account: uuidColumn('account').notNull(),
  place: uuidColumn('place').notNull(),
})
const { owner: _, ...columns } = getTableColumns(links)

const LinkRequest = z.object({ title: text(120), account: uuid, place: uuid })

const param = sql.placeholder
const insert = db
  .insert(links)
  .values({
    id: param('id'),
    owner: param('owner'),
    title: param('title'),
    account: param('account'),
    place: param('place'),
  })
  .returning(columns)
  .prepare('insert')

const TIMEOUT_MS = 2000

/** Returns a function that rejects an id that is unknown to the service. */
function reference(service: string, url = '') {
  const pool = new Pool(url, { connections: 128, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  return async (id: string, { token }: Caller, requestId: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': requestId }
    const body = JSON.stringify({ ids: [id] })
    const response = await pool
      .request({ method: 'POST', path: '/references', headers, body })
      .catch(() => undefined)
    if (response?.statusCode !== 200) throw new HTTPException(503, { message: `${service} is unavailable` })
    const { unknown } = (await response.body.json()) as { unknown: string[] }
    if (unknown.length > 0) throw new HTTPException(400, { message: `Unknown ${service}: ${id}` })
  }
}

const checkAccount = reference('Account', process.env['ACCOUNT_INTERNAL_URL'])
const checkPlace = reference('Place', process.env['PLACE_INTERNAL_URL'])

const app = createApp('link')

app.post('/link', async (c) => {
  const request = await readBody(c, LinkRequest)
  const { caller, requestId } = c.var
  await Promise.all([
    checkAccount(request.account, caller, requestId),
    checkPlace(request.place, caller, requestId),
  ])
  const [link] = await insert.execute({ id: randomUUIDv7(), owner: caller.id, ...request })
  return c.json(link, 201, { Location: `/api/link/${link?.id}` })
})

listen(app)
