import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES as ALL_CASES, emitCase } from './cases.ts'

// Every case is emitted into one directory, with this repository's dependencies. One run of each tool sees all of them,
// and one `tsconfig.json` instead of one for each service lets the compiler load the dependencies once.

const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'portico-goldens-'))
/** The cases in TypeScript. `test/emit/go` checks the others. */
const CASES = ALL_CASES.filter((name) => emitCase(name).some(({ path }) => path === 'package.json'))
const files = CASES.flatMap((name) =>
  emitCase(name).map(({ path, content }) => ({ path: join(directory, name, path), content })),
)
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
    JSON.stringify({ ...options, include: ['*/*/src', '*/*/test'] }),
  )
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
})

afterAll(() => rmSync(directory, { recursive: true }))

describe('the golden projects', { timeout: 300_000 }, () => {
  test('share the strict compiler options that this file compiles them with', () => {
    expect(configs).toHaveLength(CASES.length)
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

  test('compile', async () => {
    expect(await run('tsc', ['--project', directory])).toBe('')
  })

  test('lint with type information', async () => {
    const config = join(ROOT, 'test/goldens/oxlint.json')
    const output = await run('oxlint', ['--type-aware', '--deny-warnings', '--config', config, ...CASES])
    expect(output).toMatch(/Found 0 warnings and 0 errors/)
  })

  test('lint with the configuration of a generated project', async () => {
    const config = join(directory, 'reserved-words/.oxlintrc.json')
    const output = await run('oxlint', ['--deny-warnings', '--config', config, ...CASES])
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
      expect(await lint(code)).toContain('Move shared code into lib/')
    } finally {
      rmSync(file)
    }
  })

  test('are formatted', async () => {
    // JSON and YAML are laid out as the tools that read them print it.
    const sources = files.map(({ path }) => path).filter((path) => path.endsWith('.ts'))
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
