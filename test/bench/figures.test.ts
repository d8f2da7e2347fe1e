import { describe, expect, test } from 'vitest'
import { type Figure, median, reached, table } from '../../bench/figures.ts'

const figure = (value: number, must: Figure['must']): Figure => ({
  what: 'read',
  value,
  unit: 'x',
  must,
  detail: '12 against 10',
})

describe('figures', () => {
  test('have a median', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(() => median([])).toThrow('at least one value')
  })

  test('are compared with their limits', () => {
    expect(reached(figure(0.95, { atLeast: 0.95 }))).toBe(true)
    expect(reached(figure(0.94, { atLeast: 0.95 }))).toBe(false)
    expect(reached(figure(1.1, { atMost: 1.1 }))).toBe(true)
    expect(reached(figure(1.2, { atMost: 1.1 }))).toBe(false)
    expect(reached(figure(99, undefined))).toBe(true)
  })

  test('are printed in a table', () => {
    expect(table([figure(1.2345, { atMost: 1.1 })])).toBe(
      [
        '| what | measured | must reach    | reached | from          |',
        '|------|----------|---------------|---------|---------------|',
        '| read | 1.23 x   | at most 1.1 x | NO      | 12 against 10 |',
      ].join('\n'),
    )
  })
})
