import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, matchesGlob, relative } from 'node:path'
import { compile } from '../../src/compile.ts'
import { emitProject } from '../../src/emit/project.ts'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import type { Overrides } from '../../src/model/resolve.ts'

/**
 * Contains `<case>/input.portico` (or `input.temple`) and what is recorded for it: `diagnostics.txt`, `expected/**`, and
 * in `copies.sha256` the digests of copies of `templates/` and of lock files, in the format of `sha256sum`. Where a file
 * contains a template, a line in the same format replaces it.
 */
export const GOLDEN = join(import.meta.dirname, '../golden')

/** The cases of which the whole project is recorded: one for each target. */
const WHOLE = ['all-features']

/** The files that every other case is about, as patterns of paths in the project. Only these are recorded. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  access: ['*/src/{queries,routes}/*.ts'],
  annotations: ['item-db/migrations/*.sql', 'item/src/{entities,hooks}.ts', 'item/src/queries/*.ts'],
  authentication: ['auth-db/migrations/*.sql', 'entry/src/queries/*.ts'],
  comments: ['*-db/migrations/*.sql', '*/src/entities.ts', 'README.md', 'api/*.yaml'],
  go: ['go.mod', '{book,loan,reader}/*.go', 'auth/{comm,main,roles}.go', 'internal/*client/*.go'],
  jobs: [
    'invoice-db/migrations/*.sql',
    'invoice/src/{app,jobs,main,setup}.ts',
    'other/src/{jobs,main}.ts',
    'package.json',
  ],
  'long-names': ['*-db/migrations/*.sql', '*/src/schema.ts', 'compose.yaml'],
  names: ['*-db/migrations/*.sql', '*/src/schema.ts', 'gateway/envoy.yaml'],
  'no-attributes': ['*-db/migrations/*.sql', '*/src/{queries,routes}/*.ts', '*/src/entities.ts'],
  'no-endpoints': ['*/src/app.ts', '*/src/routes/*.ts'],
  omit: ['*/src/routes/*.ts'],
  optional: [
    'category-db/migrations/*.sql',
    'category/src/{entities,schema}.ts',
    'category/src/queries/*.ts',
  ],
  references: ['train-db/migrations/*.sql', 'train/src/{comm,entities}.ts', '*/src/routes/*.ts'],
  'reserved-words': ['*-db/migrations/*.sql', 'order/src/{entities,hooks,schema}.ts'],
  siblings: ['drawing-db/migrations/*.sql', 'drawing/src/{entities,schema}.ts', 'drawing/src/queries/*.ts'],
  structs: [
    'bed-db/migrations/*.sql',
    'bed/src/**',
    'README.md',
    'compose.yaml',
    'gateway/*',
    'package.json',
  ],
  temple: ['README.md', 'deploy.sh', 'gateway/*', 'kube/**', 'package.json', 'prometheus/*'],
  tiny: ['note-db/migrations/*.sql', 'note/{src,test}/**'],
  types: [
    'every-db/migrations/*.sql',
    'every/src/{entities,schema}.ts',
    'every/src/queries/*.ts',
    'api/*.yaml',
  ],
  uses: ['*/src/{comm,config}.ts'],
}

/** What a case is generated with in addition to its definition. */
const OVERRIDES: Readonly<Record<string, Overrides>> = {
  temple: { language: 'typescript', provider: 'kube' },
}

/** The names of all cases. */
export const CASES: readonly string[] = readdirSync(GOLDEN).sort()

/** Returns the definition of a case. */
export function readInput(name: string): string {
  const temple = join(GOLDEN, name, 'input.temple')
  return readFileSync(existsSync(temple) ? temple : join(GOLDEN, name, 'input.portico'), 'utf8')
}

/** Returns the diagnostics of a case, one per line. */
export function diagnosticLines(name: string): string {
  const { diagnostics } = compile(readInput(name), OVERRIDES[name])
  const lines = diagnostics.map(
    ({ severity, code, range, message }) =>
      `${severity}[${code}] ${range.start.line}:${range.start.column}-${range.end.line}:${range.end.column} ${message}\n`,
  )
  return lines.join('')
}

/** Returns every file of the project of a case. */
export function emitCase(name: string): readonly GeneratedFile[] {
  const { platform } = compile(readInput(name), OVERRIDES[name])
  return platform === undefined ? [] : emitProject(platform)
}

/** Returns the patterns of a case that match none of its files. */
export function unmatchedPatterns(name: string): string[] {
  const files = emitCase(name)
  return (RECORDED[name] ?? []).filter((pattern) => !files.some(({ path }) => matchesGlob(path, pattern)))
}

/** Returns what should be recorded for a case, by path in its directory. */
export function toRecord(name: string): ReadonlyMap<string, string> {
  const files = emitCase(name).filter(
    ({ path }) => WHOLE.includes(name) || RECORDED[name]?.some((pattern) => matchesGlob(path, pattern)),
  )
  const digests = files
    .filter(isCopy)
    .map(({ path, content }) => `${hash('sha256', content)}  expected/${path}\n`)
  return new Map([
    ...files
      .filter((file) => !isCopy(file))
      .map(({ path, content }) => [`expected/${path}`, withDigests(content)] as const),
    ...(digests.length === 0 ? [] : [['copies.sha256', digests.join('')] as const]),
    ['diagnostics.txt', diagnosticLines(name)],
  ])
}

/** Returns what is recorded for a case, by path in its directory. */
export function recorded(name: string): ReadonlyMap<string, string> {
  const directory = join(GOLDEN, name)
  const files = filesBelow(directory).filter((file) => !basename(file).startsWith('input.'))
  return new Map(files.map((file) => [file.slice(directory.length + 1), readFileSync(file, 'utf8')]))
}

/** Returns the absolute paths of all files in a directory and the directories in it. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const ROOT = join(import.meta.dirname, '../..')

/** The paths of all templates by their text. */
const TEMPLATES = new Map(
  filesBelow(join(ROOT, 'templates')).map((file) => [readFileSync(file, 'utf8'), relative(ROOT, file)]),
)

function isCopy({ path, content }: GeneratedFile): boolean {
  return TEMPLATES.has(content) || basename(path) === 'package-lock.json'
}

/** The parts of `deploy.sh`. */
const PARTS = [...TEMPLATES].filter(([, path]) => path.startsWith('templates/deploy/'))

/** Replaces each part of `deploy.sh` in a file by a line with its digest and path. */
function withDigests(content: string): string {
  return PARTS.reduce(
    (text, [part, path]) => text.replace(part, `${hash('sha256', part)}  ${path}\n`),
    content,
  )
}
