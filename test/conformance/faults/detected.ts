import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import type { Language } from '../../../src/language/builtins.ts'
import { DEFINITION, replacing, type Fault } from './fault.ts'
import { startTestPlatform, type TestPlatform } from '../platform.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** The tests of a platform in which faults are planted: the conformance suite finds each of them. */
export function detected(faults: readonly Fault[], language: Language = 'typescript'): void {
  let platform: TestPlatform

  beforeAll(async () => {
    platform = await startTestPlatform(DEFINITION, language)
  })

  afterAll(async () => {
    await platform?.stop()
  })

  test('a generated platform passes', async () => {
    const { results } = await platform.check()
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(platform.errors).toEqual([])
    const names = results.map(({ group, title }) => `${group}: ${title}`)
    for (const { foundBy } of faults)
      expect(
        names.filter((name) => name.startsWith(foundBy)),
        foundBy,
      ).toHaveLength(1)
  })

  describe('a check finds:', () => {
    test.each(faults)('$description', async ({ files = {}, sql, gatewayConfig, foundBy }: Fault) => {
      const changes = Object.entries(files).map(
        ([path, replacements]) => [path, replacing(replacements)] as const,
      )
      const service = language === 'go' ? foundBy.split(/[.:]/)[0]?.toLowerCase() : undefined
      await platform.change(Object.fromEntries(changes), service)
      if (sql) await platform.sql(sql.service, sql.breaks)
      if (gatewayConfig) platform.configure(gatewayConfig(platform))
      try {
        const { results } = await platform.check(({ group, title }) =>
          `${group}: ${title}`.startsWith(foundBy),
        )
        expect(results.map(({ outcome }) => outcome)).toEqual(['failed'])
      } finally {
        if (sql) await platform.sql(sql.service, sql.fixes)
        platform.configure(platform.gatewayConfig)
      }
    })
  })

  test('a platform whose faults are fixed passes again', async () => {
    await platform.change({})
    // The checks leave entities on a platform of their own, and with them values of @unique attributes.
    await platform.sql('home', 'TRUNCATE home CASCADE')
    await platform.sql('topic', 'TRUNCATE topic CASCADE')
    const { results } = await platform.check()
    expect(resultLines(results, PAINT, true)).toEqual([])
  })
}
