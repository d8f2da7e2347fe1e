import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CASES, GOLDEN } from './cases.ts'

// The goldens lie inside the repository, so their imports find Portico's own dependencies. One run of each
// tool sees all of them.

const ROOT = join(import.meta.dirname, '../..')
const SERVICES = CASES.flatMap((name) => {
  const expected = join(GOLDEN, name, 'expected')
  return readdirSync(expected)
    .map((directory) => join(expected, directory))
    .filter((directory) => existsSync(join(directory, 'package.json')))
})

describe('the golden projects', { timeout: 300_000 }, () => {
  test('have services', () => {
    expect(SERVICES.length).toBeGreaterThan(CASES.length)
  })

  test('share the compiler options that this file compiles them with', () => {
    const options = SERVICES.map((service) => readFileSync(join(service, 'tsconfig.json'), 'utf8'))
    expect(new Set(options).size).toBe(1)
  })

  test('ask the compiler to be strict', () => {
    const { compilerOptions } = JSON.parse(
      readFileSync(join(SERVICES[0] ?? '', 'tsconfig.json'), 'utf8'),
    ) as { compilerOptions: Record<string, unknown> }
    expect(compilerOptions).toMatchObject({
      strict: true,
      noEmit: true,
      erasableSyntaxOnly: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
    })
  })

  test('compile', async () => {
    expect(await run('tsc', ['--project', join(GOLDEN, 'tsconfig.json')])).toBe('')
  })

  test('lint with type information', async () => {
    const config = join(import.meta.dirname, 'oxlint.json')
    const said = await run('oxlint', ['--type-aware', '--deny-warnings', '--config', config, GOLDEN])
    expect(said).toMatch(/Found 0 warnings and 0 errors/)
  })

  test('are formatted', async () => {
    expect(await run('biome', ['format', '--colors=off', GOLDEN])).toMatch(/No fixes applied/)
  })
})

/** What a tool prints, however it ends. */
function run(tool: string, args: readonly string[]): Promise<string> {
  const program = join(ROOT, 'node_modules/.bin', tool)
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, maxBuffer: 1 << 24, timeout: 280_000 }, (_error, stdout, stderr) => {
      resolve(stdout + stderr)
    })
  })
}
