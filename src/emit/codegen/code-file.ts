import type { EnumType } from '../../model/platform.ts'
import { braces, type Code, code, join, print } from './layout.ts'

/** Builds a TypeScript file and collects its imports. */
export interface CodeFile {
  /** Relative to the service's `src/`. */
  readonly path: string
  /** Imports a value from a package, from `#lib/...` or from a file of the service (by its path below `src/`). Returns its name. */
  value(module: string, name: string): string
  /** Imports the default export of a module under this name. */
  defaultImport(module: string, name: string): string
  /** Imports a whole module under this name, as a value or as types only. */
  namespace(module: string, name: string, kind?: 'value' | 'type'): string
  /** Imports a type. Returns its name. */
  type(module: string, name: string): string
  /** Returns the text of the file: imports, then the body, which does not end with a line break. */
  text(body: Code): string
}

const DEFAULT = 'default as '
const NAMESPACE = '* as '

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
    defaultImport: (module, name) => {
      use(module, `${DEFAULT}${name}`, 'value')
      return name
    },
    namespace: (module, name, kind = 'value') => {
      use(module, `${NAMESPACE}${name}`, kind)
      return name
    },
    type: (module, name) => use(module, name, 'type'),
    text(body) {
      const lines = [...imports]
        .map(([module, names]) => [isLocal(module) ? relative(path, module) : module, names] as const)
        .sort(byModule)
        .map(([module, names]) => importLine(module, names))
      const head = lines.length === 0 ? '' : code`${join(lines, '\n')}\n\n`
      return print(code`${head}${body}\n`)
    },
  }
}

function isLocal(module: string): boolean {
  return module.endsWith('.ts') && !module.startsWith('#') && !module.startsWith('.')
}

function importLine(module: string, names: ReadonlyMap<string, 'value' | 'type'>): Code {
  const sorted = [...names].toSorted(([a], [b]) => compareNames(a, b))
  const [only] = sorted
  // A single name is not broken, even if the line is too long.
  if (only !== undefined && sorted.length === 1) {
    const [name, kind] = only
    if (name.startsWith(DEFAULT)) return `import ${name.slice(DEFAULT.length)} from '${module}'`
    const imported = name.startsWith(NAMESPACE) ? name : `{ ${name} }`
    return `import ${kind === 'type' ? 'type ' : ''}${imported} from '${module}'`
  }
  if (sorted.every(([, kind]) => kind === 'type')) {
    return code`import type ${braces(sorted.map(([name]) => name))} from '${module}'`
  }
  const items = sorted.map(([name, kind]) => (kind === 'type' ? `type ${name}` : name))
  return code`import ${braces(items)} from '${module}'`
}

/** Sorts packages before `lib`, that before files of the service, and parent directories before siblings. */
function byModule([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return distance(b) - distance(a) || compareNames(a, b)
}

function distance(module: string): number {
  if (module.startsWith('node:')) return 5
  if (module.startsWith('#')) return 3
  if (!module.startsWith('.')) return 4
  return module.startsWith('../') ? 2 : 1
}

/** Compares without regard to case, then by code unit, so that the order is the same on every machine. */
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

/** A text as a TypeScript literal, with the quotes that take fewer escapes, single ones if that is equal. */
export function stringLiteral(text: string): string {
  const [single, double] = ["'", '"'].map((quote) => text.split(quote).length)
  const literal = JSON.stringify(text)
  if ((single ?? 0) > (double ?? 0)) return literal
  return `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The TypeScript type of an `enum`: `'open' | 'closed'`. */
export function enumUnionType({ values }: EnumType): string {
  return values.map((value) => `'${value}'`).join(' | ')
}
