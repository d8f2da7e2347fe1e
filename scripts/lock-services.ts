import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ALL_DEPENDENCIES, DEV_DEPENDENCIES } from '../src/emit/typescript/dependencies.ts'

// Updates the lock file of generated projects to the versions that Portico itself depends on. Each project gets the part
// that it needs. Run it after these versions have changed.

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = path.resolve(import.meta.dirname, '..')
const installed = readLock(root).packages
/** Generated code runs on the same versions of Node as Portico. */
const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly engines: { readonly node: string }
}

const directory = mkdtempSync(path.join(tmpdir(), 'portico-lock-'))
try {
  const packageJson = {
    name: 'project',
    private: true,
    type: 'module',
    engines: { node: engines.node },
    dependencies: versions(ALL_DEPENDENCIES),
    devDependencies: versions(DEV_DEPENDENCIES),
  }
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(packageJson))
  const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
  // URLs of packages are omitted, so that users install from their own registry.
  execFileSync('npm', ['install', ...options, '--omit-lockfile-registry-resolved'], { cwd: directory })
  const lock = readLock(directory)
  const packages = { ...lock.packages, ...packagesOfOtherSystems(lock) }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(
    path.join(root, 'templates/typescript/project/package-lock.json'),
    `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function readLock(of: string): Lock {
  return JSON.parse(readFileSync(path.join(of, 'package-lock.json'), 'utf8')) as Lock
}

/** npm leaves them out, or their integrity. Portico's own lock file has them. */
function packagesOfOtherSystems({ packages }: Lock): Lock['packages'] {
  const places = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).map((name) => `node_modules/${name}`),
  )
  return Object.fromEntries(
    places.flatMap((place) => {
      const { resolved: _, ...entry } = installed[place] ?? {}
      return packages[place]?.integrity !== undefined || entry.version === undefined ? [] : [[place, entry]]
    }),
  )
}

function versions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const version = installed[`node_modules/${name}`]?.version
      if (version === undefined) throw new Error(`Portico does not depend on ${name}`)
      return [name, version]
    }),
  )
}
