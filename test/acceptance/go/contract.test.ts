import { afterEach, test } from 'vitest'
import { expectContractOfProcesses, SERVICES, WITH_USERS } from '../../contract/processes.ts'
import type { RunningPlatform } from '../../emit/typescript/running-platform.ts'

let running: RunningPlatform | undefined
afterEach(() => running?.stop())

test.each([
  ['with users', WITH_USERS.replace('project {', 'project { #language(go);')],
  ['without users', `Library: project { #language(go); }${SERVICES}`],
])('processes in Go %s', async (_, definition) => {
  await expectContractOfProcesses(definition, (platform) => (running = platform))
})
