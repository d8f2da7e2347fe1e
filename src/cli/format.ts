import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico format`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico format` is not available yet.')
}
