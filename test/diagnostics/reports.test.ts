import { describe, expect, test } from 'vitest'
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/diagnostics/catalogue.ts'
import { MAX_TEXT_LENGTH } from '../../src/language/parser/definition-parser.ts'
import { MAX_DIAGNOSTICS } from '../../src/language/validation/diagnostics.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import type { DefinitionFolder } from '../../src/language/imports.ts'
import { checkText } from '../../src/language/parse.ts'
import { brief, report } from '../host.ts'

/** The example of a code; those that are too large to be shown are made here. */
function badExample(code: DiagnosticCode): string {
  const { bad } = CATALOGUE[code]
  if (code === 'definition-too-large') return bad + ' '.repeat(MAX_TEXT_LENGTH)
  if (code === 'table-too-large')
    return bad.replace(/  \/\/.*/, Array.from({ length: 1600 }, (_, index) => `a${index}: bool;`).join('\n'))
  if (code !== 'too-many-diagnostics') return bad
  const more = Array.from({ length: MAX_DIAGNOSTICS }, (_, index) => `a${index}: text;`)
  return bad.replace(/  \/\/.*/, more.join('\n'))
}

const EMPTY_FOLDER: DefinitionFolder = {
  name: 'shop.portico',
  read: () => ({ reason: 'no such file or directory' }),
}

function diagnosticsOf(code: DiagnosticCode): readonly Diagnostic[] {
  const { diagnostics } = checkText(badExample(code), code === 'unreadable-import' ? EMPTY_FOLDER : undefined)
  return code === 'too-many-diagnostics' ? diagnostics.slice(MAX_DIAGNOSTICS) : diagnostics
}

/** Only editors report it: for a command, it is `missing-project`. */
const REPORTED = DIAGNOSTIC_CODES.filter((code) => code !== 'not-imported')

describe.each(REPORTED)('%s', (code) => {
  test('its example has this diagnostic and no other', () => {
    const diagnostics = diagnosticsOf(code)
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
    expect(diagnostics[0]?.severity).toBe(CATALOGUE[code].severity)
  })

  test('the correct example has no diagnostic', () => {
    expect(report(CATALOGUE[code].good)).toBe('')
  })

  test('has a message of one phrase, and a help that is not a sentence', () => {
    const { title, explanation } = CATALOGUE[code]
    expect(title).toMatch(/^[A-Z`].*[^.]$/)
    expect(explanation).toMatch(/^[A-Z`].*\.$/)
    for (const { message, help = 'none', related } of diagnosticsOf(code)) {
      expect(message).toMatch(/^(?:[A-Z`]|\d).*[^.!?]$/)
      expect(help).toMatch(/^[a-z`].*[^.!]$/)
      for (const place of related) expect(place.message).toMatch(/^[a-z`].*[^.!?]$/)
    }
  })
})

const REPLACED = REPORTED.flatMap((code) => {
  const [{ range, data } = {}] = diagnosticsOf(code)
  return range === undefined || data === undefined ? [] : [{ code, range, data }]
})

test.each(REPLACED)(
  'the replacement or insertion that `$code` offers fixes the example',
  ({ code, range, data }) => {
    const text = badExample(code)
    const replacement =
      data.replacement ?? text.slice(range.start.offset, range.end.offset) + (data.insertion ?? '')
    const fixed = text.slice(0, range.start.offset) + replacement + text.slice(range.end.offset)
    expect(checkText(fixed).diagnostics.map((left) => left.code)).not.toContain(code)
  },
)

test('what every diagnostic says, and where', async () => {
  const reports = REPORTED.map((code) => brief(badExample(code), diagnosticsOf(code)))
  await expect(`${reports.join('\n')}\n`).toMatchFileSnapshot('reports.txt')
})
