import { basename, dirname, sep } from 'node:path'
import { isSystemError, systemErrorMessage, systemErrorReason } from '../system-error.ts'
import { STATE_DIRECTORY } from './state-paths.ts'

/**
 * `path`: a generated path that is not safe to write. `obstacle`: an entry in the output directory that is not
 * of the required kind. `conflict`: files that were edited by hand or that Portico did not write. `manifest`: a
 * manifest that cannot be read. `interrupted`: an earlier write is incomplete. `busy`: another process has
 * locked the directory. `system`: the operating system returned an error.
 */
type Code = 'path' | 'obstacle' | 'conflict' | 'manifest' | 'interrupted' | 'busy' | 'system'

/** Why the output could not be planned or written. Thrown within this stage; other stages get a `Result`. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  readonly code: Code
  /** What the user can do about it. */
  readonly help: string | undefined

  constructor(code: Code, message: string, help?: string) {
    super(message)
    this.code = code
    this.help = help
  }
}

/** A value, or the error that prevented it. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: OutputError }

/**
 * Returns an error as a failed result. A system error names the file, and `outcome` is added to its message.
 *
 * @throws every other error again.
 */
export function failure(error: unknown, outcome?: string): Result<never> {
  if (error instanceof OutputError) return { ok: false, error }
  if (!isSystemError(error)) throw error
  // A move has two ends; the user knows the one outside the state directory.
  const ends = ['dest' in error && typeof error.dest === 'string' ? error.dest : undefined, error.path]
  const path =
    ends.find((end) => end !== undefined && !end.split(sep).includes(STATE_DIRECTORY)) ?? error.path
  const message = messageOf(error, path)
  const help = error.syscall === 'mkdir' ? 'choose another directory with `--output`' : undefined
  return {
    ok: false,
    error: new OutputError('system', outcome === undefined ? message : `${message}. ${outcome}`, help),
  }
}

function messageOf(error: NodeJS.ErrnoException, path: string | undefined): string {
  const reason = systemErrorReason(error)
  if (path === undefined) return `Could not access the output: ${reason}`
  // The user did not ask for a state directory.
  if (error.syscall === 'mkdir' && basename(path) === STATE_DIRECTORY)
    return `Could not write to \`${dirname(path)}\`: ${reason}`
  return systemErrorMessage(error, path)
}
