import { Buffer } from 'node:buffer'
import {
  closeSync,
  constants,
  copyFileSync,
  fdatasync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'

/**
 * Every change that a write makes to a disk. Paths are absolute; system errors are thrown. It is an interface
 * so that tests can end the process, or refuse, at each single step.
 */
export interface Disk {
  /** Makes one directory; its parent exists. */
  makeDirectory(path: string): void
  /** Removes an empty directory. */
  removeDirectory(path: string): void
  /** Writes a file that does not exist yet, with `mode` cut by the process's mask. */
  create(path: string, content: string, mode: number): void
  /** Gives a file a second name that does not exist yet; where the file system has no links, copies it. */
  link(path: string, second: string): void
  /** Moves a file or directory, over a file that may be there. */
  rename(from: string, to: string): void
  unlink(path: string): void
  /** Removes a directory with all that is in it, never following links; one that is not there is no error. */
  removeTree(path: string): void
  /** Waits until the contents of files, or the names in directories, are on the medium. */
  flush(paths: readonly string[]): Promise<void>
}

/** The real thing. */
export const DISK: Disk = {
  makeDirectory: (path) => mkdirSync(path),
  removeDirectory: rmdirSync,
  create: createFile,
  link: linkOrCopy,
  rename: renameSync,
  unlink: unlinkSync,
  removeTree: (path) => rmSync(path, { recursive: true, force: true }),
  flush,
}

function createFile(path: string, content: string, mode: number): void {
  const descriptor = openSync(path, 'wx', mode)
  try {
    const bytes = Buffer.from(content)
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
  } finally {
    closeSync(descriptor)
  }
}

/** FAT has no links, some network drives refuse them, and a file may have too many. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])

function linkOrCopy(path: string, second: string): void {
  try {
    linkSync(path, second)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(path, second, constants.COPYFILE_EXCL)
  }
}

/** As many as keep the pool of threads of Node busy; file systems write many flushes at once. */
const PARALLEL_FLUSHES = 8

async function flush(paths: readonly string[]): Promise<void> {
  const waiting = paths.values()
  const work = async (): Promise<void> => {
    for (const path of waiting) await flushOne(path)
  }
  await Promise.all(Array.from({ length: PARALLEL_FLUSHES }, work))
}

async function flushOne(path: string): Promise<void> {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    // Windows opens no directories.
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return
    throw error
  }
  try {
    await new Promise<void>((resolve, reject) => {
      fdatasync(descriptor, (error) => (error === null || isNoSync(error) ? resolve() : reject(error)))
    })
  } finally {
    closeSync(descriptor)
  }
}

/** Some file systems cannot flush directories, or read-only descriptors; they have no more to give. */
function isNoSync(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EINVAL' || error.code === 'EPERM' || error.code === 'EBADF'
}
