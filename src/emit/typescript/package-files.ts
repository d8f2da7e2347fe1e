import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../kit/templates.ts'
import type { DependencySet } from './dependencies.ts'

/** A lock file of npm, as far as it is looked into. */
interface Lock {
  readonly packages: { readonly '': Root } & Readonly<Record<string, unknown>>
}
interface Root {
  readonly name: string
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Files that are the same in every service. */
const FIXED = ['Dockerfile', '.dockerignore', 'tsconfig.json']

/**
 * What makes a directory a package that installs, checks and runs: `package.json` with its lock file, the
 * compiler's configuration, and the image. The package has no name: so the files of services with equal
 * dependencies are equal, and their images share the layer that installs them.
 */
export function packageFiles(directory: string, set: DependencySet): GeneratedFile[] {
  const { packageJson, lock } = manifestsOf(set)
  return [
    { path: `${directory}/package.json`, content: packageJson, owner: 'shared' },
    { path: `${directory}/package-lock.json`, content: lock, owner: 'shared' },
    ...FIXED.map((name): GeneratedFile => {
      const content = readTemplate(`typescript/project/${name.replace(/^\./, '')}`)
      return { path: `${directory}/${name}`, content, owner: 'generated' }
    }),
  ]
}

interface Manifests {
  readonly packageJson: string
  readonly lock: string
}

const manifests = new Map<DependencySet, Manifests>()

/** `package.json` and its lock file as text. Made once. */
function manifestsOf(set: DependencySet): Manifests {
  const known = manifests.get(set)
  if (known !== undefined) return known
  const lock = JSON.parse(readTemplate(`typescript/locks/${set}.json`)) as Lock
  const { name: _, ...root } = lock.packages['']
  const packageJson = {
    private: true,
    type: 'module',
    engines: root.engines,
    scripts: { start: 'node src/main.ts', check: 'tsc' },
    dependencies: root.dependencies,
    devDependencies: root.devDependencies,
  }
  const nameless = { ...lock, name: undefined, packages: { ...lock.packages, '': root } }
  const made = { packageJson: json(packageJson), lock: json(nameless) }
  manifests.set(set, made)
  return made
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
