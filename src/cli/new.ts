import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico new`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico new` is not available yet.')
}
