import { diffLines } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, type DiagnosticCode } from '../../../src/diagnostics/catalogue.ts'
import { countErrors, type Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { applyEdits, minimalEdit, type Edit } from '../../../src/language/fixes/edits.ts'
import { fixAll } from '../../../src/language/fixes/fix-all.ts'
import type { Fix } from '../../../src/language/fixes/fix.ts'
import { fixesOf } from '../../../src/language/fixes/fixes.ts'
import { type CheckedDefinition, checkText, readText } from '../../../src/language/parse.ts'
import { validatedFixesOf } from '../../../src/language/fixes/validated.ts'
import {
  isPermissionChanged,
  type Permissions,
  permissionsOf,
} from '../../../src/language/fixes/permissions.ts'
import { refactoringsOf } from '../../../src/language/fixes/refactor/refactorings.ts'
import { definitionText, withSlips } from '../definitions.ts'
import { MISTAKES } from '../mistakes.ts'
import { CASES, inService } from './cases.ts'

function diagnosticsOf(text: string): readonly Diagnostic[] {
  return checkText(text).diagnostics
}

interface Fixed {
  readonly title: string
  readonly preferred: boolean
  readonly after: string
}

/** What each fix of the first diagnostic of a code makes of a text. */
function fixed(text: string, code: DiagnosticCode): Fixed[] {
  const { parseResult, diagnostics } = checkText(text)
  const diagnostic = diagnostics.find((candidate) => candidate.code === code)
  if (diagnostic === undefined) throw new Error(`No ${code} in:\n${text}`)
  return fixesOf(diagnostic, parseResult).map(({ title, preferred, edits }) => ({
    title,
    preferred,
    after: applyEdits(text, edits),
  }))
}

/** A code with the line of its diagnostic. */
function placed(text: string, code: DiagnosticCode): string {
  const line = diagnosticsOf(text).find((diagnostic) => diagnostic.code === code)?.range.start.line ?? 0
  return `${code} in line ${line}: ${text.split('\n')[line - 1]?.trim()}`
}

/** The lines that differ, with their numbers in the text that has them; of lines that are replaced, only the new ones. */
function changedLines(before: string, after: string): string {
  const number = { before: 1, after: 1 }
  const parts = diffLines(before, after)
  return parts
    .flatMap(({ added, removed, value, count }, index) => {
      const first = added ? number.after : number.before
      if (!added) number.before += count
      if (!removed) number.after += count
      const next = parts[index + 1]
      if (!added && (!removed || (next?.added && next.count === count))) return []
      const lines = value.replace(/\n$/, '').split('\n')
      return lines.map((line, offset) => `  ${first + offset} ${added ? '+' : '-'}${line}`)
    })
    .join('\n')
}

/** Three are too large to be shown, and two are about other files. */
const OTHERS: readonly DiagnosticCode[] = [
  'definition-too-large',
  'table-too-large',
  'too-many-diagnostics',
  'unreadable-import',
  'not-imported',
]
const EXAMPLES = (Object.keys(CATALOGUE) as DiagnosticCode[])
  .filter((code) => !OTHERS.includes(code))
  .map((code) => [code, CATALOGUE[code].bad] as const)
const ALL = [...EXAMPLES, ...CASES]

describe('the quick fixes', () => {
  test('change these lines', async () => {
    const shown = ALL.flatMap(([code, bad]) => [
      placed(bad, code),
      ...fixed(bad, code).map(
        ({ title, preferred, after }) => `${preferred ? '* ' : '- '}${title}\n${changedLines(bad, after)}`,
      ),
    ])
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('fixes.txt')
  })

  test.each(ALL)('remove %s and bring no new error', (code, bad) => {
    const before = diagnosticsOf(bad)
    const count = (found: readonly Diagnostic[]): number => found.filter((one) => one.code === code).length
    const known = new Set(before.map((diagnostic) => diagnostic.code))
    const wrong = fixed(bad, code).filter(({ after }) => {
      const now = diagnosticsOf(after)
      const added = now.filter(({ severity, code: other }) => severity === 'error' && !known.has(other))
      return added.length > 0 || count(now) >= count(before)
    })
    expect(wrong).toEqual([])
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

/** What says that a fix adds or renames a service or a struct, or moves a struct. */
const SAYS_SO = /^(?:Create|Add a|Change to) .*`(?:service|struct)|^(?:Create|Rename|Move) /

describe('who may do what', () => {
  test.each(ALL)('is not changed by a fix of %s, unless its title says so', (_code, bad) => {
    const { parseResult, diagnostics } = checkText(bad)
    const before = permissionsOf(parseResult)
    const wrong: string[] = []
    for (const diagnostic of diagnostics)
      for (const { title, edits, preferred } of fixesOf(diagnostic, parseResult)) {
        const after = permissionsOf(readText(applyEdits(bad, edits)))
        const isSaid = /, which (?:limits|widens|changes) access to `/.test(title)
        const isUnsaid = !isSaid && !SAYS_SO.test(title) && isPermissionChanged(before, after)
        if (isUnsaid || (isSaid && preferred)) wrong.push(title)
      }
    expect(wrong).toEqual([])
  })

  test.each([
    ['', '#publc[hook];', 'unknown-metadata', 'Change to `#public`, which widens access to `H`'],
    ['', '#public(hook);', 'wrong-argument-kind', 'Change to `#public[hook]`, which widens access to `H`'],
    [
      '',
      '#public[a]; #public[b];',
      'duplicate-metadata',
      'Merge into the first `#public`, which widens access to `H`',
    ],
    ['', '#readabel(by: all);', 'unknown-metadata', 'Change to `#readable`, which widens access to `H`'],
    ['', '#readable(b: all);', 'unknown-argument', 'Change to `by`, which widens access to `H`'],
    ['', '#omit(delete);', 'wrong-argument-kind', 'Change to `#omit[delete]`, which limits access to `H`'],
    ['', '#omit[creat];', 'unknown-value', 'Change to `create` in `#omit`, which limits access to `H`'],
    [
      '#roles[agent];',
      '#readable(by: agnt);',
      'unknown-role',
      'Change to `agent` in `#readable`, which changes access to `H`',
    ],
    [
      '#roles[Agent];',
      '#readable(by: Agent);',
      'invalid-role-name',
      'Rename to `agent` and update references',
    ],
    [
      '#rolse[agent];',
      '#readable(by: agent);',
      'unknown-metadata',
      'Change to `#roles`, which changes access to `H`',
    ],
    [
      '#roles[a]; #roles[b];',
      '#readable(by: b);',
      'duplicate-metadata',
      'Merge into the first `#roles`, which changes access to `H`',
    ],
    ['#roles[a]; #roles[b];', '', 'duplicate-metadata', 'Merge into the first `#roles`'],
    ['#readable(by: al);', '', 'unknown-value', 'Change to `all` in `#readable`, which widens access to `H`'],
  ] as const)('with `%s` in the project and `%s` in a service', (project, service, code, title) => {
    const text = `P: project { #authMethod(email); ${project} }\nU: service { #auth; }\nH: service { ${service} }\n`
    expect(fixed(text, code)[0]).toMatchObject({ title, preferred: false })
    expect(fixAll(text)).toBe(text)
  })

  test.each([
    [
      '#authMetod(email);',
      '#auth;',
      'unknown-metadata',
      'Change to `#authMethod`, which limits access to `H` and `I`',
    ],
    [
      '#authMethod(email);',
      '',
      'method-without-auth',
      'Remove `#authMethod`, which widens access to `H` and `I`',
    ],
    [
      '#authMethod(email); #readable(by: all);',
      '',
      'method-without-auth',
      'Add `#auth;` to `H`, which limits access to `H`',
    ],
    [
      '',
      '} Q: project { #readable(by: all); #authMethod(email);',
      'second-project',
      'Merge `Q` into `P`, which widens access to `H` and `I`',
    ],
  ] as const)('without users: `%s` in the project and `%s` in a service', (project, service, code, title) => {
    const text = `P: project { ${project} }\nH: service { ${service} }\nI: service { Part: struct {} }\n`
    expect(fixed(text, code)).toContainEqual(expect.objectContaining({ title, preferred: false }))
    expect(fixAll(text)).toBe(text)
  })

  test.each(ALL)('is not changed by fixing all, as with %s', (_code, bad) => {
    const before = permissionsOf(readText(bad))
    expect(isPermissionChanged(before, permissionsOf(readText(fixAll(bad))))).toBe(false)
  })

  test('stays when authentication is missing', () => {
    const open =
      'P: project {}\nUser: service { #auth; }\nRoom: service { #readable(by: all); name: text(80); }\n'
    expect(fixAll(open)).toBe(open.replace('text', 'string'))
  })

  test.each([
    ['#authMethod(email);', '#readable(by: all); #writable(by: all);', false],
    ['#authMethod(email);', '', true],
    ['', '', false],
    ['#authMethod(email); #readable(by: all); #writable(by: all);', '', false],
    ['', '#omit[delete];', true],
    ['', '#enumerable;', true],
    ['', '#public[hook];', true],
    ['', 'a: int;', false],
  ])('is changed by `%s` in the project and `%s` in the service: %j', (project, service, isChanged) => {
    const before = 'P: project {}\nA: service {}\n'
    const after = before
      .replace('project {', `project {${project}`)
      .replace('service {', `service {${service}`)
    expect(isPermissionChanged(permissionsOf(readText(before)), permissionsOf(readText(after)))).toBe(
      isChanged,
    )
  })
})

describe('the preferred fix', () => {
  const preferredOf = (type: string): string | undefined => {
    const text = `P: project {}\nRoom: service { Photo: struct {} }\nCar: service {}\nHome: service { a: ${type}; }\n`
    const { parseResult, diagnostics } = checkText(text)
    const [diagnostic] = diagnostics
    if (diagnostic === undefined) throw new Error(`No problem with ${type}`)
    const fix = fixesOf(diagnostic, parseResult).find(({ preferred }) => preferred)
    return fix && /a: (.*); }\n$/.exec(applyEdits(text, fix.edits))?.[1]
  }

  test.each([
    ['text(80)', 'string(80)'],
    ['varchar(80)', 'string(80)'],
    ['strng(80)', 'string(80)'],
    ['boolean', 'bool'],
    ['money', 'decimal'],
    ['bigint', 'int(precision: 8)'],
    ['string(max: 80)', 'string(maxLength: 80)'],
    ['string(length: 80)', 'string(maxLength: 80)'],
    ['data(max: 5M)', 'data(maxSize: 5M)'],
    ['image', 'data'],
    ['car', 'Car'],
    ['Roon', 'Room'],
    ['string(size: 80)', 'string(maxLength: 80)'],
    ['string(limit: 80)', 'string(maxLength: 80)'],
    ['data(len: 5M)', 'data(maxSize: 5M)'],
    ['int(precision: 16)', 'int(precision: 2)'],
    ['float(precision: 64)', 'float(precision: 8)'],
    ['enum(open, closed) = opne', 'enum(open, closed) = open'],
    ['enum(open, closed) = "open"', 'enum(open, closed) = open'],
    ['string(2) = NL', 'string(2) = "NL"'],
  ])('of `%s` is `%s`', (written, meant) => {
    expect(preferredOf(written)).toBe(meant)
  })

  test.each([
    'decimal(10, 2)',
    'numeric(10, 2)',
    'integer(10)',
    'double(10, 2)',
    'Photo',
    'Bar',
    'Roon(5)',
    'int(maxLength: 5)',
    'date = "2020-01-01"',
    'date = today',
    'int(precision: 12)',
    'enum(in progress, done)',
    'int(max: 100) = 200',
    'decimal(scale: 20)',
    'string(-5)',
    'int? @client',
    'Room(5)',
    'Room = 5',
    'data = "x"',
    'enum(open, closed) = ope',
    'data(900M)',
  ])('of `%s` does not exist', (written) => {
    expect(preferredOf(written)).toBeUndefined()
  })
})

/** The words, numbers, texts and signs in a text, comments included. */
function contentOf(text: string): string[] {
  return (
    text.match(
      /"(?:[^"\\\n]|\\.)*"|[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_.$-]*|[^\s\p{C};,:?(){}[\]"'`“”„‘’‚«»#@]/gu,
    ) ?? []
  )
}

/** What is in the first list more often than in the second. */
function surplus(first: readonly string[], second: readonly string[]): string[] {
  const rest = [...second]
  return first.filter((item) => {
    const at = rest.indexOf(item)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

/** The letters and digits of names, without accents and case, which no correction of a name changes. */
function lettersOf(words: readonly string[]): string {
  const plain = words
    .join(' ')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
  return plain.toLowerCase()
}

/** The characters of words that may have been joined, or quoted. */
function charactersOf(words: readonly string[]): string {
  return Array.from(words.join('').replaceAll(/[".]/g, '')).sort().join('')
}

/** What a fix drops from a text. A correction replaces something, and may remove what is there a second time. */
function lostBy({ edits }: Fix, { code }: Diagnostic, text: string): string[] {
  const [before, after] = [contentOf(text), contentOf(applyEdits(text, edits))]
  const [dropped, added] = [surplus(before, after), surplus(after, before)]
  const isRepeated = /^(?:duplicate|repeated)-/.test(code)
  const lost = isRepeated ? dropped.filter((word) => !after.includes(word)) : dropped
  if (/^invalid-.*-name$/.test(code)) return lettersOf(dropped) === lettersOf(added) ? [] : lost
  return lost.length <= added.length || charactersOf(lost) === charactersOf(added) ? [] : lost
}

/** A default that is written, and a second import of one file, mean what their absence means. */
const REDUNDANT: readonly DiagnosticCode[] = ['redundant-metadata', 'redundant-import']
/** Signs that mean what their absence means: a required attribute, and the brackets of other languages. */
const SIGNS = [['!'], ['<', '>'], ['=']]

function expectNothingLost(text: string): void {
  const { parseResult, diagnostics } = checkText(text)
  const wrong = diagnostics
    .slice(0, 20)
    .filter(({ code }) => !REDUNDANT.includes(code))
    .flatMap((diagnostic) =>
      fixesOf(diagnostic, parseResult)
        .filter(({ preferred }) => preferred)
        .map((fix) => ({ title: fix.title, lost: lostBy(fix, diagnostic, text) }))
        .filter(({ lost }) => lost.length > 0 && !SIGNS.some((signs) => signs.join() === lost.join())),
    )
  expect(wrong, text).toEqual([])
}

const LINES = [
  'beds: int >= 0;',
  'beds: int * 3;',
  'beds: int = -total;',
  'beds: int @unique(total);',
  'beds: int @was(a) @was(b);',
  'beds: int(max: 200, precision: 1);',
  'open: bool = !true;',
  '2fa: string;',
  'string * city;',
  'state: enum(-1, 1);',
  'state: enum(open!, closed);',
  '/// Kept.\n  #enumerable; /// Kept too.\n #enumerable;',
  '#enumerable(filter: [name]); #enumerable(sort: [rate]);',
  '#enumerable(filter: [name], sort: [rate]); #enumerable(sort: [name, rate], filter: [rate]);',
  '#enumerable; #enumerable(sort: [rate]);',
  '#enumerable(); #enumerable(sort: [rate]);',
  '#enumerable(filter: []); #enumerable(filter: [rate]);',
  '#enumerable(sort: [rate]); #enumerable(rate);',
  '#enumerable(sort: [-rate]);',
  '#omit[delete]; #omit[create, 5];',
  '#omit; #omit[create];',
  '#language(go); #language(typescript);',
  '#auth(name); #timestamps(rate);',
  '#public[-hook]; #public[all];',
  '#uses(of: Home);',
  '#unique(of: rate);',
]

describe('nothing that the user wrote is lost in preferred fixes', () => {
  test.each([
    ...ALL.map(([, bad]) => bad),
    ...MISTAKES,
    ...LINES.map((line) => inService('rate: int;', line)),
    'Stays: project {}\n\nservice * Home {}\n',
  ])('of `%s`', expectNothingLost)

  test.each([
    ['#database(postgres);', '#database(/* why */ postgres);'],
    ['#unique(rate, beds);', '#unique(rate, /* why */ beds);'],
    ['#enumerable; #enumerable;', '#enumerable; #enumerable(/* why */);'],
  ])('comments too: `%s` and `%s`', (plain, commented) => {
    const isPreferred = [plain, commented].map((line) => {
      const text = inService('rate: int;', 'beds: int;', line)
      const { parseResult, diagnostics } = checkText(text)
      return diagnostics.flatMap((diagnostic) => fixesOf(diagnostic, parseResult).map((fix) => fix.preferred))
    })
    expect(isPreferred).toEqual([[true], [false]])
  })

  test('comments in a redundant import too', () => {
    const folder = { name: 'a.portico', read: () => 'A: service {}\n' }
    const isPreferred = ['', ' /* why */'].map((comment) => {
      const text = `import "b.portico";\nimport${comment} "b.portico";\nP: project {}\n`
      const { parseResult, diagnostics } = checkText(text, folder)
      return diagnostics.flatMap((diagnostic) => fixesOf(diagnostic, parseResult).map((fix) => fix.preferred))
    })
    expect(isPreferred).toEqual([[true], [false]])
  })

  test('of any text with slips', () => {
    fc.assert(fc.property(withSlips(definitionText), expectNothingLost), {
      numRuns: Number(process.env['RUNS'] ?? 200),
    })
  })

  test.each([
    ['#enumerable(filter: [a]); #enumerable(sort: [b]);', '#enumerable(filter: [a], sort: [b]);'],
    ['#enumerable(filter: [a]); #enumerable(filter: [a, b]);', '#enumerable(filter: [a, b]);'],
    ['#enumerable; #enumerable(filter: [a], sort: [b]);', '#enumerable(filter: [a], sort: [b]);'],
    ['#enumerable(sort: [a]); #enumerable;', '#enumerable(sort: [a]);'],
    ['#omit[delete]; #omit([update]);', '#omit[delete, update];'],
  ])('two metadata of one name are merged: `%s`', (written, merged) => {
    const text = inService('a: int;', 'b: int;', written)
    const [fix] = fixed(text, 'duplicate-metadata')
    expect(fix?.after).toBe(inService('a: int;', 'b: int;', merged))
  })
})

describe('fixes of syntax errors', () => {
  test('are tried in their block only, with what it refers to', () => {
    const text = 'P: project {}\nA: service {\n  b: B\n  c: int;\n  d int;\n}\nB: service { a: A @server; }\n'
    const { parseResult, diagnostics } = checkText(text)
    const made = diagnostics.map((diagnostic) =>
      validatedFixesOf(diagnostic, parseResult).map(({ title, preferred }) => [title, preferred]),
    )
    expect(made).toEqual([[['Insert `;`', true]], [['Insert `:`', true]]])
  })

  test('find the brace that closes a block too early', () => {
    const text = 'P: project {}\nA: service {\n  a: int}\n  b: int;\n  c: int;\n}\nB: service {}\n'
    const { parseResult, diagnostics } = checkText(text)
    const [diagnostic] = diagnostics
    expect(diagnostic && validatedFixesOf(diagnostic, parseResult)[0]?.title).toBe(
      'Replace `}` with `;` on line 3',
    )
  })
})

describe('fixing everything', () => {
  const broken = `shop: project { #database(postgres); }
item: service {
  name: text(80)
  beds: int(1, 40);
  other: item @uniqe;
  #enumerable; #enumerable;
}
Order: service { item: item; #auth; #omit[delete, delete]; #uses[Item, Item]; }
`

  test('applies preferred fixes until none is left', () => {
    expect(fixAll(broken)).toMatchInlineSnapshot(`
      "Shop: project { }
      Item: service {
        name: string(80);
        beds: int(40, 1);
        other: Item @unique;
        #enumerable;
      }
      Order: service { item: Item; #auth; #omit[delete, delete]; #uses[Item]; }
      "
    `)
  })

  test('leaves out what would bring more errors, and keeps a text that does not improve', () => {
    const early = 'P: project {}\nA: service {\n  a: int}\n  b: int;\n  c: int;\n}\n'
    expect(fixAll(early)).toBe(early)
    expect(fixAll(early.replace('a: int', 'z: text;\n  a: int'))).toBe(
      early.replace('a: int', 'z: string;\n  a: int'),
    )
    const empty = 'P: project {}\nA: service {\n  #enumerable(filter: *);\n}\n'
    expect(fixAll(empty)).toBe(empty)
  })

  test('is limited to the codes that are wanted', () => {
    const once = fixAll(broken, (code) => code === 'duplicate-value')
    expect(once).toBe(broken.replace('[Item, Item]', '[Item]'))
  })

  test('keeps a text without problems', () => {
    const { good } = CATALOGUE['unknown-type']
    expect(fixAll(good)).toBe(good)
  })
})

describe('any text with slips', () => {
  test('has fixes that can be applied', () => {
    fc.assert(
      fc.property(withSlips(definitionText), (text) => {
        const { parseResult, diagnostics } = checkText(text)
        for (const diagnostic of diagnostics.slice(0, 10)) {
          const { start, end } = diagnostic.range
          const span = { start: start.offset, end: end.offset }
          for (const { edits } of [
            ...validatedFixesOf(diagnostic, parseResult),
            ...refactoringsOf(parseResult, span),
          ])
            expect(overlapping(edits)).toEqual([])
        }
      }),
    )
  })

  test('permits the same after everything is fixed, and has no more errors', () => {
    fc.assert(
      fc.property(withSlips(definitionText), (text) => {
        const before = checkText(text)
        const after = checkText(fixAll(text))
        expect(isPermissionChanged(...both(before, after))).toBe(false)
        expect(countErrors(after.diagnostics)).toBeLessThanOrEqual(countErrors(before.diagnostics))
      }),
      { numRuns: 50 },
    )
  })
})

function both(before: CheckedDefinition, after: CheckedDefinition): [Permissions, Permissions] {
  return [permissionsOf(before.parseResult), permissionsOf(after.parseResult)]
}

/** Edits that touch the one before them or are outside of every text. */
function overlapping(edits: readonly Edit[]): Edit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  return sorted.filter(({ start, end }, index) => start > end || start < (sorted[index - 1]?.end ?? 0))
}

describe('the change between two texts', () => {
  test.each([
    ['abc', 'abc'],
    ['', 'abc'],
    ['abc', ''],
    ['aaa', 'aa'],
    ['aa', 'aaa'],
    ['one two three', 'one three'],
  ])('from %j to %j', (before, after) => {
    expect(applyEdits(before, [minimalEdit(before, after)])).toBe(after)
  })

  test('is no larger than it has to be', () => {
    expect(minimalEdit('one two three', 'one 2 three')).toEqual({ start: 4, end: 7, text: '2' })
  })
})
