import { describe, expect, test } from 'vitest'
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/diagnostics/catalogue.ts'
import { MOST_FINDINGS } from '../../src/language/syntax/findings.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { checkText, MAX_TEXT_LENGTH } from '../../src/language/parse.ts'
import { report } from '../host.ts'

/** The example of a code; those that are too large to be shown are made here. */
function badExample(code: DiagnosticCode): string {
  const { bad } = CATALOGUE[code]
  if (code === 'definition-too-large') return bad + ' '.repeat(MAX_TEXT_LENGTH)
  if (code !== 'too-many-diagnostics') return bad
  const more = Array.from({ length: MOST_FINDINGS }, (_, index) => `a${index}: text;`)
  return bad.replace(/  \/\/.*/, more.join('\n'))
}

function diagnosticsOf(code: DiagnosticCode): readonly Diagnostic[] {
  const { diagnostics } = checkText(badExample(code))
  return code === 'too-many-diagnostics' ? diagnostics.slice(MOST_FINDINGS) : diagnostics
}

describe.each(DIAGNOSTIC_CODES)('%s', (code) => {
  test('its example has it and nothing else', () => {
    const diagnostics = diagnosticsOf(code)
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
    expect(diagnostics[0]?.severity).toBe(CATALOGUE[code].severity)
  })

  test('the mended example has no diagnostic', () => {
    expect(report(CATALOGUE[code].good)).toBe('')
  })

  test('a replacement or insertion that it offers mends the example', () => {
    const text = badExample(code)
    const [diagnostic] = diagnosticsOf(code)
    if (diagnostic?.data === undefined) return
    const { range, data } = diagnostic
    const mended =
      text.slice(0, range.start.offset) +
      (data.replacement ?? text.slice(range.start.offset, range.end.offset) + (data.insertion ?? '')) +
      text.slice(range.end.offset)
    expect(checkText(mended).diagnostics.map((left) => left.code)).not.toContain(code)
  })

  test('says something in whole sentences', () => {
    const { title, explanation } = CATALOGUE[code]
    expect(title).toMatch(/[^.]$/)
    expect(explanation).toMatch(/^[A-Z`].*\.$/)
    for (const { message } of checkText(badExample(code)).diagnostics)
      expect(message).toMatch(/^[A-Z`].*[.?]$/)
  })
})

test('the printed report of every diagnostic', async () => {
  const reports = DIAGNOSTIC_CODES.map((code) => `${report(badExample(code), diagnosticsOf(code))}\n`)
  await expect(reports.join('\n')).toMatchFileSnapshot('reports.txt')
})
