import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunSummary } from '../../src/conformance/check.ts'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import { readSamples } from '../../src/conformance/read-samples.ts'
import { hookLines, resultLines } from '../../src/conformance/report.ts'
import { runChecks } from '../../src/conformance/run.ts'
import { Samples } from '../../src/conformance/samples.ts'
import type { Json } from '../../src/json.ts'
import { runProcess, temporaryDirectory } from '../cli/harness.ts'
import { setupPath, setupText, testLanguage } from '../emit/platform.ts'
import { startTestPlatform, type TestPlatform } from './platform.ts'

const DEFINITION = `
Shop: project { #authMethod(email); }
Guest: service { #auth; }
Home: service {
  address: string(40);
  code: string(12, 4) @unique;
  beds: int(40, 1);
}
`

const AUTH_SETUP = setupText(
  `import { HookError, type Env } from './hooks.ts'

export default function setup(env: Env): void {
  env.hooks.beforeRegister((_env, { email }) => {
    if (!email.toLowerCase().endsWith('@corp.example')) throw new HookError(403, 'Only employees can register')
  })
}
`,
  'samples-auth.go',
)

const HOME_SETUP = setupText(
  `import { HookError, type Env } from './hooks.ts'

export default function setup(env: Env): void {
  env.hooks.beforeCreate((_env, { code, beds }) => {
    if (!/^[A-Z]{2}-\\d+$/.test(code)) throw new HookError(400, 'The code is a country and a number')
    if (beds % 2 === 1) throw new HookError(400, 'Beds come in pairs')
  })
  env.hooks.beforeUpdate((_env, { address, beds }) => {
    if (!address.startsWith('Lake') || beds > 10) throw new HookError(403, 'Too far from the lake: ' + address)
  })
}
`,
  'samples-home.go',
)

const HOME_SAMPLES = {
  address: ['Lake 1', 'Lake 2'],
  code: Array.from({ length: 12 }, (_, index) => `DE-${index}`),
  beds: { create: [2, 4], update: [6, 7] },
}

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform(DEFINITION, testLanguage())
  await platform.change({
    [setupPath('auth')]: () => AUTH_SETUP,
    [setupPath('home')]: () => HOME_SETUP,
  })
})

afterAll(async () => {
  await platform?.stop()
})

/** Runs the checks of these groups with samples. None of them may fail. */
async function check(json: Json, groups: readonly string[] = ['Auth', 'Guest', 'Home']): Promise<RunSummary> {
  const samples = new Samples()
  readSamples(json, platform.platform, samples)
  const target = { ...platform.target, isolated: false, samples }
  const checks = deriveChecks(platform.platform, samples).filter(({ group }) => groups.includes(group))
  const summary = await runChecks(platform.platform, checks, target)
  expect(resultLines(summary.results, PAINT, true)).toEqual([])
  return summary
}

function passed({ results }: RunSummary): string[] {
  return results.filter(({ outcome }) => outcome === 'passed').map(({ group, title }) => `${group}: ${title}`)
}

describe('checks of a platform with rules in hooks', () => {
  test('are skipped behind a rule at registration, and say so', async () => {
    const summary = await check({})
    const { length } = summary.results.filter(({ hook }) => hook !== undefined)
    expect(passed(summary).length).toBeLessThan(length / 2)
    expect(hookLines(summary.results, PAINT)).toEqual([
      'Skipped because of hooks',
      `  - ${length} checks: POST /api/auth/register responds with 403 "Only employees can register"`,
    ])
  })

  test('are skipped behind the next rule, whose messages may differ', async () => {
    const samples = { Auth: { email: '*@corp.example' }, Home: { ...HOME_SAMPLES, address: 'Hill' } }
    const { results } = await check(samples, ['Home'])
    const [, ...lines] = hookLines(results, PAINT)
    expect(lines.find((line) => line.includes('PUT'))).toMatch(
      /^ {2}- \d+ checks: PUT \/api\/home\/\{id\} responds with 403 "Too far from the lake: Hill"/,
    )
  })

  test('run with samples, except those of values that hooks reject', async () => {
    const summary = await check({ Auth: { email: '*@corp.example' }, Home: HOME_SAMPLES })
    const skipped = summary.results.filter(({ hook }) => hook !== undefined)
    expect(skipped.map(({ group, title }) => `${group}: ${title}`)).toEqual([
      'Auth: emails must be valid addresses (22 invalid ones)',
      'Home: `address` (string, at most 40 characters) accepts 10 valid values',
      'Home: `code` (string, 4 to 12 characters) accepts 8 valid values',
      'Home: `beds` (integer, 1 to 40) accepts 5 valid values',
    ])
  })

  test('say how many samples they need of a unique attribute', async () => {
    const samples = { Auth: { email: '*@corp.example' }, Home: { ...HOME_SAMPLES, code: 'DE-1' } }
    const { results } = await check(samples, ['Home'])
    const reasons = new Set(results.flatMap(({ hook, reason }) => (hook === undefined ? (reason ?? []) : [])))
    expect([...reasons]).toEqual(
      expect.arrayContaining([
        'the check needs 2 samples of `code` of Home, which must be unique, and has 1',
        'the check needs more samples of `code` of Home, which must be unique, than 1',
      ]),
    )
  })

  test('use users of the samples, who may be registered already', async () => {
    const email = Array.from({ length: 6 }, (_, index) => `user-${index}@corp.example`)
    const samples = { Auth: { email, password: 'battery staple 9' }, Home: HOME_SAMPLES }
    // The second run finds them registered.
    for (let run = 0; run < 2; run++) {
      const summary = await check(samples, ['Auth', 'Home'])
      expect(passed(summary)).toContain('Home: a created entity can be read')
      const register = summary.results.find(({ title }) => title.startsWith('register returns 201'))
      expect(register?.reason).toBe(
        'the check needs more emails than the 6 of the samples: give one with `*`',
      )
    }
  })
})

test('`portico test` reads test/samples.json, and runs test/before.ts first', {
  timeout: 300_000,
}, async () => {
  const cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), DEFINITION)
  mkdirSync(join(cwd, 'shop/test'), { recursive: true })
  // Without this, Node would read a project in Go in a repository of this type as CommonJS.
  writeFileSync(join(cwd, 'package.json'), '{"type":"commonjs"}')
  writeFileSync(join(cwd, 'shop/test/samples.json'), JSON.stringify({ Home: HOME_SAMPLES }))
  writeFileSync(
    join(cwd, 'shop/test/before.ts'),
    `export default async function before({ gateway }: { gateway: string }) {
  const email = 'before@corp.example'
  const password = 'battery staple 8'
  const body = JSON.stringify({ email, password })
  const { status } = await fetch(\`\${gateway}/api/auth/register\`, { method: 'POST', body })
  return { Auth: { email: [email, \`*-\${status}@corp.example\`], password } }
}
`,
  )
  const { status, stdout, stderr } = await runProcess(
    ['test', 'shop.portico', '--gateway', platform.target.gateway],
    { cwd },
  )
  expect({ status, failures: stdout.match(/✖.*/g) }).toEqual({ status: 0, failures: null })
  expect(stderr).toBe(`Running shop/test/before.ts\nChecking ${platform.target.gateway}\n`)
  const [all = 0, run = 0, skipped = 0] =
    /^(\d+) checks: (\d+) passed, (\d+) skipped/m.exec(stdout)?.slice(1).map(Number) ?? []
  expect(all).toBe(run + skipped)
  expect(run).toBeGreaterThan(75)
  // Four that hooks reject, one for which a user would need two entities, two that need the credentials of the gateway,
  // and one of the description, which this gateway does not serve.
  expect(skipped).toBe(8)
  expect(stdout).toContain('Skipped because of hooks\n')
  expect(stdout).toContain(
    '    To run them, list values that the hooks accept in `shop/test/samples.json`, or return them from `shop/test/before.ts`\n',
  )
})
