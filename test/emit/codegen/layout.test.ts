import { describe, expect, test } from 'vitest'
import { codeFile } from '../../../src/emit/codegen/code-file.ts'
import { braces, call, chain, code, hanging, list, object, print } from '../../../src/emit/codegen/layout.ts'

const LONG = 'a'.repeat(60)
const LONGER = 'b'.repeat(60)

describe('the layout of emitted code', () => {
  test('keeps code that fits on one line', () => {
    expect(print(code`const x = ${call('f', 'a', braces(['b', 'c']), list('[', ['d'], ']'))}`)).toBe(
      'const x = f(a, { b, c }, [d])',
    )
  })

  test('puts one item per line if they do not fit, indented from the line of the list', () => {
    expect(print(code`  x = ${call('f', LONG, LONGER)}`)).toBe(`  x = f(\n    ${LONG},\n    ${LONGER},\n  )`)
  })

  test('counts the rest of the line', () => {
    const flat = `f(${'a'.repeat(100)})`
    expect(print(code`${call('f', 'a'.repeat(100))}.then()`)).toBe(`${flat}.then()`)
    expect(print(code`${call('f', 'a'.repeat(100))}.finally()\n`)).toBe(
      `f(\n  ${'a'.repeat(100)},\n).finally()\n`,
    )
  })

  test('breaks only the last argument if it is an object, array or function', () => {
    expect(print(call('f', LONG, braces([LONGER])))).toBe(`f(${LONG}, {\n  ${LONGER},\n})`)
    expect(print(call('f', LONG, list('[', [LONGER], ']')))).toBe(`f(${LONG}, [\n  ${LONGER},\n])`)
    expect(print(call('f', LONG, hanging('(c) =>', LONGER)))).toBe(`f(${LONG}, (c) =>\n  ${LONGER},\n)`)
  })

  test('writes objects with one property per line, and empty ones on one line', () => {
    expect(print(code`x = ${object(['a', 'b'])}`)).toBe('x = {\n  a,\n  b,\n}')
    expect(print(code`x = ${object([])}`)).toBe('x = {}')
  })

  test('breaks all calls of a chain, or none', () => {
    expect(print(chain('db', '.select()', '.from(t)', '.where(c)'))).toBe('db.select().from(t).where(c)')
    expect(print(code`  ${chain('db', `.select(${LONG})`, `.from(${LONGER})`)}`)).toBe(
      `  db\n    .select(${LONG})\n    .from(${LONGER})`,
    )
    expect(print(call('f', 'a', chain('db', code`.set(${object(['b'])})`, '.run()')))).toBe(
      'f(\n  a,\n  db\n    .set({\n      b,\n    })\n    .run(),\n)',
    )
  })

  test('moves the value after a name to the next line', () => {
    expect(print(hanging(`${LONG}:`, LONGER))).toBe(`${LONG}:\n  ${LONGER}`)
    expect(print(hanging('a:', LONGER))).toBe(`a: ${LONGER}`)
  })
})

describe('a file of code', () => {
  test('imports what it uses: packages first, then files, the most distant first', () => {
    const file = codeFile('routes/home.ts')
    file.type('hooks.ts', 'Env')
    file.value('routes/other.ts', 'other')
    file.value('hono', 'Hono')
    file.type('hono', 'Context')
    file.type('hooks.ts', 'Router')
    file.defaultImport('setup.ts', 'setup')
    file.type('hooks.ts', 'Hooks')
    file.value('hooks.ts', 'Hooks')
    file.value('node:fs', 'readFile')
    expect(file.text('setup()')).toBe(`import { readFile } from 'node:fs'
import { type Context, Hono } from 'hono'
import { type Env, Hooks, type Router } from '../hooks.ts'
import setup from '../setup.ts'
import { other } from './other.ts'

setup()
`)
  })

  test('breaks long imports, but never a single name', () => {
    const file = codeFile('app.ts')
    file.type('x.ts', LONG)
    file.type('x.ts', LONGER)
    file.type('y.ts', LONG + LONGER)
    expect(file.text('x')).toBe(`import type {
  ${LONG},
  ${LONGER},
} from './x.ts'
import type { ${LONG}${LONGER} } from './y.ts'

x
`)
  })
})
