import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ANNOTATIONS, METADATA, TYPES } from '../../src/language/builtins.ts'
import {
  CASES,
  diagnosticLines,
  filesBelow,
  GOLDEN,
  readInput,
  recorded,
  toRecord,
  unmatchedPatterns,
} from './cases.ts'

const HELP = 'run `npm run golden` and read the difference'

test('are at most 500 files and 42,500 lines', () => {
  const files = filesBelow(GOLDEN)
  expect(files.length).toBeLessThanOrEqual(500)
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  expect(lines).toBeLessThanOrEqual(42_500)
})

test('`all-features` uses every built-in, besides those of jobs, which have a case of their own', () => {
  const input = readInput('all-features') + readInput('jobs')
  for (const { name } of TYPES) expect(input).toMatch(new RegExp(`: ${name}\\b`))
  for (const { name } of ANNOTATIONS) expect(input).toMatch(new RegExp(`@${name}\\b`))
  for (const { name } of METADATA) expect(input).toMatch(new RegExp(`#${name}\\b`))
})

describe.each(CASES)('golden %s', (name) => {
  const expected = toRecord(name)
  const kept = recorded(name)

  test('has no errors', () => {
    expect(diagnosticLines(name)).not.toMatch(/^error/m)
  })

  test('records files that exist', () => {
    expect(kept.size).toBeGreaterThan(1)
    expect(unmatchedPatterns(name)).toEqual([])
    expect([...kept.keys()].sort(), HELP).toEqual([...expected.keys()].sort())
  })

  test.each([...expected.keys()])('%s', (path) => {
    expect(kept.get(path), HELP).toBe(expected.get(path))
  })

  test('is emitted the same a second time', () => {
    expect([...toRecord(name)]).toEqual([...expected])
  })
})
