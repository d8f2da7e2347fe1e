import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ALL_DEPENDENCIES, DEV_DEPENDENCIES } from '../src/emit/typescript/dependencies.ts'

// Updates the lock file of generated projects to the versions that Portico itself depends on. Each project gets the part
// that it needs. Run it after these versions have changed.

const root = path.resolve(import.meta.dirname, '..')
const { packages: installed } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, { readonly version: string }>>
}

const directory = mkdtempSync(path.join(tmpdir(), 'portico-lock-'))
try {
  const packageJson = {
    name: 'project',
    private: true,
    type: 'module',
    engines: { node: '>=26' },
    dependencies: versions(ALL_DEPENDENCIES),
    devDependencies: versions(DEV_DEPENDENCIES),
  }
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(packageJson))
  const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
  // URLs of packages are omitted, so that users install from their own registry.
  execFileSync('npm', ['install', ...options, '--omit-lockfile-registry-resolved'], { cwd: directory })
  const lock = readFileSync(path.join(directory, 'package-lock.json'))
  writeFileSync(path.join(root, 'templates/project/package-lock.json'), lock)
} finally {
  rmSync(directory, { recursive: true, force: true })
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
