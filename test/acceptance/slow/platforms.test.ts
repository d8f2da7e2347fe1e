import * as fc from 'fast-check'
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { resultLines } from '../../../src/conformance/report.ts'
import { definitions as generated } from '../../conformance/definitions.ts'
import { startTestPlatform } from '../../conformance/platform.ts'
import { wholeDefinition } from '../../example-definition.ts'
import { withAuthentication, withoutAuthentication } from '../../conformance/variants.ts'

const ROOT = join(import.meta.dirname, '../../..')

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Definitions by directory name. */
function definitions(pattern: string): (readonly [name: string, text: string])[] {
  return globSync(pattern, { cwd: ROOT })
    .sort()
    .map((file) => [basename(dirname(file)), wholeDefinition(join(ROOT, file))] as const)
}

const EXAMPLES = definitions('examples/*/*.{portico,temple}')

async function expectConformance(text: string): Promise<void> {
  const platform = await startTestPlatform(text)
  try {
    const { results } = await platform.check()
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
    expect(platform.errors).toEqual([])
  } finally {
    await platform.stop()
  }
}

/** The others are tested through Envoy, in containers, or have nothing that these do not have. */
const LARGEST = new Set(['booking', 'types'])

describe('an example conforms to its definition', () => {
  test.each(EXAMPLES.filter(([name]) => LARGEST.has(name)))(
    '%s',
    (_, text) => expectConformance(text),
    300_000,
  )
})

describe('an example conforms to its definition with authentication added or removed', () => {
  // One with users and one without.
  test.each(EXAMPLES.filter(([name]) => name === 'stays' || name === 'tiny'))(
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

/** The golden projects with something that no example has and that services see when they run. */
const GOLDENS = new Set(['all-features', 'long-names', 'references', 'reserved-words', 'uses'])

describe('a golden project conforms to its definition', () => {
  const texts = definitions('test/golden/*/input.*').filter(([name]) => GOLDENS.has(name))
  test.each(texts)('%s', (_, text) => expectConformance(text), 300_000)
})

describe('a platform of a generated definition conforms to it', () => {
  // The same definitions in every run. Short ones test little.
  const any = fc.sample(generated, { seed: 2, numRuns: 30 }).filter((text) => text.length > 700)
  test.each(any.slice(0, 2))('%#', (text) => expectConformance(text), 300_000)
})
