import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { Failure, isSystemError, systemErrorReason } from './failure.ts'

/** Says what went wrong, in a sentence, and gives the status that goes with it. */
export function reportError(error: unknown, context: Pick<Context, 'report' | 'colors' | 'env'>): ExitStatus {
  const { colors, report, env } = context
  const label = colors.red('error:')
  if (env['PORTICO_DEBUG'] && error instanceof Error) report(error.stack ?? error.message)
  if (error instanceof Failure) {
    report(`${label} ${error.message}`)
    if (error.advice !== undefined) report(error.advice)
    return error.status
  }
  if (isSystemError(error)) {
    const reason = systemErrorReason(error)
    const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
    report(`${label} ${error.path === undefined ? sentence : `${error.path}: ${reason}.`}`)
    return EXIT.surroundings
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  report(
    `${label} This is a fault of Portico, not of your definition (${what}). Please report it, with the output of the same command under PORTICO_DEBUG=1.`,
  )
  return EXIT.surroundings
}
