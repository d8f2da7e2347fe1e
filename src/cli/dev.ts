import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico dev`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico dev` is not available yet.')
}
