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

  // The properties share the definitions, which take longer to generate and parse than to compare.
  it('keeps its meaning and comments, is formatted once and for all, and has the line ending of its first line', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const once = format(`\n${text}`)
        expect(meaningOf(once)).toEqual(meaningOf(text))
        expect(commentsOf(once)).toEqual(commentsOf(text))
        expect(format(once)).toBe(once)
        expect(once).toMatch(/[^\n]\n$/)
        expect(once.split('\n').filter((line) => line !== line.trimEnd())).toEqual([])
        expect(format(`\r\n${text}`)).toBe(once.replaceAll('\n', '\r\n'))
      }),
    )
  })
})

describe('any text with mistakes', () => {
  // Which line ends a text has is decided by its first line, which may be in a block with an error.
  const slipped = withSlips(definitionText).map((text) => text.replaceAll(/\r\n?/g, '\n'))

  it('keeps its tokens and comments, does not change when formatted again, and has no new syntax errors', () => {
    fc.assert(
      fc.property(slipped, (text) => {
        const once = formatText(text)
        const twice = formatText(once.text)
        expect(twice.text).toBe(once.text)
        // A `;` that formatting adds fixes an error.
        expect(messages(once)).toEqual(expect.arrayContaining(messages(twice)))
        expect(commentsOf(once.text)).toEqual(commentsOf(text))
        expect(tokensOf(once.text)).toEqual(tokensOf(text))
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
