/** The meaning of the operating system's error codes. Names follow errno(3). */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is already in use',
  EBUSY: 'the file is in use',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'a file with this name already exists',
  EFBIG: 'the file is too large',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the file name is too long',
  ENFILE: 'too many open files on this machine',
  ENODEV: 'no such device',
  ENOENT: 'no such file or directory',
  ENOMEM: 'out of memory',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'part of the path is not a directory',
  ENOTEMPTY: 'the directory is not empty',
  ENXIO: 'no such device',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'the file is being executed',
  EXDEV: 'the file is not on the same file system as the output directory',
}

/** Whether the operating system raised this error: Node gives such an error a `code` and a `syscall`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

/** Returns the reason of a system error, for the end of a message: `no such file or directory`. */
export function systemErrorReason({ code = 'unknown error' }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? `the operating system returned ${code}`
}
