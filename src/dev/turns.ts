import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns a function that runs tasks in the order of its calls, `count` at a time. One that takes longer than
 * `milliseconds` goes on, but no longer holds up the others.
 */
export function createTurns(
  count: number,
  milliseconds: number,
): <Outcome>(task: () => Promise<Outcome>) => Promise<Outcome> {
  const waiting: (() => void)[] = []
  let free = count
  return async (task) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    const outcome = task()
    const settled = new AbortController()
    await Promise.race([
      outcome.catch(() => {}),
      delay(milliseconds, undefined, { signal: settled.signal }).catch(() => {}),
    ])
    settled.abort()
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
    return outcome
  }
}
