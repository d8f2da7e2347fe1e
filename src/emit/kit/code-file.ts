import { braces, type Code, code, join, print } from './layout.ts'

/** One TypeScript file while it is written: it collects imports where they are used. */
export interface CodeFile {
  /** Relative to the service's `src/`. */
  readonly path: string
  /** Imports a value from a package or, by its path below `src/`, from a file of the service; gives its name. */
  value(module: string, name: string): string
  /** Imports what a module exports by default, under this name. */
  main(module: string, name: string): string
  /** Imports a type in the same way. */
  type(module: string, name: string): string
  /** The whole text: imports, then the body, which begins at the start of a line and ends without a new one. */
  text(body: Code): string
}

const DEFAULT = 'default as '

/** Starts a file at `path`, relative to the service's `src/`. */
export function codeFile(path: string): CodeFile {
  const imports = new Map<string, Map<string, 'value' | 'type'>>()

  function use(module: string, name: string, kind: 'value' | 'type'): string {
    const names = imports.get(module) ?? new Map<string, 'value' | 'type'>()
    if (names.get(name) !== 'value') names.set(name, kind)
    imports.set(module, names)
    return name
  }

  return {
    path,
    value: (module, name) => use(module, name, 'value'),
    main: (module, name) => {
      use(module, `${DEFAULT}${name}`, 'value')
      return name
    },
    type: (module, name) => use(module, name, 'type'),
    text(body) {
      const lines = [...imports]
        .map(([module, names]) => [module.endsWith('.ts') ? relative(path, module) : module, names] as const)
        .sort(byModule)
        .map(([module, names]) => importLine(module, names))
      const head = lines.length === 0 ? '' : code`${join(lines, '\n')}\n\n`
      return print(code`${head}${body}\n`)
    },
  }
}

function importLine(module: string, names: ReadonlyMap<string, 'value' | 'type'>): Code {
  const sorted = [...names].toSorted(([a], [b]) => compareNames(a, b))
  const [only] = sorted
  // One name is never broken, however long the line.
  if (only !== undefined && sorted.length === 1) {
    const [name, kind] = only
    if (name.startsWith(DEFAULT)) return `import ${name.slice(DEFAULT.length)} from '${module}'`
    return `import ${kind === 'type' ? 'type ' : ''}{ ${name} } from '${module}'`
  }
  if (sorted.every(([, kind]) => kind === 'type')) {
    return code`import type ${braces(sorted.map(([name]) => name))} from '${module}'`
  }
  const items = sorted.map(([name, kind]) => (kind === 'type' ? `type ${name}` : name))
  return code`import ${braces(items)} from '${module}'`
}

/** Packages first, then the files of the service, the farther ones first. */
function byModule([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return distance(b) - distance(a) || compareNames(a, b)
}

function distance(module: string): number {
  if (module.startsWith('node:')) return 4
  if (!module.startsWith('.')) return 3
  return module.startsWith('../') ? 2 : 1
}

/** Regardless of case, then by code unit: the same on every machine. */
function compareNames(a: string, b: string): number {
  return compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function relative(from: string, to: string): string {
  const folder = from.split('/').slice(0, -1)
  const target = to.split('/')
  let shared = 0
  while (shared < folder.length && folder[shared] === target[shared]) shared++
  const up = folder.length - shared
  return `${up === 0 ? './' : '../'.repeat(up)}${target.slice(shared).join('/')}`
}
