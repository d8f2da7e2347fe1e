import { describe, expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import { CASES, produce, readInput, recorded } from './cases.ts'

const ANEW = 'run `npm run golden` and read what it changed'

test('there are a dozen cases', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(12)
})

describe.each(CASES)('golden %s', (name) => {
  const produced = produce(name)
  const kept = recorded(name)

  test('has no errors', () => {
    const errors = compile(readInput(name)).diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([])
  })

  test('has no file too many or too few', () => {
    expect([...kept.keys()].sort(), ANEW).toEqual([...produced.keys()].sort())
  })

  test.each([...produced.keys()])('%s', (path) => {
    expect(produced.get(path), ANEW).toBe(kept.get(path))
  })

  test('comes out the same a second time', () => {
    expect([...produce(name)]).toEqual([...produced])
  })
})
