import { describe, expect, test } from 'vitest'
import { isDiagnosticCode } from '../../src/diagnostics/catalogue.ts'
import { renderDiagnostic } from '../../src/diagnostics/render.ts'
import { LineMap } from '../../src/language/line-map.ts'
import { checkText } from '../../src/language/parse.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { report } from '../host.ts'

/** The report of something found between two offsets. */
function rendered(text: string, start: number, end: number): string[] {
  const diagnostic: Diagnostic = {
    code: 'unknown-type',
    severity: 'error',
    file: '',
    range: new LineMap(text).rangeOf(start, end),
    message: 'Something is odd',
    related: [],
    data: undefined,
  }
  return renderDiagnostic(diagnostic, text, () => 'x')
    .split('\n')
    .slice(1)
}

describe('a printed diagnostic', () => {
  test('has the form of the command line', () => {
    const text = `P: project {}\n${'\n'.repeat(9)}Home: service {\n  home: Hoem;\n}\n`
    expect(report(text)).toBe(
      [
        'error[unknown-type]: Unknown type or service `Hoem`',
        '  shop.portico:12:9',
        '   |',
        '12 |   home: Hoem;',
        '   |         ^^^^',
        '   |',
        '   = help: did you mean `Home`?',
      ].join('\n'),
    )
  })

  test('aligns related ranges, however many digits their lines have', () => {
    const text = `P: project {}\nHome: service {}${'\n'.repeat(10)}Home: service {}\n`
    expect(report(text)).toBe(
      [
        'error[duplicate-block]: `Home` is already declared',
        '  shop.portico:12:1',
        '   |',
        '12 | Home: service {}',
        '   | ^^^^',
        '  shop.portico:2:1',
        '   |',
        ' 2 | Home: service {}',
        '   | ^^^^ first declared here',
      ].join('\n'),
    )
  })

  test('an empty range has one caret, also at the end and in an empty text', () => {
    expect(rendered('abc\n', 3, 3)).toEqual(['  x:1:4', '  |', '1 | abc', '  |    ^'])
    expect(rendered('', 0, 0)).toEqual(['  x:1:1', '  |', '1 |', '  | ^'])
    expect(rendered('abc\n', 4, 4)).toEqual(['  x:2:1', '  |', '2 |', '  | ^'])
  })

  test('a range over several lines is marked in its first', () => {
    expect(rendered('ab\r\ncd', 1, 6)).toEqual(['  x:1:2', '  |', '1 | ab', '  |  ^'])
  })

  test('tabs, wide characters, combining marks and unprintable characters', () => {
    expect(rendered('\t日本😀e\u0301\u0000\u001b[31m!', 13, 14).slice(2)).toEqual([
      '1 |     日本😀e\u0301\ufffd\ufffd[31m!',
      `  | ${' '.repeat(17)}^`,
    ])
    expect(rendered('\ufeffabc', 1, 2)).toEqual(['  x:1:1', '  |', '1 | abc', '  | ^'])
    expect(rendered('a\u202eb\ud800', 2, 3).slice(2)).toEqual(['1 | a\ufffdb\ufffd', '  |   ^'])
  })

  test('long lines are truncated around the range', () => {
    const line = 'x'.repeat(1000)
    const [, , excerpt, carets] = rendered(line, 500, 900)
    expect(excerpt).toBe(`1 | …${'x'.repeat(200)}…`)
    expect(carets).toBe(`  | ${' '.repeat(81)}${'^'.repeat(120)}`)
    const pairs = rendered('😀'.repeat(1000), 1001 - 1, 1002)
    expect(pairs[2]?.isWellFormed()).toBe(true)
  })

  test('its parts are colored', () => {
    const text = 'P: project {}\nS: service { a: x; }'
    const [diagnostic] = checkText(text).diagnostics
    if (diagnostic === undefined) throw new Error('no diagnostic')
    const style = {
      severity: (severity: string, part: string) => `<${severity} ${part}>`,
      message: (part: string) => `<m ${part}>`,
      margin: (part: string) => `<-${part}>`,
      related: (part: string) => `<r ${part}>`,
    }
    expect(renderDiagnostic(diagnostic, text, () => 'x', style).split('\n')).toEqual([
      `<error error[unknown-type]>: <m ${diagnostic.message}>`,
      '<-  x:2:17>',
      '<-  |>',
      '<-2 |> S: service { a: x; }',
      '<-  |>                 <error ^>',
      '<-  |>',
      `<-  => help: ${diagnostic.help}`,
    ])
  })
})

test('codes are recognized', () => {
  expect(['unknown-type', 'unknown', 'constructor', ''].map(isDiagnosticCode)).toEqual([
    true,
    false,
    false,
    false,
  ])
})
