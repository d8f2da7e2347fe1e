import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { StartGateway, TestGateway } from './gateway.ts'
import { headerAttacks } from './header-attacks.ts'
import { pathAttacks } from './path-attacks.ts'
import { rotationTests } from './rotation.ts'
import { sizeAttacks } from './size-attacks.ts'
import { slowAttacks } from './slow-attacks.ts'
import { smugglingAttacks } from './smuggling-attacks.ts'
import { tokenAttacks } from './token-attacks.ts'

/** Registers the tests that every gateway must pass, with so many slow connections. */
export function attacks(start: StartGateway, slowConnections = 10_000): void {
  let running: TestGateway | undefined
  const gateway = (): TestGateway => {
    if (running === undefined) throw new Error('The gateway does not run')
    return running
  }
  beforeAll(async () => {
    running = await start()
  })
  beforeEach(() => {
    running?.upstream.take()
  })
  afterAll(async () => {
    await running?.stop()
  })
  headerAttacks(gateway)
  tokenAttacks(gateway)
  pathAttacks(gateway)
  smugglingAttacks(gateway)
  sizeAttacks(gateway)
  rotationTests(gateway)
  slowAttacks(gateway, slowConnections)
}
