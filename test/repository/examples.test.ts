import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hundred } from '../../scripts/hundred-definition.ts'
import { compile, emit } from '../../src/compile.ts'
import { platformOf } from '../emit/platform.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const NAMES = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe.each(NAMES)('the example %s', (name) => {
  const files = readdirSync(join(EXAMPLES, name))
  const definition = files.find((file) => /\.(portico|temple)$/.test(file)) ?? ''

  test('is a definition without errors', () => {
    const { diagnostics } = compile(readFileSync(join(EXAMPLES, name, definition), 'utf8'))
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('says what it shows', () => {
    expect(existsSync(join(EXAMPLES, name, 'README.md'))).toBe(true)
  })
})

test('running an example changes nothing that version control tracks', () => {
  const tracked = execFileSync('git', ['ls-files', '*/platform/*'], { cwd: EXAMPLES, encoding: 'utf8' })
  for (const file of tracked.trim().split('\n')) expect(file).toMatch(/\/src\/(?:setup|datastore)\.ts$/)
  const manifest = 'stays/platform/.portico/manifest.json'
  expect(execFileSync('git', ['check-ignore', manifest], { cwd: EXAMPLES, encoding: 'utf8' })).toContain(
    manifest,
  )
})

test('hooks of stays take the password that generated documents register with', () => {
  const shown = /"password": "([^"]+)"/.exec(
    String(
      emit(platformOf(readFileSync(join(EXAMPLES, 'stays/stays.portico'), 'utf8'))).find(
        ({ path }) => path === 'README.md',
      )?.content,
    ),
  )
  const hooks = readFileSync(join(EXAMPLES, 'stays/platform/auth/src/setup.ts'), 'utf8')
  expect(hooks).not.toContain(`'${shown?.[1] ?? 'iloveyou'}'`)
})

describe('the hundred services', () => {
  const text = readFileSync(join(EXAMPLES, 'hundred/hundred.portico'), 'utf8')

  test('are what their script makes', () => {
    expect(text, 'run `npm run hundred`').toBe(hundred(100))
  })

  test('are a hundred in about 1,300 lines', () => {
    expect(compile(text).platform?.services).toHaveLength(100)
    expect(text.split('\n').length).toBeGreaterThan(1200)
    expect(text.split('\n').length).toBeLessThan(1500)
  })

  test('may be a thousand', () => {
    const { diagnostics, platform } = compile(hundred(1000))
    expect(diagnostics).toEqual([])
    expect(platform?.services).toHaveLength(1000)
  })
})
