import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hundred } from '../../scripts/hundred-definition.ts'
import { compile } from '../../src/compile.ts'
import { emitProject } from '../../src/emit/project.ts'
import { definitionFolder } from '../../src/definition-folder.ts'
import { platformOf } from '../emit/platform.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const NAMES = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe.each(NAMES)('the example %s', (name) => {
  const files = readdirSync(join(EXAMPLES, name))
  const definition = files.find((file) => /\.(portico|temple)$/.test(file)) ?? ''

  test('is a definition without errors', () => {
    const file = join(EXAMPLES, name, definition)
    const { diagnostics } = compile(readFileSync(file, 'utf8'), {}, definitionFolder(file))
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('has a README', () => {
    expect(existsSync(join(EXAMPLES, name, 'README.md'))).toBe(true)
  })
})

test('hooks of stays take the password that generated documents register with', () => {
  const shown = /"password": "([^"]+)"/.exec(
    String(
      emitProject(platformOf(readFileSync(join(EXAMPLES, 'stays/stays.portico'), 'utf8'))).find(
        ({ path }) => path === 'README.md',
      )?.content,
    ),
  )
  const hooks = readFileSync(join(EXAMPLES, 'stays/platform/auth/src/setup.ts'), 'utf8')
  expect(hooks).not.toContain(`'${shown?.[1] ?? 'iloveyou'}'`)
})

describe('the definition for benchmarks', () => {
  test('has a hundred services in about 1,300 lines', () => {
    const text = hundred(100)
    expect(compile(text).platform?.services).toHaveLength(100)
    expect(text.split('\n').length).toBeGreaterThan(1200)
    expect(text.split('\n').length).toBeLessThan(1500)
  })

  test('can have a thousand', () => {
    const { diagnostics, platform } = compile(hundred(1000))
    expect(diagnostics).toEqual([])
    expect(platform?.services).toHaveLength(1000)
  })
})
