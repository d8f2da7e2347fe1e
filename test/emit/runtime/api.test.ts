import { expect, test } from 'vitest'
import { createApi } from '../../../templates/lib/api.ts'
import { createLog } from '../../../templates/lib/log.ts'

test('in a test without a server, an unexpected error is 500', async () => {
  const api = createApi({ service: 'Home', conflicts: {}, log: createLog('home', 'silent') }).get('/', () => {
    throw new Error('unexpected')
  })
  const response = await api.request('/')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ error: 'Internal server error' })
})
