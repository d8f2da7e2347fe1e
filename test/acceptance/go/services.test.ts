import { describe } from 'vitest'

// What the tests of services in TypeScript prove holds for services in Go as well.
process.env['TEST_LANGUAGE'] = 'go'

describe('access', async () => {
  await import('../../emit/typescript/access.test.ts')
})
describe('bodies', async () => {
  await import('../../emit/typescript/bodies.test.ts')
})
describe('calls', async () => {
  await import('../../emit/typescript/calls.test.ts')
})
describe('conflicts', async () => {
  await import('../../emit/typescript/deadlocks.test.ts')
})
describe('hooks', async () => {
  await import('../../emit/typescript/hooks.test.ts')
})
describe('lists', async () => {
  await import('../../emit/typescript/lists.test.ts')
})
describe('filters and orders', async () => {
  await import('../../emit/typescript/list-criteria.test.ts')
})
describe('paths of lists', async () => {
  await import('../../emit/typescript/list-path.test.ts')
})
describe('operations', async () => {
  await import('../../emit/typescript/operations.test.ts')
})
describe('outages', async () => {
  await import('../../emit/typescript/outage.test.ts')
})
describe('starting', async () => {
  await import('../../emit/typescript/starting.test.ts')
})
describe('authentication', async () => {
  await import('../../emit/auth/auth.test.ts')
})
