import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from '../../src/dev/turns.ts'

it('runs as many tasks as allowed, in order, and returns their outcomes', async () => {
  const inTurn = createTurns(2, 10_000)
  let running = 0
  let most = 0
  const begun: number[] = []
  const run = (number: number) =>
    inTurn(async () => {
      begun.push(number)
      most = Math.max(most, ++running)
      await delay(1)
      running--
      if (number === 1) throw new Error('no key')
      return number
    })
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map(run))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect([most, begun]).toEqual([2, [0, 1, 2, 3, 4]])
})

it('does not wait for a task that takes too long', async () => {
  const inTurn = createTurns(1, 10)
  const { promise, resolve } = Promise.withResolvers<string>()
  const slow = inTurn(() => promise)
  expect(await inTurn(async () => 'next')).toBe('next')
  resolve('slow')
  expect(await slow).toBe('slow')
})
