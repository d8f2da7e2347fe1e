import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico generate`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico generate` is not available yet.')
}
