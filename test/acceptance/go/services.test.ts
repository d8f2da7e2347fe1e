import { describe } from 'vitest'
// Removes what all of them write.
import '../../emit/service-process.ts'

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
describe('endpoints', async () => {
  await import('../../emit/typescript/endpoints.test.ts')
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
describe('metrics', async () => {
  await import('../../emit/typescript/metrics.test.ts')
})
describe('operations', async () => {
  await import('../../emit/typescript/operations.test.ts')
})
describe('outages', async () => {
  await import('../../emit/typescript/outage.test.ts')
})
describe('patches', async () => {
  await import('../../emit/typescript/patch.test.ts')
})
describe('keys', async () => {
  await import('../../emit/typescript/idempotency.test.ts')
})
describe('versions', async () => {
  await import('../../emit/typescript/versions.test.ts')
})
describe('transitions', async () => {
  await import('../../emit/typescript/transitions.test.ts')
})
describe('constraints', async () => {
  await import('../../emit/typescript/constraints.test.ts')
})
describe('references', async () => {
  await import('../../emit/typescript/references.test.ts')
})
describe('starting', async () => {
  await import('../../emit/typescript/starting.test.ts')
})
describe('transactions', async () => {
  await import('../../emit/typescript/transactions.test.ts')
})
describe('authentication', async () => {
  await import('../../emit/auth/auth.test.ts')
})
describe('hooks of authentication', async () => {
  await import('../../emit/auth/hooks.test.ts')
})
describe('accounts', async () => {
  await import('../../emit/auth/accounts.test.ts')
})
describe('samples of the checks', async () => {
  await import('../../conformance/samples.test.ts')
})
describe('poolers', async () => {
  await import('../programs/pooler.test.ts')
})
describe('processes', async () => {
  await import('../../emit/runtime/process.test.ts')
})
describe('frozen databases', async () => {
  await import('../slow/database-outage.test.ts')
})
