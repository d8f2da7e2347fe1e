import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { emitProject } from '../../src/emit/project.ts'
import { typeErrors } from '../compiler.ts'
import { platformOf } from '../emit/platform.ts'
import { CASES, emitCase } from './cases.ts'

// Every case is emitted into one directory, with this repository's dependencies. One run of each tool sees all of them,
// and one `tsconfig.json`, one `package.json` and one `lib/` let it check what they have in common once.

const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'portico-goldens-'))
/** Projects whose example of hooks and routes has other hooks than those of the cases. */
const MORE_EXAMPLES = {
  'no-create': 'P: project {} S: service { n: int; #omit[create]; }',
  'no-operations': 'P: project {} S: service { n: int; #omit[create, read, update, delete]; }',
  'only-called':
    'P: project {} S: service { n: int; #omit[create, read, update, delete]; } T: service { s: S; #omit[create]; }',
  'nothing-to-check': 'P: project {} S: service { ok: bool; }',
  'all-public': 'P: project { #authMethod(email); } S: service { n: int; #auth; #public[hook]; }',
}
/** The projects in TypeScript. `test/acceptance/go` checks the others. */
const PROJECTS = [
  ...CASES.map((name) => ({ name, emitted: emitCase(name) })),
  ...Object.entries(MORE_EXAMPLES).map(([name, text]) => ({ name, emitted: emitProject(platformOf(text)) })),
].filter(({ emitted }) => emitted.some(({ path }) => path === 'package.json'))
const NAMES = PROJECTS.map(({ name }) => name)
const files = PROJECTS.flatMap(({ name, emitted }) =>
  [...emitted, ...examplesIn(emitted)].map(({ path, content }) => ({
    path: join(directory, /^(?:lib\/|package\.json$)/.test(path) ? '' : name, path),
    content,
  })),
)

/** The TypeScript that README.md and AGENTS.md show, in files next to the one that they are about. */
function examplesIn(emitted: readonly GeneratedFile[]): { path: string; content: string }[] {
  return emitted.flatMap(({ path, content }) => {
    const [, place, example] = /`(\S+\/)setup\.ts`:\n\n```ts\n([^]*?)^```$/m.exec(content) ?? []
    if (place === undefined || example === undefined || !path.endsWith('.md')) return []
    return [{ path: `${place}example-of-${basename(path, '.md').toLowerCase()}.ts`, content: example }]
  })
}
const configs = files.filter(({ path }) => basename(path) === 'tsconfig.json')
const options = JSON.parse(configs[0]?.content ?? '{}') as Record<string, unknown>

beforeAll(() => {
  for (const { path, content } of files) {
    if (basename(path) === 'tsconfig.json') continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ ...options, include: ['lib', '*/*/src', '*/*/test'] }),
  )
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
})

afterAll(() => rmSync(directory, { recursive: true }))

describe('the golden projects', { timeout: 300_000 }, () => {
  test('share the strict compiler options that this file compiles them with', () => {
    expect(configs).toHaveLength(NAMES.length)
    expect(new Set(configs.map(({ content }) => content)).size).toBe(1)
    expect(options).toMatchObject({
      compilerOptions: {
        strict: true,
        noEmit: true,
        erasableSyntaxOnly: true,
        noUncheckedIndexedAccess: true,
        noUnusedLocals: true,
      },
    })
  })

  test('show an example of hooks and routes', () => {
    const examples = files.filter(({ path }) => path.includes('/src/example-of-'))
    expect(examples).toHaveLength(2 * NAMES.length)
  })

  test('compile', async () => {
    expect(await typeErrors(directory)).toBe('')
  })

  test('lint with type information', async () => {
    const config = join(ROOT, 'test/goldens/oxlint.json')
    const output = await run('oxlint', [
      '--type-aware',
      '--deny-warnings',
      '--config',
      config,
      'lib',
      ...NAMES,
    ])
    expect(output).toMatch(/Found 0 warnings and 0 errors/)
  })

  test('lint with the configuration of a generated project', async () => {
    const config = join(directory, 'reserved-words/.oxlintrc.json')
    const output = await run('oxlint', ['--deny-warnings', '--config', config, 'lib', ...NAMES])
    expect(output).toMatch(/Found 0 warnings and 0 errors/)
  })

  test('do not import code of other services, but their types', async () => {
    const config = join(directory, 'reserved-words/.oxlintrc.json')
    const file = join(directory, 'references/train/src/mine.ts')
    const imported = "{ PublicCity } from '../../city/src/entities.ts'\nexport type Mine = PublicCity\n"
    const lint = async (text: string) => {
      writeFileSync(file, text)
      return run('oxlint', ['--config', config, file])
    }
    try {
      expect(await lint(`import type ${imported}`)).toMatch(/Found 0 warnings and 0 errors/)
      const code = "import { schema } from '../../city/src/schema.ts'\nexport const mine = schema\n"
      expect(await lint(code)).toContain('Move shared code into shared/')
    } finally {
      rmSync(file)
    }
  })

  test('are formatted', async () => {
    // JSON and YAML are laid out as the tools that read them print it.
    const sources = new Set(files.map(({ path }) => path).filter((path) => path.endsWith('.ts')))
    const flags = ['--colors=off', '--vcs-enabled=false', `--config-path=${join(ROOT, 'biome.json')}`]
    expect(await run('biome', ['format', ...flags, ...sources])).toMatch(/No fixes applied/)
  })
})

/** Returns what a tool prints, whatever its exit status. */
function run(tool: string, args: readonly string[]): Promise<string> {
  const program = join(ROOT, 'node_modules/.bin', tool)
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd: directory, maxBuffer: 1 << 24, timeout: 280_000 },
      (_error, stdout, stderr) => {
        resolve(stdout + stderr)
      },
    )
  })
}
