import { sep } from 'node:path'
import { STATE_DIRECTORY } from './state-directory.ts'

/** Why the output could not be planned or written. Nothing was changed, unless the message says otherwise. */
export interface OutputProblem {
  readonly code: ProblemCode
  /** One sentence, or a few lines where files are listed, without a trailing line end. */
  readonly message: string
  /** What to do about it, as a sentence of its own. */
  readonly advice: string | undefined
}

/**
 * `path`: an emitted path that may not be written anywhere. `obstacle`: something in the output directory is
 * in the way of the directories that are ours. `conflict`: files that were edited by hand or are not ours.
 * `manifest`: a manifest that cannot be read. `interrupted`: an earlier write waits to be finished. `busy`:
 * another generation holds the directory. `system`: the operating system refused.
 */
export type ProblemCode = 'path' | 'obstacle' | 'conflict' | 'manifest' | 'interrupted' | 'busy' | 'system'

/** Either a value or the problem that stood against it. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: OutputProblem }

/** The outcome that went well. */
export function success<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

/** The outcome that did not. */
export function failure(code: ProblemCode, message: string, advice?: string): Outcome<never> {
  return { ok: false, problem: { code, message, advice } }
}

/** What the system's error codes mean, as half a sentence. Names follow errno(3). */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the disk failed',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links run in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'there is no such file or directory',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a directory',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  EXDEV: 'it lies on another file system than the output directory',
}

/** Whether the operating system raised this error: Node gives such a `code` and a `syscall`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

/** A system error as a sentence that names the file. Other errors are faults of ours and are thrown on. */
export function systemFailure(error: unknown, advice?: string): Outcome<never> {
  if (!isSystemError(error)) throw error
  const reason = REASONS[error.code ?? ''] ?? `the system says ${error.code}`
  const dest = 'dest' in error && typeof error.dest === 'string' ? [error.dest] : []
  // Of a move, the end that a user knows is the one that is no staged file of ours.
  const ends = [...dest, ...(error.path === undefined ? [] : [error.path])]
  const place = ends.find((path) => !path.split(sep).includes(STATE_DIRECTORY)) ?? error.path
  return failure('system', `${place === undefined ? '' : `${place}: `}${reason}.`, advice)
}
