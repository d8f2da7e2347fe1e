import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CATALOGUE, DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { SYNTAX } from '../../src/diagnostics/entries/syntax.ts'
import { formatText } from '../../src/language/formatter.ts'

function lines(...text: string[]): string {
  return text.map((line) => `${line}\n`).join('')
}

/** The layout of a text; a second pass must not change it. */
function layout(text: string): string {
  const { text: once, syntaxErrors } = formatText(text)
  expect(syntaxErrors).toEqual([])
  expect(formatText(once)).toEqual({ text: once, syntaxErrors: [] })
  return once
}

/** The layout of members of a service. */
function members(text: string): string {
  const [, inner = ''] = /^A: service \{\n([\s\S]*)\}\n$/.exec(layout(`A: service {\n${text}\n}`)) ?? []
  return inner.replaceAll(/^ {2}/gm, '')
}

describe('the standard layout', () => {
  it('has blank lines around blocks, but not at the start or end of a block', () => {
    expect(layout('A:project{}B:service{\n\n\na:int;S:struct{b:int;}c:int;\n\n}C:service{}')).toBe(
      lines(
        'A: project {}',
        '',
        'B: service {',
        '  a: int;',
        '',
        '  S: struct {',
        '    b: int;',
        '  }',
        '',
        '  c: int;',
        '}',
        '',
        'C: service {}',
      ),
    )
  })

  it('reduces several blank lines to one', () => {
    expect(members('a: int;\n\n\n\nb: int;\nc: int;')).toBe(lines('a: int;', '', 'b: int;', 'c: int;'))
  })

  it('spaces the parts of a declaration', () => {
    expect(
      members(
        'a :int( max :1 ,min: -5 )@unique@was ( b )@server ;b:int ?=3;c: string(2) ? = "N L"@unique;#omit [ delete ,update, ] ;#readable( by :all )',
      ),
    ).toBe(
      lines(
        'a: int(max: 1, min: -5) @unique @was(b) @server;',
        'b: int? = 3;',
        'c: string(2)? = "N L" @unique;',
        '#omit[delete, update];',
        '#readable(by: all);',
      ),
    )
  })

  it('ends every declaration with a semicolon, but no block', () => {
    expect(layout('A: project {};\nB: service { a: int };')).toBe(
      lines('A: project {}', '', 'B: service {', '  a: int;', '}'),
    )
  })

  it('breaks a list that is too wide for a line, and joins one that fits', () => {
    const names = [
      'Accommodation',
      'Administration',
      'Communication',
      'Documentation',
      'Infrastructure',
      'Transportation',
    ]
    expect(members(`#uses[${names.join(',')}];`)).toBe(
      lines('#uses[', ...names.map((name) => `  ${name},`), '];'),
    )
    expect(members('#omit[\n  delete,\n  update,\n];')).toBe(lines('#omit[delete, update];'))
  })

  it('is empty for a text without declarations', () => {
    expect(layout('')).toBe('')
    expect(layout(' \r\n ')).toBe('')
    expect(layout('\ufeffA: project {}')).toBe('A: project {}\n')
  })
})

describe('comments', () => {
  it('stay at the end of their line', () => {
    expect(members('a: int; // one\nb: int // two\n;\n#omit[delete]; /* three */')).toBe(
      lines('a: int; // one', 'b: int; // two', '#omit[delete]; /* three */'),
    )
    expect(layout('A: service { // opened\n}  // closed')).toBe(
      lines('A: service { // opened', '} // closed'),
    )
  })

  it('stay on their own lines, indented like the next declaration', () => {
    expect(members('// one\n\n      // two\na: int;\n// three')).toBe(
      lines('// one', '', '// two', 'a: int;', '// three'),
    )
  })

  it('are aligned if their lines begin with stars, and unchanged otherwise', () => {
    expect(members('/**\n        * one\n     * - two\n   */\na: int;')).toBe(
      lines('/**', ' * one', ' * - two', ' */', 'a: int;'),
    )
    expect(layout('/*\n      drawn\n   by hand */\nA: project {}')).toBe(
      lines('/*', '      drawn', '   by hand */', 'A: project {}'),
    )
  })

  it('stay within a declaration', () => {
    expect(members('a /* one */ : int( /* two */ 1 , 2 /* three */ );')).toBe(
      lines('a /* one */: int(/* two */ 1, 2 /* three */);'),
    )
    expect(members('a: // why\nint;')).toBe(lines('a: // why', '    int;'))
  })

  it('break a list if one of them ends its line', () => {
    expect(members('#omit[ // never\ndelete, // kept\nupdate\n// last\n];')).toBe(
      lines('#omit[ // never', '  delete, // kept', '  update,', '  // last', '];'),
    )
  })

  it('move before the member on the same line', () => {
    expect(members('a: int; /* of b */ b: int;')).toBe(lines('a: int;', '/* of b */ b: int;'))
    expect(members('a: int; /** of b */ b: int;')).toBe(lines('a: int;', '/** of b */', 'b: int;'))
  })

  it('keep a semicolon that documentation depends on', () => {
    expect(layout('A: project {}\n/** not of B */ ;\nB: service {}')).toBe(
      lines('A: project {}', '', '/** not of B */', ';', '', 'B: service {}'),
    )
    expect(members('a: int // one\n; /// a remark on a\nb: int;')).toBe(
      lines('a: int // one', '    ; /// a remark on a', 'b: int;'),
    )
  })
})

describe('line endings', () => {
  it('are those of the first line', () => {
    expect(layout('A: project {\r\n}\nB: service {}\r')).toBe('A: project {}\r\n\r\nB: service {}\r\n')
    expect(layout('A: project {\n}\r\nB: service {}')).toBe('A: project {}\n\nB: service {}\n')
    expect(layout('A: project {\r}\rB: service { // x\r a: int }')).toBe(
      lines('A: project {}', '', 'B: service { // x', '  a: int;', '}'),
    )
  })

  it('within comments are unified', () => {
    expect(layout('A: project {}\r\n/* a\n b */')).toBe('A: project {}\r\n/* a\r\n b */\r\n')
  })
})

describe('a text with syntax errors', () => {
  const syntaxErrors = new Set<string>(Object.keys(SYNTAX))
  // The examples of two are not spelled out, and a missing semicolon is inserted.
  const others = new Set<string>(['definition-too-large', 'too-many-diagnostics', 'missing-semicolon'])
  const broken = DIAGNOSTIC_CODES.filter((code) => syntaxErrors.has(code) && !others.has(code))

  it.each(broken)('keeps the block with the error unchanged, and reports it: %s', (code) => {
    const { bad } = CATALOGUE[code]
    const result = formatText(bad)
    expect(result.text).toBe(bad)
    expect(result.syntaxErrors.map((diagnostic) => diagnostic.code)).toEqual([code])
  })

  it('has its other blocks formatted', () => {
    const text = 'A:project{}\n\nB:  service {\n\n\n a int;\n}  // of B\nC:service{a:int}\n\n\n\n'
    expect(formatText(text).text).toBe(
      lines(
        'A: project {}',
        '',
        'B:  service {',
        '',
        '',
        ' a int;',
        '} // of B',
        '',
        'C: service {',
        '  a: int;',
        '}',
      ),
    )
    expect(formatText('A :service{a int}\n/* of B */B:service{}').text).toBe(
      'A :service{a int}\n\n/* of B */ B: service {}\n',
    )
    expect(formatText('A:service{}\nB: service {\n  a:  int;\nC:service{}\n').text).toBe(
      'A: service {}\nB: service {\n  a:  int;\n\nC: service {}\n',
    )
  })

  it('keeps the line endings of blocks with errors', () => {
    expect(formatText('A:service{}\r\nB:service{a int\n}\nC:service{}').text).toBe(
      'A: service {}\r\nB:service{a int\n}\r\n\r\nC: service {}\r\n',
    )
  })

  it('is unchanged if it is too large to be parsed', () => {
    const text = `A:project{}//${'x'.repeat(5_000_000)}`
    const result = formatText(text)
    expect(result.text === text).toBe(true)
    expect(result.syntaxErrors.map(({ code }) => code)).toEqual(['definition-too-large'])
  })
})

describe('a text with other mistakes', () => {
  const syntaxErrors = new Set<string>(Object.keys(SYNTAX))

  it.each(DIAGNOSTIC_CODES.filter((code) => !syntaxErrors.has(code)))('is formatted: %s', (code) => {
    expect(formatText(CATALOGUE[code].bad).syntaxErrors).toEqual([])
  })

  it('has missing semicolons inserted', () => {
    expect(members('a: int // one\nb: int #omit[delete] c: int')).toBe(
      lines('a: int; // one', 'b: int;', '#omit[delete];', 'c: int;'),
    )
  })
})

describe('imports', () => {
  it('have their own lines, no blank lines between them, and one after them', () => {
    const text =
      '// Head.\nimport   "a.portico"  ;\n\n\nimport "b.portico" import "c.portico"; // c\nP:project{}\n'
    expect(layout(text)).toBe(
      lines(
        '// Head.',
        'import "a.portico";',
        'import "b.portico";',
        'import "c.portico"; // c',
        '',
        'P: project {}',
      ),
    )
  })

  it('keep a blank line before a comment', () => {
    expect(
      layout('import "a.portico";\n\n// Others.\n\nimport "b.portico";\n/// Doc.\nA: service {}\n'),
    ).toBe(
      lines('import "a.portico";', '', '// Others.', 'import "b.portico";', '', '/// Doc.', 'A: service {}'),
    )
  })
})

describe('the repository', () => {
  const examples = join(import.meta.dirname, '../../examples')
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.portico') && !/node_modules|platform/.test(name),
  )

  it.each(files)('has its examples in the standard layout: %s', (file) => {
    const text = readFileSync(join(examples, file), 'utf8')
    expect(formatText(text)).toEqual({ text, syntaxErrors: [] })
  })

  it.each(DIAGNOSTIC_CODES)('shows the standard layout in the catalogue: %s', (code) => {
    // But for blank lines, which short examples do without, and empty blocks.
    const packed = (text: string): string => text.replaceAll('\n\n', '\n').replaceAll('{\n}', '{}')
    const { good } = CATALOGUE[code]
    expect(packed(formatText(good).text)).toBe(packed(good))
  })
})
