import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico explain`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico explain` is not available yet.')
}
