import { describe, expect, test } from 'vitest'
import { CATALOGUE, type DiagnosticCode } from '../../../src/diagnostics/catalogue.ts'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { applyEdits } from '../../../src/language/fixes/edits.ts'
import { fixAll } from '../../../src/language/fixes/fix-all.ts'
import { changeOf } from '../../../src/language/fixes/fix.ts'
import { fixesOf } from '../../../src/language/fixes/fixes.ts'
import { checkRead, readText } from '../../../src/language/parse.ts'
import { CASES } from './cases.ts'

function diagnosticsOf(text: string): readonly Diagnostic[] {
  return checkRead(readText(text)).diagnostics
}

interface Fixed {
  readonly title: string
  readonly preferred: boolean
  readonly after: string
}

/** What each fix of the first diagnostic of a code makes of a text. */
function fixed(text: string, code: DiagnosticCode): Fixed[] {
  const read = readText(text)
  const diagnostic = checkRead(read).diagnostics.find((candidate) => candidate.code === code)
  if (diagnostic === undefined) throw new Error(`No ${code} in:\n${text}`)
  return fixesOf(diagnostic, read).map(({ title, preferred, edits }) => ({
    title,
    preferred,
    after: applyEdits(text, edits),
  }))
}

const EXAMPLES = (Object.keys(CATALOGUE) as DiagnosticCode[])
  .filter((code) => code !== 'definition-too-large' && code !== 'too-many-diagnostics')
  .map((code) => [code, CATALOGUE[code].bad] as const)
const ALL = [...EXAMPLES, ...CASES]

describe('the quick fixes', () => {
  test.each(ALL)('of %s', (code, bad) => {
    const shown = fixed(bad, code).map(
      ({ title, preferred, after }) => `${preferred ? '* ' : '- '}${title}\n${after.replace(/^/gm, '    ')}`,
    )
    expect(`${bad}\n${shown.join('\n')}`).toMatchSnapshot()
  })

  test.each(ALL)('mend %s and bring no new error', (code, bad) => {
    const before = diagnosticsOf(bad)
    const count = (found: readonly Diagnostic[]): number => found.filter((one) => one.code === code).length
    const known = new Set(before.map((diagnostic) => diagnostic.code))
    for (const { after, title } of fixed(bad, code)) {
      const now = diagnosticsOf(after)
      expect(count(now), title).toBeLessThan(count(before))
      expect(
        now.filter(({ severity, code: other }) => severity === 'error' && !known.has(other)),
        title,
      ).toEqual([])
    }
  })

  test.each(ALL)('prefer one way at most for %s', (code, bad) => {
    expect(fixed(bad, code).filter(({ preferred }) => preferred).length).toBeLessThan(2)
  })

  test.each(ALL.filter(([, bad]) => bad.includes('\n')))(
    'keep the line ends of the text for %s',
    (code, bad) => {
      const crlf = bad.replaceAll('\n', '\r\n')
      const expected = fixed(bad, code).map(({ after }) => after.replaceAll('\n', '\r\n'))
      expect(fixed(crlf, code).map(({ after }) => after)).toEqual(expected)
    },
  )
})

describe('fixing everything', () => {
  const broken = `shop: project { #database(postgres); }
item: service {
  name: text(80)
  beds: int(1, 40);
  other: item @uniqe;
  #enumerable; #enumerable;
}
Order: service { item: item; #auth; #omit[delete, delete]; }
`

  test('mends what has a likeliest mend, until nothing is left of it', () => {
    expect(fixAll(broken)).toMatchInlineSnapshot(`
      "Shop: project {
        #authMethod(email);
      }
      Item: service {
        name: string(80);
        beds: int(40, 1);
        other: Item @unique;
        #enumerable; 
      }
      Order: service { item: Item; #auth; #omit[delete]; }
      "
    `)
  })

  test('leaves out what would bring more errors, and gives back a text that becomes no better', () => {
    const early = 'P: project {}\nA: service {\n  a: int}\n  b: int;\n  c: int;\n}\n'
    expect(fixAll(early)).toBe(early)
    expect(fixAll(early.replace('a: int', 'z: text;\n  a: int'))).toBe(
      early.replace('a: int', 'z: string;\n  a: int'),
    )
    const amiss = 'P: project {\n  #provider[kube);\n}\nA: service {}\n'
    expect(fixAll(amiss)).toBe(amiss)
  })

  test('leaves other codes alone when it is told which', () => {
    const once = fixAll(broken, (code) => code === 'repeated-value')
    expect(once).toBe(broken.replace('[delete, delete]', '[delete]'))
  })

  test('leaves a text without problems as it is', () => {
    const { good } = CATALOGUE['unknown-type']
    expect(fixAll(good)).toBe(good)
  })
})

describe('the change between two texts', () => {
  test.each([
    ['abc', 'abc'],
    ['', 'abc'],
    ['abc', ''],
    ['aaa', 'aa'],
    ['aa', 'aaa'],
    ['one two three', 'one three'],
  ])('from %j to %j', (before, after) => {
    expect(applyEdits(before, [changeOf(before, after)])).toBe(after)
  })

  test('is no larger than it has to be', () => {
    expect(changeOf('one two three', 'one 2 three')).toEqual({ start: 4, end: 7, text: '2' })
  })
})
