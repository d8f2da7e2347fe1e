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
  const once = formatText(text).text
  if (once === undefined) throw new Error('Refused')
  expect(formatText(once)).toEqual({ text: once })
  return once
}

/** The layout of members of a service. */
function members(text: string): string {
  const [, inner = ''] = /^A: service \{\n([\s\S]*)\}\n$/.exec(layout(`A: service {\n${text}\n}`)) ?? []
  return inner.replaceAll(/^ {2}/gm, '')
}

describe('the standard layout', () => {
  it('puts a blank line around blocks, and none where a block begins or ends', () => {
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

  it('keeps one of several blank lines', () => {
    expect(members('a: int;\n\n\n\nb: int;\nc: int;')).toBe(lines('a: int;', '', 'b: int;', 'c: int;'))
  })

  it('spaces the parts of a declaration', () => {
    expect(
      members('a :int( max :1 ,min: -5 )@unique@server ;#omit [ delete ,update, ] ;#readable( by :all )'),
    ).toBe(lines('a: int(max: 1, min: -5) @unique @server;', '#omit[delete, update];', '#readable(by: all);'))
  })

  it('ends every declaration in a semicolon, and no block', () => {
    expect(layout('A: project {};\nB: service { a: int };')).toBe(
      lines('A: project {}', '', 'B: service {', '  a: int;', '}'),
    )
  })

  it('breaks a list that is too wide for a line, and joins one that is not', () => {
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

  it('has nothing for a text without declarations', () => {
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

  it('stay on lines of their own, moved in with what follows', () => {
    expect(members('// one\n\n      // two\na: int;\n// three')).toBe(
      lines('// one', '', '// two', 'a: int;', '// three'),
    )
  })

  it('line up where they begin their lines with stars, and stay as they are where they do not', () => {
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

  it('break a list where one of them ends its line', () => {
    expect(members('#omit[ // never\ndelete, // kept\nupdate\n// last\n];')).toBe(
      lines('#omit[ // never', '  delete, // kept', '  update,', '  // last', '];'),
    )
  })

  it('go before the member that they share a line with', () => {
    expect(members('a: int; /* of b */ b: int;')).toBe(lines('a: int;', '/* of b */ b: int;'))
    expect(members('a: int; /** of b */ b: int;')).toBe(lines('a: int;', '/** of b */', 'b: int;'))
  })

  it('keep a semicolon in its place where the next documentation depends on it', () => {
    expect(layout('A: project {}\n/** not of B */ ;\nB: service {}')).toBe(
      lines('A: project {}', '', '/** not of B */', ';', '', 'B: service {}'),
    )
    expect(members('a: int // one\n; /// a remark on a\nb: int;')).toBe(
      lines('a: int // one', '    ; /// a remark on a', 'b: int;'),
    )
  })
})

describe('line ends', () => {
  it('are those of the first line', () => {
    expect(layout('A: project {\r\n}\nB: service {}\r')).toBe('A: project {}\r\n\r\nB: service {}\r\n')
    expect(layout('A: project {\n}\r\nB: service {}')).toBe('A: project {}\n\nB: service {}\n')
    expect(layout('A: project {\r}\rB: service { // x\r a: int }')).toBe(
      lines('A: project {}', '', 'B: service { // x', '  a: int;', '}'),
    )
  })

  it('within comments become the same', () => {
    expect(layout('A: project {}\r\n/* a\n b */')).toBe('A: project {}\r\n/* a\r\n b */\r\n')
  })
})

describe('broken text', () => {
  // The examples of the last two are not spelled out.
  const syntaxErrors = new Set<string>(Object.keys(SYNTAX))
  const unspelled = new Set<string>(['definition-too-large', 'too-many-diagnostics'])

  it.each(DIAGNOSTIC_CODES.filter((code) => syntaxErrors.has(code) && !unspelled.has(code)))(
    'is refused, with its diagnostics: %s',
    (code) => {
      const result = formatText(CATALOGUE[code].bad)
      expect(result.text).toBeUndefined()
      if (result.text === undefined)
        expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
    },
  )

  it('is refused where it is too large to be read', () => {
    expect(formatText(`A: project {}//${'x'.repeat(5_000_000)}`).text).toBeUndefined()
  })

  it.each(DIAGNOSTIC_CODES.filter((code) => !syntaxErrors.has(code)))(
    'is not what the other mistakes are, which are laid out: %s',
    (code) => {
      expect(formatText(CATALOGUE[code].bad).text).toBeDefined()
    },
  )
})

describe('the repository', () => {
  const examples = join(import.meta.dirname, '../../examples')
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.portico') && !/node_modules|platform|hundred/.test(name),
  )

  it.each(files)('has its examples in the standard layout: %s', (file) => {
    const text = readFileSync(join(examples, file), 'utf8')
    expect(formatText(text)).toEqual({ text })
  })

  it.each(DIAGNOSTIC_CODES)('shows the standard layout in the catalogue: %s', (code) => {
    // But for blank lines, which short examples do without, and empty blocks.
    const packed = (text: string): string => text.replaceAll('\n\n', '\n').replaceAll('{\n}', '{}')
    const { good } = CATALOGUE[code]
    expect(packed(formatText(good).text ?? '')).toBe(packed(good))
  })
})
