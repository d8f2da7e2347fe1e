import { expect, onTestFinished, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { freePort } from '../../free-port.ts'
import { freshDatabase } from '../../postgres.ts'
import { platformOf, setupPath, setupText } from '../platform.ts'
import { startService } from '../service-process.ts'

const SETUP = setupText(
  `import { log } from 'node:console'
import { setTimeout } from 'node:timers/promises'

export default async function setup(): Promise<void> {
  log('in setup')
  await setTimeout(60_000)
}
`,
  'starting.go',
)

test('a service that starts tells others to ask again, and never that there is no such entity', async () => {
  const files = emitProject(
    platformOf('P: project {}\nCity: service { name: string; }\nTrip: service { to: City; }'),
  )
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const internalPort = await freePort()
  const environment = { DATABASE_URL: database.url, INTERNAL_PORT: String(internalPort) }
  const service = await startService(files, 'city', environment, { [setupPath('city')]: SETUP }, 'in setup')
  onTestFinished(() => service.discard())

  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${internalPort}${path}`, init)
  const [one, several, live, ready] = await Promise.all([
    ask(`/api/city/${crypto.randomUUID()}`),
    ask('/references', { method: 'POST', body: '{"ids":[]}' }),
    ask('/health/live'),
    ask('/health/ready'),
  ])
  expect([one.status, several.status, live.status, ready.status]).toEqual([503, 503, 200, 503])
  for (const { headers } of [one, several])
    expect(Object.fromEntries(headers)).toMatchObject({ 'retry-after': '1' })
})
