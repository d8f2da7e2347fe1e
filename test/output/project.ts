import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { DISK, type Disk } from '../../src/output/disk.ts'
import type { Generation } from '../../src/output/plan.ts'
import type { Outcome, OutputProblem } from '../../src/output/problem.ts'

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

/** What stands in a directory, without what generation keeps for itself; the manifest is included. */
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
    schema: undefined,
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
  return { path, content, owner }
}

/** The value of an outcome that has to be a good one. */
export function expectValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.problem.code}: ${outcome.problem.message}`)
  return outcome.value
}

/** The problem of an outcome that has to be a bad one. */
export function expectProblem(outcome: Outcome<unknown>): OutputProblem {
  if (outcome.ok) throw new Error('It went well.')
  return outcome.problem
}

/** The real disk, with `before` called before each of its changes, which are numbered from 0. */
export function watchedDisk(
  before: (number: number, name: keyof Disk, paths: readonly string[]) => void,
): Disk {
  let number = 0
  const watch = <K extends Exclude<keyof Disk, 'flush'>>(name: K): Disk[K] =>
    ((...values: string[]) => {
      before(number++, name, values)
      return (DISK[name] as (...all: string[]) => void)(...values)
    }) as Disk[K]
  return {
    makeDirectory: watch('makeDirectory'),
    removeDirectory: watch('removeDirectory'),
    create: watch('create'),
    link: watch('link'),
    rename: watch('rename'),
    unlink: watch('unlink'),
    removeTree: watch('removeTree'),
    flush: async (paths) => {
      before(number++, 'flush', paths)
      await DISK.flush(paths)
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
