import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { GOLDEN, readInput } from '../../goldens/cases.ts'
import { postgresUrl } from '../../postgres.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'

// Every golden definition in Go is what its compiler, its formatter and vet expect.

const directories = new Map<string, string>()
const cases = readdirSync(GOLDEN).sort()

beforeAll(async () => {
  await Promise.all(
    cases.map(async (name) => {
      const { platform } = compile(readInput(name), { language: 'go' })
      if (platform === undefined) throw new Error(`${name} has errors`)
      const files = emitProject(platform).filter(({ path }) => /\.go$|^go\.(?:mod|sum)$/.test(path))
      directories.set(name, await writeFiles(files))
    }),
  )
})

afterAll(() => Promise.all(Array.from(directories.values(), (each) => rm(each, { recursive: true }))))

describe('golden projects in Go', { timeout: 600_000 }, () => {
  test('have the layout of gofmt', async () => {
    expect(await run('gofmt', ['-l', ...directories.values()])).toBe('')
  })

  test.each(cases)('%s compiles', async (name) => {
    expect(await run('go', ['vet', './...'], directories.get(name))).toBe('')
  })
})

test('the first tests of a project pass', { timeout: 300_000 }, async () => {
  const text = `P: project { #language(go); #authMethod(email); #roles[clerk]; }
Reader: service { name: string(80); #auth; }
Shelf: service { label: string(40) @unique; #enumerable; #readable(by: all); #writable(by: clerk); }
Book: service { shelf: Shelf; title: string(80); }`
  const directory = await writeFiles(emitProject(platformOf(text)))
  const output = await run('go', ['test', '-count=1', './...'], directory, {
    TEST_DATABASE_URL: await postgresUrl(),
  })
  await rm(directory, { recursive: true })
  const results = output
    .split('\n')
    .flatMap((line) => /^(\S+)\s+example\.com\/p\/(\w+)\s/.exec(line)?.slice(1) ?? [])
  expect(results, output).toEqual(['ok', 'auth', 'ok', 'book', 'ok', 'reader', 'ok', 'shelf'])
})

/** Runs a program of Go. Returns everything that it prints. */
function run(
  program: string,
  parameters: readonly string[],
  cwd?: string,
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, parameters, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (error !== null && 'code' in error && error.code === 'ENOENT')
        reject(new Error(`${program} was not found: install Go 1.26 or later from https://go.dev/dl`))
      else resolve(stdout + stderr)
    })
  })
}
