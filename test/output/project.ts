import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import type { Generation } from '../../src/output/plan.ts'
import type { Result, OutputError } from '../../src/output/result.ts'

/** A directory of its own, removed when the test ends. */
export class TestDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'portico-output-'))

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true })
    writeFileSync(join(this.path, path), content)
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8')
  }

  /** Every file by path; directories without files end in `/`, links say where they lead. */
  tree(): Record<string, string> {
    return treeOf(this.path)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Returns the files in a directory without the state directory, but with the manifest. */
export function treeOf(root: string, at = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (path === '.portico') {
      const manifest = join(root, '.portico/manifest.json')
      if (readdirSync(join(root, path)).includes('manifest.json'))
        found[`${path}/manifest.json`] = readFileSync(manifest, 'utf8')
    } else if (entry.isDirectory()) {
      const below = treeOf(root, path)
      Object.assign(found, Object.keys(below).length === 0 ? { [`${path}/`]: '' } : below)
    } else {
      found[path] = entry.isSymbolicLink()
        ? `-> ${readlinkSync(join(root, path))}`
        : readFileSync(join(root, path), 'utf8')
    }
  }
  return found
}

/** A generation of these texts: `user` ones by name, `shared` ones by npm's names, the rest generated. */
export function generation(files: Record<string, string>, more: Partial<Generation> = {}): Generation {
  return {
    files: Object.entries(files).map(([path, content]) => generatedFile(path, content)),
    answers: {},
    definition: undefined,
    ...more,
  }
}

export function generatedFile(path: string, content: string): GeneratedFile {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const owner = name.startsWith('package')
    ? 'shared'
    : name === 'setup.ts' || name === 'datastore.ts'
      ? 'user'
      : 'generated'
  const isLock = name === 'package-lock.json'
  return { path, content, owner, ...(isLock ? { locks: path.replace('-lock', '') } : {}) }
}

/** The value of an outcome that has to be a good one. */
export function expectValue<T>(outcome: Result<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`)
  return outcome.value
}

/** The problem of an outcome that has to be a bad one. */
export function expectError(outcome: Result<unknown>): OutputError {
  if (outcome.ok) throw new Error('It went well.')
  return outcome.error
}

/** The functions of `node:fs` through which a write changes the disk. */
const CHANGES = [
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'writeFileSync',
  'fdatasync',
] as const

/** A change that a write makes, and the paths of it. */
export interface Change {
  readonly name: (typeof CHANGES)[number]
  readonly paths: readonly string[]
}

/** Calls `before` before each change to the disk, which are numbered from 0, until it is disposed. */
export function watchChanges(before: (number: number, change: Change) => void): Disposable {
  const { openSync: openOriginal } = fs
  const originals = Object.fromEntries(CHANGES.map((name) => [name, fs[name]]))
  /** Paths of open files, because `fdatasync` gets only their descriptor. */
  const open = new Map<unknown, string>()
  let number = 0
  function openSync(...values: Parameters<typeof fs.openSync>): number {
    const descriptor = openOriginal(...values)
    open.set(descriptor, String(values[0]))
    return descriptor
  }
  const watching =
    (name: Change['name'], original: (...values: never[]) => unknown) =>
    (...values: never[]): unknown => {
      const named = name === 'renameSync' ? values.slice(0, 2) : values.slice(0, 1)
      const paths = named.map((value) => open.get(value) ?? String(value))
      // The lock's owner is only for messages.
      if (!paths[0]?.endsWith('lock-owner')) before(number++, { name, paths })
      return original(...values)
    }
  const watched = CHANGES.map((name) => [name, watching(name, fs[name])] as const)
  Object.assign(fs, { openSync, ...Object.fromEntries(watched) })
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]: () => {
      Object.assign(fs, originals, { openSync: openOriginal })
      syncBuiltinESMExports()
    },
  }
}

/** A system error as Node raises it. */
export function systemError(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${syscall} ${path}`), { code, syscall, path })
}

/** The text of a package.json. */
export function packageJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`
}
