import { sep } from 'node:path'
import { SpellingSuggester } from '../language/spelling.ts'
import { isSystemError, systemErrorMessage } from '../system-error.ts'
import type { OutputError } from '../output/result.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { escapeControls } from './terminal-text.ts'

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

/** Returns an error for a name that is none of `known`: the help is the most similar one, or else `help`. */
export function unknownError(
  kind: string,
  name: string,
  known: Iterable<string>,
  help?: string,
): CommandError {
  const suggestion = new SpellingSuggester().suggest(name, known)
  return usageError(
    `Unknown ${kind} \`${name}\``,
    suggestion === undefined ? help : `did you mean \`${suggestion}\`?`,
  )
}

/** Returns an error of the environment: status 3. */
export function environmentError(message: string, help?: string): CommandError {
  return new CommandError(EXIT.environment, message, help)
}

/** Returns the error of a command whose output could not be planned or written. */
export function outputError({ message, help }: OutputError): CommandError {
  return environmentError(message, help)
}

/** Prints an error and returns its exit status. Its paths become relative to `cwd`, as users write them. */
export function reportError(
  error: unknown,
  context: Pick<Context, 'report' | 'colors' | 'env'> & Partial<Pick<Context, 'cwd'>>,
): ExitStatus {
  const { colors, report, env, cwd } = context
  const shown = (text: string): string =>
    escapeControls(cwd === undefined ? text : relativePaths(text, cwd), false)
  if (env['PORTICO_DEBUG'] && error instanceof Error)
    report(escapeControls(error.stack ?? error.message, false))
  const { status, message, help } = toCommandError(error)
  report(`${colors.red('error:')} ${shown(message)}`)
  if (help !== undefined) report(`${colors.cyan('help:')} ${shown(help)}`)
  return status
}

function relativePaths(text: string, cwd: string): string {
  return text.replaceAll(`\`${cwd}\``, '`.`').replaceAll(`\`${cwd}${sep}`, '`')
}

function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  if (isSystemError(error))
    return environmentError(
      systemErrorMessage(error),
      error.syscall === 'mkdir' ? 'choose another directory' : undefined,
    )
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return environmentError(
    `Portico crashed: ${what}`,
    'this is a bug; run the command again with PORTICO_DEBUG=1 and report its output',
  )
}
