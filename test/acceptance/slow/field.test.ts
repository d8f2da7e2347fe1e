import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import { resultLines } from '../../../src/conformance/report.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import { call } from '../../dev/run-platform.ts'
import { platformOf } from '../../emit/platform.ts'
import { EXAMPLES_TO_RUN, startExample } from '../../examples/example.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

test('examples/field conforms to its definition, with its hooks and migrations', {
  timeout: 600_000,
}, async () => {
  const example = EXAMPLES_TO_RUN.find(({ name }) => name === 'field')
  if (example === undefined) throw new Error('Missing examples/field')
  const running = await startExample(example)
  try {
    // The first account has a role that those of the checks do not expect.
    const account = { email: 'office@example.org', password: 'difference engine' }
    expect(await call(running, 'POST', '/api/auth/register', { body: account })).toMatchObject({
      status: 201,
    })
    const credentials = readFileSync(`${running.output}/.portico/dev/gateway-credentials.json`, 'utf8')
    const [credential] = (JSON.parse(credentials) as { credentials: { id: string; secret: string }[] })
      .credentials
    const platform = platformOf(readFileSync(example.definition, 'utf8'))
    const target = { gateway: running.gateway, isolated: false, credential }
    const { results } = await runChecks(platform, deriveChecks(platform), target)
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(250)
  } finally {
    await running.stop()
  }
})
