/** The meaning of the operating system's error codes. Names follow errno(3) and, for hosts, getaddrinfo(3). */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is already in use',
  EAI_AGAIN: 'the name of the host could not be resolved',
  EBUSY: 'the file is in use',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'a file with this name already exists',
  EFBIG: 'the file is too large',
  EHOSTUNREACH: 'the host is unreachable',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the file name is too long',
  ENETUNREACH: 'the network is unreachable',
  ENFILE: 'too many open files on this machine',
  ENODEV: 'no such device',
  ENOENT: 'no such file or directory',
  ENOMEM: 'out of memory',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'part of the path is not a directory',
  ENOTEMPTY: 'the directory is not empty',
  ENOTFOUND: 'unknown host',
  ENXIO: 'no such device',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'connection timed out',
  ETXTBSY: 'the file is being executed',
  EXDEV: 'the file is not on the same file system as the output directory',
}

/** Whether the operating system raised this error: Node gives such an error a `code` and a `syscall`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

/** Returns what a system error prevented, and why: `Could not access \`shop\`: permission denied`. */
export function systemErrorMessage(error: NodeJS.ErrnoException, path = error.path): string {
  const reason = systemErrorReason(error)
  if (error.syscall === 'listen' && 'port' in error)
    return `Could not listen on port ${String(error.port)}: ${reason}`
  if (path === undefined) return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  if (error.syscall !== 'mkdir') return `Could not access \`${path}\`: ${reason}`
  // The parent is there: see `createDirectories`. A link that leads nowhere exists, too.
  if (error.code === 'EEXIST') return `\`${path}\` is not a directory`
  return `Could not create \`${path}\`: ${error.code === 'ENOENT' ? 'its file system does not allow it' : reason}`
}

/** Returns the reason of a system error, for the end of a message: `no such file or directory`. */
export function systemErrorReason({ code = 'unknown error' }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? `the operating system returned ${code}`
}
