import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico completion`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico completion` is not available yet.')
}
