import { describe, expect, test } from 'vitest'
import { codeFile } from '../../../src/emit/kit/code-file.ts'
import { braces, call, chain, code, hang, list, object, print, when } from '../../../src/emit/kit/layout.ts'

const LONG = 'a'.repeat(60)
const LONGER = 'b'.repeat(60)

describe('the layout of emitted code', () => {
  test('keeps on one line what fits', () => {
    expect(print(code`const x = ${call('f', 'a', braces(['b', 'c']), list('[', ['d'], ']'))}`)).toBe(
      'const x = f(a, { b, c }, [d])',
    )
  })

  test('puts one item a line where it does not fit, indented from its own line', () => {
    expect(print(code`  x = ${call('f', LONG, LONGER)}`)).toBe(`  x = f(\n    ${LONG},\n    ${LONGER},\n  )`)
  })

  test('counts what follows up to the end of the line', () => {
    const flat = `f(${'a'.repeat(100)})`
    expect(print(code`${call('f', 'a'.repeat(100))}.then()`)).toBe(`${flat}.then()`)
    expect(print(code`${call('f', 'a'.repeat(100))}.finally()\n`)).toBe(
      `f(\n  ${'a'.repeat(100)},\n).finally()\n`,
    )
  })

  test('lets a last object, array or function alone take several lines', () => {
    expect(print(call('f', LONG, braces([LONGER])))).toBe(`f(${LONG}, {\n  ${LONGER},\n})`)
    expect(print(call('f', LONG, list('[', [LONGER], ']')))).toBe(`f(${LONG}, [\n  ${LONGER},\n])`)
    expect(print(call('f', LONG, hang('(c) =>', LONGER)))).toBe(`f(${LONG}, (c) =>\n  ${LONGER},\n)`)
  })

  test('writes objects with one property a line, empty ones on one', () => {
    expect(print(code`x = ${object(['a', 'b'])}`)).toBe('x = {\n  a,\n  b,\n}')
    expect(print(code`x = ${object([])}`)).toBe('x = {}')
  })

  test('breaks all calls of a chain or none', () => {
    expect(print(chain('db', '.select()', '.from(t)', '.where(c)'))).toBe('db.select().from(t).where(c)')
    expect(print(code`  ${chain('db', `.select(${LONG})`, `.from(${LONGER})`)}`)).toBe(
      `  db\n    .select(${LONG})\n    .from(${LONGER})`,
    )
    expect(print(call('f', 'a', chain('db', code`.set(${object(['b'])})`, '.run()')))).toBe(
      'f(\n  a,\n  db\n    .set({\n      b,\n    })\n    .run(),\n)',
    )
  })

  test('moves what a name or a condition stands before', () => {
    expect(print(hang(`${LONG}:`, LONGER))).toBe(`${LONG}:\n  ${LONGER}`)
    expect(print(hang('a:', LONGER))).toBe(`a: ${LONGER}`)
    expect(print(when('x', `throw ${LONG}${LONGER}`))).toBe(`if (x)\n  throw ${LONG}${LONGER}`)
  })
})

describe('a file of code', () => {
  test('imports what it uses, packages first, the farther files before the nearer', () => {
    const file = codeFile('routes/home.ts')
    file.type('hooks.ts', 'Env')
    file.value('routes/other.ts', 'other')
    file.value('hono', 'Hono')
    file.type('hono', 'Context')
    file.type('hooks.ts', 'Router')
    file.main('setup.ts', 'setup')
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
