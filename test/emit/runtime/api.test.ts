import { expect, test } from 'vitest'
import { createApi } from '../../../templates/typescript/lib/api.ts'
import { baseConfig } from '../../../templates/typescript/lib/config.ts'
import { createLog } from '../../../templates/typescript/lib/log.ts'
import { page } from '../../../templates/typescript/lib/lists.ts'
import { ids, limitBodies } from '../../../templates/typescript/lib/requests.ts'

const log = createLog('home', 'silent')
const names = { service: 'Home', conflicts: {} }

test('in a test without a server, an unexpected error is 500', async () => {
  const api = createApi({ ...names, log }).get('/', () => {
    throw new Error('unexpected')
  })
  const response = await api.request('/')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ error: 'Internal server error' })
})

test('a route that forgets to return its response is 500', async () => {
  const config = baseConfig.parse({ DATABASE_URL: 'postgres://home', MAX_BODY_BYTES: '100000' })
  const api = createApi({ ...names, log })
    .use(limitBodies(config))
    .all('/', ids(), page, async (c) => {
      c.json({ forgotten: await c.req.text() })
    })
  const body = 'a'.repeat(20_000)
  const bodies = [undefined, { method: 'POST', body, headers: { 'content-length': String(body.length) } }]
  for (const init of bodies) {
    const response = await api.request('/', init)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: 'Internal server error' })
  }
})
