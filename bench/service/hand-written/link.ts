import { Agent, request } from 'undici'
import type { Caller } from './identity.ts'
import { newId, sql } from './database.ts'
import { createApp, readBody, Refusal, serve } from './serve.ts'
import { requireAll, text, uuid } from './validation.ts'

// What an engineer would write by hand for Link of measured.portico.

interface Row {
  id: string
  title: string
  account: string
  place: string
}

const TIMEOUT_MS = 2000
const dispatcher = new Agent({ connections: 64, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

/** Refuses an id that the service does not know. */
async function checkReference(
  service: string,
  baseUrl: string | undefined,
  id: string,
  caller: Caller,
  requestId: string,
): Promise<void> {
  let unknown: readonly string[]
  try {
    const answer = await request(`${baseUrl}/references`, {
      method: 'POST',
      dispatcher,
      headers: {
        authorization: `Bearer ${caller.token}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
      },
      body: JSON.stringify({ ids: [id] }),
    })
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
    unknown = ((await answer.body.json()) as { unknown: string[] }).unknown
  } catch (cause) {
    throw new Refusal(503, `${service} is unavailable`, { cause })
  }
  if (unknown.length > 0) throw new Refusal(400, `Unknown ${service}: ${id}`)
}

const app = createApp('link')

app.post('/link', async (c) => {
  const body = await readBody(c.req.raw)
  requireAll(body, ['title', 'account', 'place'])
  const title = text('title', body['title'], 1, 120)
  const account = uuid('account', body['account'])
  const place = uuid('place', body['place'])
  const { caller, requestId } = c.var
  await Promise.all([
    checkReference('Account', process.env['ACCOUNT_INTERNAL_URL'], account, caller, requestId),
    checkReference('Place', process.env['PLACE_INTERNAL_URL'], place, caller, requestId),
  ])
  const [row] = await sql<Row[]>`
    INSERT INTO link (id, _owner, title, account, place)
    VALUES (${newId()}, ${caller.id}, ${title}, ${account}, ${place})
    RETURNING id, title, account, place`
  if (row === undefined) throw new Error('Nothing inserted')
  return c.json(row, 201, { Location: `/api/link/${row.id}` })
})

serve(app)
