import { describe, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { withAuthentication, withoutAuthentication } from '../../conformance/variants.ts'
import { definitionBlocks, example } from './definitions.ts'
import { type Deployment, deploy } from './deployment.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Several at a time on a busy machine. */
const TIMEOUT_MS = 1_200_000

const EXAMPLES = ['stays/stays', 'booking/booking', 'chat/chat', 'tiny/tiny', 'types/types']
const CASES = [
  ...EXAMPLES.map((file) => [file, example(`${file}.portico`)] as const),
  ['temple/library', example('temple/library.temple')] as const,
]

/**
 * What a database says when it comes or goes; the last one when it restarts after its first setup, whose client has
 * gone a moment before.
 */
const USUAL = [
  'the database system is starting up',
  'the database system is shutting down',
  'terminating connection due to administrator command',
]

/** What services and databases said that should not have happened. */
async function complaints(deployment: Deployment): Promise<string[]> {
  const { stdout } = await deployment.compose('logs', '--no-color', '--no-log-prefix')
  return stdout
    .split('\n')
    .filter(
      (line) => /"level":"error"|PANIC|FATAL: {2}/.test(line) && !USUAL.some((usual) => line.endsWith(usual)),
    )
}

async function expectConformance(text: string): Promise<void> {
  const deployment = await deploy(text)
  try {
    const { results } = await deployment.check()
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
    expect(await complaints(deployment)).toEqual([])
  } finally {
    await deployment.destroy()
  }
}

// Building and waiting for health checks leaves the processors idle: another platform uses them meanwhile.
describe.concurrent('through Envoy and Compose, an example does what its definition says', {
  timeout: TIMEOUT_MS,
}, () => {
  test.each(CASES)('%s', (_, text) => expectConformance(text))
})

describe.concurrent('the same with users in place of none, or without any', { timeout: TIMEOUT_MS }, () => {
  test.each(CASES)('%s', (_, text) =>
    expectConformance(text.includes('#authMethod') ? withoutAuthentication(text) : withAuthentication(text)),
  )
})

// All hundred take more memory and time to check than a machine for tests has; each of them refers to the users and
// to one before it, so that the first ones are a platform, and they have every kind of attribute that the others have.
test('the first services of the example with a hundred', async () => {
  await expectConformance(definitionBlocks(example('hundred/hundred.portico')).slice(0, 7).join('\n'))
})
