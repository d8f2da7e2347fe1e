import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type StartGateway, startRecorders, type StartServices, type TestGateway } from './gateway.ts'
import { headerAttacks } from './header-attacks.ts'
import { pathAttacks } from './path-attacks.ts'
import { rotationTests } from './rotation.ts'
import { sizeAttacks } from './size-attacks.ts'
import { slowAttacks } from './slow-attacks.ts'
import { smugglingAttacks } from './smuggling-attacks.ts'
import { publicEndpointTests, tokenAttacks } from './token-attacks.ts'

/** Registers the tests that every gateway must pass, with so many slow connections. */
export function attacks(
  start: StartGateway,
  slowConnections = 10_000,
  startServices: StartServices = startRecorders,
): void {
  let running: TestGateway | undefined
  const started = (): TestGateway => {
    if (running === undefined) throw new Error('The gateway does not run')
    return running
  }
  beforeAll(async () => {
    const gateway = await start(startServices)
    const rotate: TestGateway['rotate'] = async (...secrets) => {
      await Promise.all([gateway.rotate(...secrets), gateway.upstream.rotate?.(...secrets)])
    }
    running = { ...gateway, rotate }
  })
  beforeEach(() => {
    running?.upstream.take()
  })
  afterAll(async () => {
    await running?.stop()
  })
  headerAttacks(started)
  tokenAttacks(started)
  if (startServices === startRecorders) publicEndpointTests(started)
  pathAttacks(started)
  smugglingAttacks(started)
  sizeAttacks(started)
  rotationTests(started)
  slowAttacks(started, slowConnections)
}
