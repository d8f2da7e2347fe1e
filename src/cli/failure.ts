import { EXIT, type ExitStatus } from './exit-status.ts'

/**
 * Ends a command with a sentence for the user and a status, never a stack trace. `message` says what is
 * wrong and `advice` (a sentence of its own) what to do about it.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: ExitStatus
  readonly advice: string | undefined

  constructor(status: ExitStatus, message: string, advice?: string) {
    super(message)
    this.status = status
    this.advice = advice
  }
}

/** Wrong use of the command line, or an answer missing: status 2. */
export function usageFailure(message: string, advice?: string): Failure {
  return new Failure(EXIT.usage, message, advice)
}

/** What the surroundings refuse: status 3. */
export function surroundingsFailure(message: string, advice?: string): Failure {
  return new Failure(EXIT.surroundings, message, advice)
}

/** What the system's error codes mean to a user. Names follow errno(3). */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is taken',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EFBIG: 'the file is too large',
  EIO: 'the disk failed',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links run in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or directory',
  ENOMEM: 'memory is used up',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a directory',
  ENOTEMPTY: 'the directory is not empty',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'it is being executed',
}

/** An error that the operating system raised (Node gives it a `code` and a `syscall`). */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

/** A system error as half a sentence: `there is no such file or directory`. Unknown codes show themselves. */
export function systemErrorReason(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'an unknown error'
  return SYSTEM_ERRORS[code] ?? `the system says ${code}`
}
