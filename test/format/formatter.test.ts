import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatText } from '../../src/language/formatter.ts'
import { definitionTokens, gaps, join } from './definitions.ts'
import { commentsOf, meaningOf } from './meaning.ts'

function format(text: string): string {
  const result = formatText(text)
  if (result.text === undefined) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'))
  return result.text
}

describe('any definition, with comments wherever one may stand', () => {
  const definition = fc.tuple(definitionTokens(), gaps()).map(([tokens, between]) => join(tokens, between))

  it('means the same afterwards', () => {
    fc.assert(
      fc.property(definition, (text) => {
        expect(meaningOf(format(text))).toEqual(meaningOf(text))
      }),
    )
  })

  it('keeps every comment, in its order', () => {
    fc.assert(
      fc.property(definition, (text) => {
        expect(commentsOf(format(text))).toEqual(commentsOf(text))
      }),
    )
  })

  it('does not change a second time', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const once = format(text)
        expect(format(once)).toBe(once)
      }),
    )
  })

  it('has no trailing white space, no two blank lines, and ends its last line', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const lines = format(text).split(/\r?\n/)
        expect(lines.at(-1)).toBe('')
        expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
      }),
    )
  })

  it('keeps the kind of line end that the first line has', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const formatted = format(`\r\n${text}`)
        expect(formatted.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        expect(format(`\n${text}`)).toBe(formatted.replaceAll('\r\n', '\n'))
      }),
    )
  })
})
