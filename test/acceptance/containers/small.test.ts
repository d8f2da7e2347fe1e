import { afterAll, beforeAll, describe } from 'vitest'
import { changes } from './changes.ts'
import { SMALL } from './definitions.ts'
import { type Deployment, deploy } from './deployment.ts'
import { largeRows } from './large-rows.ts'
import { logs } from './logs.ts'
import { privileges } from './privileges.ts'
import { restarts } from './restarts.ts'
import { rotation } from './rotation.ts'
import { sharedServer } from './shared-server.ts'

// One deployment for all of them, in this order: each leaves it as the next one takes it.

let running: Deployment | undefined
const small = (): Deployment => {
  if (running === undefined) throw new Error('The platform does not run')
  return running
}

beforeAll(async () => {
  running = await deploy(SMALL)
})
afterAll(() => running?.destroy())

describe('privileges', () => privileges(small))
describe('logs', () => logs(small))
describe('rotation', () => rotation(small))
describe('restarts', () => restarts(small))
describe('changes', () => changes(small))
describe('large rows', () => largeRows(small))
describe('a shared server', () => sharedServer(small))
