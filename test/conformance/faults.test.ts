import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resultLines } from '../../src/conformance/report.ts'
import { FAULTS } from './faults/all.ts'
import { DEFINITION, type Fault } from './faults/fault.ts'
import { startTestPlatform, type TestPlatform } from './platform.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform(DEFINITION)
})

afterAll(async () => {
  await platform?.stop()
})

/** The change that makes these replacements, each of which has to have its place in the text. */
function replacing(replacements: readonly (readonly [RegExp | string, string])[]): (text: string) => string {
  return (text) =>
    replacements.reduce((before, [from, to]) => {
      // A string would have `$` mean something.
      const after = typeof from === 'string' ? before.replace(from, () => to) : before.replace(from, to)
      if (after === before) throw new Error(`Nothing to break: ${from} is not in\n${before}`)
      return after
    }, text)
}

test('a platform that is as it was generated passes', async () => {
  const { results } = await platform.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
  expect(platform.complaints).toEqual([])
  const names = results.map(({ group, sentence }) => `${group}: ${sentence}`)
  for (const { foundBy } of FAULTS)
    expect(
      names.filter((name) => name.startsWith(foundBy)),
      foundBy,
    ).toHaveLength(1)
})

describe('a fault is found:', () => {
  test.each(FAULTS)('$what', async ({ files = {}, sql, rules, foundBy }: Fault) => {
    const changes = Object.entries(files).map(
      ([path, replacements]) => [path, replacing(replacements)] as const,
    )
    await platform.change(Object.fromEntries(changes))
    if (sql) await platform.sql(sql.service, sql.breaks)
    if (rules) platform.setRules(rules(platform))
    try {
      const { results } = await platform.check(({ group, sentence }) =>
        `${group}: ${sentence}`.startsWith(foundBy),
      )
      expect(results.map(({ outcome }) => outcome)).toEqual(['failed'])
    } finally {
      if (sql) await platform.sql(sql.service, sql.mends)
      platform.setRules(platform.rules)
    }
  })
})

test('a platform whose faults are mended passes again', async () => {
  await platform.change({})
  const { results } = await platform.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
})
