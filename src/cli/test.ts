import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico test`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico test` is not available yet.')
}
