import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  DEPENDENCY_SETS,
  DEVELOPMENT_DEPENDENCIES,
  type DependencySet,
} from '../src/emit/typescript/dependencies.ts'

// Makes the lock files of generated services anew, one for each set of dependencies, at the versions that
// Portico itself depends on. Run it after those have changed.

const root = path.resolve(import.meta.dirname, '..')
const { dependencies: pinned } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>
}

for (const [set, names] of Object.entries(DEPENDENCY_SETS)) {
  const lock = lockOf(names)
  writeFileSync(path.join(root, 'templates/typescript/locks', `${set as DependencySet}.json`), lock)
  console.log(`${set}: ${names.join(', ')}`)
}

function lockOf(names: readonly string[]): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'portico-lock-'))
  try {
    const packageJson = {
      name: 'service',
      private: true,
      type: 'module',
      engines: { node: '>=24' },
      dependencies: versions(names),
      devDependencies: versions(DEVELOPMENT_DEPENDENCIES),
    }
    writeFileSync(path.join(directory, 'package.json'), JSON.stringify(packageJson))
    const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
    // Whoever installs asks the registry of their own.
    execFileSync('npm', ['install', ...options, '--omit-lockfile-registry-resolved'], { cwd: directory })
    return readFileSync(path.join(directory, 'package-lock.json'), 'utf8')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function versions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const version = pinned[name]
      if (version === undefined) throw new Error(`package.json does not depend on ${name}`)
      return [name, version]
    }),
  )
}
