import { isSystemError, systemErrorReason } from '../system-error.ts'
import type { OutputError } from '../output/result.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { printable } from './terminal-text.ts'

/** Ends a command with an exit status, a message and help for the user, and without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly status: ExitStatus
  readonly help: string | undefined

  constructor(status: ExitStatus, message: string, help?: string) {
    super(message)
    this.status = status
    this.help = help
  }
}

/** Returns an error for wrong use of the command line: status 2. */
export function usageError(message: string, help?: string): CommandError {
  return new CommandError(EXIT.usage, message, help)
}

/** Returns an error of the environment: status 3. */
export function environmentError(message: string, help?: string): CommandError {
  return new CommandError(EXIT.environment, message, help)
}

/** Returns the error of a command whose output could not be planned or written. */
export function outputError({ message, help }: OutputError): CommandError {
  return environmentError(message, help)
}

/** Prints an error and returns its exit status. */
export function reportError(error: unknown, context: Pick<Context, 'report' | 'colors' | 'env'>): ExitStatus {
  const { colors, report, env } = context
  if (env['PORTICO_DEBUG'] && error instanceof Error) report(printable(error.stack ?? error.message))
  const { status, message, help } = toCommandError(error)
  report(`${colors.red('error:')} ${printable(message)}`)
  if (help !== undefined) report(`${colors.cyan('help:')} ${printable(help)}`)
  return status
}

function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  if (isSystemError(error)) {
    const reason = systemErrorReason(error)
    return environmentError(
      error.path === undefined
        ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
        : `Could not access \`${error.path}\`: ${reason}`,
    )
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return environmentError(
    `Portico crashed: ${what}`,
    'this is a bug; run the command again with PORTICO_DEBUG=1 and report its output',
  )
}
