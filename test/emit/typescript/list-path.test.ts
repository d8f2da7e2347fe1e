import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLanguage, setupText } from '../platform.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(
    'P: project {} Home: service { n: int; Photo: struct { n: int; #enumerable; } #enumerable; }',
    {
      setup: {
        home: setupText(
          `import type { Env, Router } from './hooks.ts'
export default function setup(_env: Env, router: Router): void {
  router.delete('/home/all', (c) => c.json({ gone: 'all' }))
}
`,
          'list-path.go',
        ),
      },
    },
  )
})
afterAll(() => platform.stop())

const photos = `/home/${randomUUID()}/photo/all`

// Services in TypeScript leave out the user's own routes here.
const withOwn = inLanguage({ typescript: 'GET, HEAD', go: 'DELETE, GET, HEAD' })

test.each([
  ['PUT', '/home/all', withOwn],
  ['OPTIONS', '/home/all', withOwn],
  ['PUT', photos, 'GET, HEAD'],
  ['DELETE', photos, 'GET, HEAD'],
  ['PATCH', photos, 'GET, HEAD'],
])('%s %s is not the method of an entity whose id is `all`', async (method, path, allow) => {
  const answer = await platform.call(method, path, { body: { n: 1 } })
  expect([answer.status, answer.headers.get('allow'), answer.json]).toEqual([
    405,
    allow,
    { error: 'Method not allowed' },
  ])
})

test('a route of the user’s own at the path of a list is served', async () => {
  expect((await platform.call('DELETE', '/home/all')).json).toEqual({ gone: 'all' })
})
