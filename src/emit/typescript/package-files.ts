import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../kit/templates.ts'
import type { DependencySet } from './dependencies.ts'

/** A lock file of npm, as far as it is looked into. */
interface Lock {
  readonly packages: { readonly '': Root } & Readonly<Record<string, unknown>>
}
interface Root {
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Files that are the same in every service. */
const FIXED = ['Dockerfile', '.dockerignore', 'tsconfig.json']

/**
 * What makes a directory a package that installs, checks and runs: `package.json` with its lock file, the
 * compiler's configuration, and the image.
 */
export function packageFiles(directory: string, set: DependencySet): GeneratedFile[] {
  const lock = JSON.parse(readTemplate(`typescript/locks/${set}.json`)) as Lock
  const root = lock.packages['']
  const packageJson = {
    name: directory,
    private: true,
    type: 'module',
    engines: root.engines,
    scripts: { start: 'node src/main.ts', check: 'tsc' },
    dependencies: root.dependencies,
    devDependencies: root.devDependencies,
  }
  const named = { ...lock, name: directory, packages: { ...lock.packages, '': { ...root, name: directory } } }
  return [
    { path: `${directory}/package.json`, content: json(packageJson), owner: 'shared' },
    { path: `${directory}/package-lock.json`, content: json(named), owner: 'shared' },
    ...FIXED.map((name): GeneratedFile => {
      const content = readTemplate(`typescript/project/${name.replace(/^\./, '')}`)
      return { path: `${directory}/${name}`, content, owner: 'generated' }
    }),
  ]
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
