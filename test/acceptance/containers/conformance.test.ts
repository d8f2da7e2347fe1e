import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { wholeDefinition } from '../../example-definition.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import { example } from './definitions.ts'
import { type Deployment, deploy } from './deployment.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Both at a time on a busy machine. */
const TIMEOUT_MS = 600_000

/**
 * What services do is tested without containers. Here platforms show that the same code does it in its image and
 * behind Envoy: with users, with roles, and without users.
 */
const CASES = [
  ['stays', example('stays/stays.portico')],
  ['desk', wholeDefinition(path.join(import.meta.dirname, '../../../examples/desk/desk.portico'))],
  ['types without users', withoutAuthentication(example('types/types.portico'))],
] as const

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

// Building and waiting for health checks leaves the processors idle: the other platform uses them meanwhile.
describe.concurrent('through Envoy and Compose, an example does what its definition says', {
  timeout: TIMEOUT_MS,
}, () => {
  test.each(CASES)('%s', (_, text) => expectConformance(text))
})
