import { describe, expect, test } from 'vitest'
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/diagnostics/catalogue.ts'
import { checkText, MAX_TEXT_LENGTH } from '../../src/language/parse.ts'
import { report } from '../host.ts'

/** The example of a code; the one that is too large to be shown is made here. */
function badExample(code: DiagnosticCode): string {
  const { bad } = CATALOGUE[code]
  return code === 'definition-too-large' ? bad + ' '.repeat(MAX_TEXT_LENGTH) : bad
}

describe.each(DIAGNOSTIC_CODES)('%s', (code) => {
  test('its example has it and nothing else', () => {
    const { diagnostics } = checkText(badExample(code))
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
    expect(diagnostics[0]?.severity).toBe(CATALOGUE[code].severity)
  })

  test('the mended example has no diagnostic', () => {
    expect(report(CATALOGUE[code].good)).toBe('')
  })

  test('a replacement or insertion that it offers mends the example', () => {
    const text = badExample(code)
    const [diagnostic] = checkText(text).diagnostics
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
  const reports = DIAGNOSTIC_CODES.map((code) => `${report(badExample(code))}\n`)
  await expect(reports.join('\n')).toMatchFileSnapshot('reports.txt')
})
