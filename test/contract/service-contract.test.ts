import { afterEach, expect, test } from 'vitest'
import type { RunningPlatform } from '../emit/typescript/running-platform.ts'
import { startTestPlatform, type TestPlatform } from '../conformance/platform.ts'
import { expectContractOfProcesses, SERVICES, WITH_USERS } from './processes.ts'
import { expectServiceContract, register } from './service-contract.ts'

let running: RunningPlatform | TestPlatform | undefined
afterEach(() => running?.stop())

test.each([
  ['with users', WITH_USERS],
  ['without users', `Library: project {}${SERVICES}`],
])('processes %s', async (_, definition) => {
  await expectContractOfProcesses(definition, (platform) => (running = platform))
})

const REPORT_URL = `import type { Env, Router } from './hooks.ts'
export default function setup(env: Env, router: Router): void {
  router.get('/book/shelf-url', (c) => c.json(env.config.SHELF_INTERNAL_URL))
}
`

test('portico dev', async () => {
  const started = await startTestPlatform(WITH_USERS)
  running = started
  await started.change({ 'book/src/setup.ts': () => REPORT_URL })
  const token = await register(started.target.gateway)
  const response = await fetch(`http://${started.target.gateway}/api/book/shelf-url`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const url = (await response.json()) as string
  expect(url).toMatch(/^http:/)
  await expectServiceContract({
    platform: {
      ...started.platform,
      authentication: undefined,
      // The others are called by nobody, so that only dev knows their ports.
      services: started.platform.services.filter(({ directory }) => directory === 'shelf'),
    },
    token,
    url: (_, port) => (port === 'internal' ? url : undefined),
    log: async () => undefined,
  })
})
