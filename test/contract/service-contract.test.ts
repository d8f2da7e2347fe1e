import { afterEach, expect, test } from 'vitest'
import { platformOf } from '../emit/platform.ts'
import { type RunningPlatform, runPlatform } from '../emit/typescript/running-platform.ts'
import { startTestPlatform, type TestPlatform } from '../conformance/platform.ts'
import { expectServiceContract, register } from './service-contract.ts'

const SERVICES = `
Shelf: service { label: string(40); #enumerable; Slot: struct { width: int; } }
Book: service { shelf: Shelf; title: string(80); #omit[read]; }`
const WITH_USERS = `Library: project { #authMethod(email); #metrics(prometheus); }
Reader: service { name: string(80); #auth; }${SERVICES}`

let running: RunningPlatform | TestPlatform | undefined
afterEach(() => running?.stop())

test.each([
  ['with users', WITH_USERS],
  ['without users', `Library: project {}${SERVICES}`],
  ['in Go', WITH_USERS.replace('project {', 'project { #language(go);')],
  ['in Go, without users', `Library: project { #language(go); }${SERVICES}`],
])('processes %s', async (_, definition) => {
  const started = await runPlatform(definition)
  running = started
  const platform = platformOf(definition)
  const [, token] = (await started.authorization('00000000-0000-1000-8000-000000000000')).split(' ')
  await expectServiceContract({
    platform: { ...platform, authentication: undefined },
    token: platform.authentication && token,
    url: (directory, port) => {
      const service = started.services.get(directory)
      return (
        { api: service?.url, internal: service?.internalUrl, metrics: service?.metricsUrl }[port] || undefined
      )
    },
    log: async (directory) => started.services.get(directory)?.output.text,
  })
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
