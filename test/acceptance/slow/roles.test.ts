import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import { resultLines } from '../../../src/conformance/report.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import { ROLE_FAULTS, ROLES } from '../../conformance/faults/roles.ts'
import { replacing } from '../../conformance/faults/fault.ts'
import { startTestPlatform, type TestPlatform } from '../../conformance/platform.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform(ROLES)
})

afterAll(() => platform?.stop())

// The second run leaves entities behind.
test.each([false, true])(
  'a platform with roles conforms to its definition (isolated: %s)',
  async (isolated) => {
    const target = { ...platform.target, isolated }
    const { results } = await runChecks(platform.platform, deriveChecks(platform.platform), target)
    expect(resultLines(results, PAINT, true)).toEqual([])
    const passed = results.filter(({ outcome }) => outcome === 'passed').map(({ title }) => title)
    expect(passed.filter((title) => title.startsWith('roles decide')).length).toBe(8 * 5)
  },
)

test('checks that need a role are skipped without a credential', async () => {
  const checks = deriveChecks(platform.platform).filter(({ group }) => group === 'Audit')
  const target = { ...platform.target, isolated: false, credential: undefined }
  const { results } = await runChecks(platform.platform, checks, target)
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.map(({ reason }) => reason)).toContain('signing such tokens requires `--credentials`')
})

test.each(ROLE_FAULTS)('a check finds: $description', async ({ files = {}, foundBy }) => {
  const changes = Object.entries(files).map(([path, changed]) => [path, replacing(changed)] as const)
  await platform.change(Object.fromEntries(changes))
  const { results } = await platform.check(({ group, title }) => `${group}: ${title}`.startsWith(foundBy))
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed'])
})
