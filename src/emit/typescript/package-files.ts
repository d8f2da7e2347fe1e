import type { GeneratedFile } from '../contract.ts'
import type { TargetPart } from '../target.ts'
import { readTemplate } from '../codegen/templates.ts'
import { dependenciesOf } from './dependencies.ts'

type Versions = Readonly<Record<string, string>>

/** The parts of an npm lock file that are read. */
interface Lock {
  readonly packages: { readonly '': LockedRoot } & Readonly<Record<string, LockedPackage>>
}
interface LockedRoot {
  readonly engines: Versions
  readonly dependencies: Versions
  readonly devDependencies: Versions
}
interface LockedPackage {
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
}

/** Files that are the same in every project. */
const FIXED: Readonly<Record<string, string>> = {
  'tsconfig.json': 'tsconfig.json',
  '.oxlintrc.json': 'oxlintrc.json',
  'drizzle.config.ts': 'drizzle.config.ts',
}

/** The files that make a project an npm package: `package.json`, its lock file, and the settings of the tools. */
export function packageFiles(part: TargetPart): GeneratedFile[] {
  const lock = JSON.parse(readTemplate('typescript/project/package-lock.json')) as Lock
  const { engines, dependencies, devDependencies } = lock.packages['']
  const used = dependenciesOf(part)
  const root = {
    name: part.platform.names.kebab,
    dependencies: Object.fromEntries(used.map((name) => [name, dependencies[name] ?? ''])),
    devDependencies,
    engines,
  }
  const packageJson = {
    name: root.name,
    private: true,
    type: 'module',
    engines,
    imports: { '#lib/*': './lib/*', '#shared/*': './shared/*' },
    scripts: {
      check: 'tsc && oxlint --type-aware --deny-warnings',
      test: "node --import ./lib/testing-postgres.ts --test '*/test/*.test.ts'",
      studio: 'npx drizzle-kit@0.31.11 studio',
    },
    dependencies: root.dependencies,
    devDependencies,
  }
  return [
    { path: 'package.json', content: json(packageJson), owner: 'shared' },
    {
      path: 'package-lock.json',
      content: json(lockOf(lock, root)),
      owner: 'shared',
      locks: 'package.json',
    },
    ...Object.entries(FIXED).map(([path, template]): GeneratedFile => {
      return { path, content: readTemplate(`typescript/project/${template}`), owner: 'generated' }
    }),
  ]
}

/** The part of the lock file that a project needs, which has the packages of all projects. */
function lockOf(
  lock: Lock,
  root: LockedPackage & { readonly name: string; readonly devDependencies: Versions },
): object {
  const kept = new Set<string>()
  const pending = [...Object.keys(root.dependencies ?? {}), ...Object.keys(root.devDependencies)].map(
    (name) => `node_modules/${name}`,
  )
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const locked = lock.packages[path]
    if (locked === undefined || kept.has(path)) continue
    kept.add(path)
    const names = [locked.dependencies, locked.optionalDependencies, locked.peerDependencies].flatMap(
      (versions) => Object.keys(versions ?? {}),
    )
    pending.push(...names.map((name) => resolvePackage(lock, path, name)))
  }
  const packages = Object.entries(lock.packages).filter(([path]) => kept.has(path))
  return { ...lock, name: root.name, packages: { '': root, ...Object.fromEntries(packages) } }
}

/** Where Node finds a package that another one depends on. */
function resolvePackage({ packages }: Lock, from: string, name: string): string {
  for (
    let place = from;
    place !== '';
    place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))
  ) {
    const path = `${place}/node_modules/${name}`
    if (packages[path] !== undefined) return path
  }
  return `node_modules/${name}`
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
