import * as fc from 'fast-check'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import { resultLines } from '../../src/conformance/report.ts'
import { definitions as generated } from './definitions.ts'
import { startTestPlatform } from './platform.ts'
import { withAuthentication, withoutAuthentication } from './variants.ts'

const ROOT = join(import.meta.dirname, '../..')

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Definitions by the name of their directory. The hundred services are for measuring. */
function definitions(pattern: string): (readonly [name: string, text: string])[] {
  return globSync(pattern, { cwd: ROOT })
    .sort()
    .map((file) => [basename(dirname(file)), readFileSync(join(ROOT, file), 'utf8')] as const)
    .filter(([name]) => name !== 'hundred')
}

const EXAMPLES = definitions('examples/*/*.{portico,temple}')

async function expectConformance(text: string): Promise<void> {
  const platform = await startTestPlatform(text)
  try {
    const { results } = await platform.check()
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
    expect(platform.complaints).toEqual([])
  } finally {
    await platform.stop()
  }
}

describe('an example does what its definition says', () => {
  test.each(EXAMPLES)('%s', (_, text) => expectConformance(text), 300_000)
})

describe('an example does what its definition says with users in place of none, or without any', () => {
  test.each(EXAMPLES)(
    '%s',
    async (_, text) => {
      const other = text.includes('#authMethod') ? withoutAuthentication(text) : withAuthentication(text)
      const authenticated = (definition: string): boolean =>
        compile(definition).platform?.authentication !== undefined
      expect(authenticated(other)).toBe(!authenticated(text))
      await expectConformance(other)
    },
    300_000,
  )
})

describe('a golden project does what its definition says', () => {
  test.each(definitions('test/golden/*/input.*'))('%s', (_, text) => expectConformance(text), 300_000)
})

describe('a platform of any definition does what that says', () => {
  // The same ones in every run, those with something to them.
  const any = fc.sample(generated, { seed: 2, numRuns: 30 }).filter((text) => text.length > 700)
  test.each(any.slice(0, 3))('%#', (text) => expectConformance(text), 300_000)
})
