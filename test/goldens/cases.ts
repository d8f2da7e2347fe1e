import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, emit } from '../../src/compile.ts'
import type { Overrides } from '../../src/model/resolve.ts'

/** Holds `<case>/input.portico` (or `input.temple`), `<case>/expected/**` and `<case>/diagnostics.txt`. */
export const GOLDEN = join(import.meta.dirname, '../golden')

/** What a case is generated with beside its definition. */
const OVERRIDES: Readonly<Record<string, Overrides>> = {
  temple: { language: 'typescript', provider: 'dockerCompose' },
}

/** The names of all cases. */
export const CASES: readonly string[] = readdirSync(GOLDEN, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

/** Everything that a case leaves behind, by path below its directory. */
export function produce(name: string): ReadonlyMap<string, string> {
  const { diagnostics, platform } = compile(readInput(name), OVERRIDES[name])
  const said = diagnostics.map(
    ({ severity, code, range, message }) =>
      `${severity}[${code}] ${range.start.line}:${range.start.column}-${range.end.line}:${range.end.column} ${message}\n`,
  )
  const files = platform === undefined ? [] : emit(platform)
  return new Map([
    ...files.map((file) => [`expected/${file.path}`, file.content] as const),
    ['diagnostics.txt', said.join('')],
  ])
}

/** The definition of a case. */
export function readInput(name: string): string {
  const temple = join(GOLDEN, name, 'input.temple')
  return readFileSync(existsSync(temple) ? temple : join(GOLDEN, name, 'input.portico'), 'utf8')
}

/** What is recorded for a case, by path below its directory. */
export function recorded(name: string): ReadonlyMap<string, string> {
  const directory = join(GOLDEN, name)
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('input.'))
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((file) => [file.slice(directory.length + 1), readFileSync(file, 'utf8')]))
}
