import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatText, type FormatResult } from '../../src/language/formatter.ts'
import { readText } from '../../src/language/parse.ts'
import { definitionText, withSlips } from '../language/definitions.ts'
import { definitionTokens, gaps, join } from './definitions.ts'
import { commentsOf, meaningOf } from './meaning.ts'

function format(text: string): string {
  const { text: formatted, syntaxErrors } = formatText(text)
  if (syntaxErrors.length > 0) throw new Error(syntaxErrors.map(({ message }) => message).join('\n'))
  return formatted
}

describe('any definition, with comments anywhere', () => {
  const definition = fc.tuple(definitionTokens(), gaps()).map(([tokens, between]) => join(tokens, between))

  it('keeps its meaning', () => {
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

  it('does not change when formatted again', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const once = format(text)
        expect(format(once)).toBe(once)
      }),
    )
  })

  it('has no trailing white space, no consecutive blank lines, and a final line break', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const lines = format(text).split(/\r?\n/)
        expect(lines.at(-1)).toBe('')
        expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
      }),
    )
  })

  it('keeps the line ending of the first line', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const formatted = format(`\r\n${text}`)
        expect(formatted.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        expect(format(`\n${text}`)).toBe(formatted.replaceAll('\r\n', '\n'))
      }),
    )
  })
})

describe('any text with mistakes', () => {
  // Which line ends a text has is decided by its first line, which may be in a block with an error.
  const slipped = withSlips(definitionText).map((text) => text.replaceAll(/\r\n?/g, '\n'))

  it('does not change when formatted again, and has no new syntax errors', () => {
    fc.assert(
      fc.property(slipped, (text) => {
        const once = formatText(text)
        const twice = formatText(once.text)
        expect(twice.text).toBe(once.text)
        // A `;` that formatting adds fixes an error.
        expect(messages(once)).toEqual(expect.arrayContaining(messages(twice)))
      }),
    )
  })

  it('keeps its tokens and comments', () => {
    fc.assert(
      fc.property(slipped, (text) => {
        const { text: formatted } = formatText(text)
        expect(commentsOf(formatted)).toEqual(commentsOf(text))
        expect(tokensOf(formatted)).toEqual(tokensOf(text))
      }),
    )
  })
})

function messages({ syntaxErrors }: FormatResult): string[] {
  return syntaxErrors.map(({ message }) => message)
}

/** The tokens of a text but for `;` and `,`, which formatting adds and drops. */
function tokensOf(text: string): string[] {
  const { tokens } = readText(text)
  return Array.from({ length: tokens.length }, (_, index) => tokens.image(index)).filter(
    (image) => image !== ';' && image !== ',',
  )
}
