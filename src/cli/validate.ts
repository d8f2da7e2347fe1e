import type { RunCommand } from './command.ts'
import { usageFailure } from './failure.ts'

/** `portico validate`. */
export const run: RunCommand = async () => {
  throw usageFailure('`portico validate` is not available yet.')
}
