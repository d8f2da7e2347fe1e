import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import type * as Oniguruma from 'vscode-oniguruma'
import type * as TextMate from 'vscode-textmate'
import { textMateGrammar } from '../../scripts/textmate-grammar.ts'

const require = createRequire(import.meta.url)
const oniguruma = require('vscode-oniguruma') as typeof Oniguruma
const textMate = require('vscode-textmate') as typeof TextMate

const FILE = new URL('../../syntaxes/portico.tmLanguage.json', import.meta.url)

const grammar = await loadGrammar()

async function loadGrammar(): Promise<TextMate.IGrammar> {
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')))
  const registry = new textMate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textMate.parseRawGrammar(readFileSync(FILE, 'utf8'), FILE.pathname),
  })
  const loaded = await registry.loadGrammar('source.portico')
  if (loaded === null) throw new Error('The grammar was not read.')
  return loaded
}

/** Returns the tokens of a text with their innermost scopes, without white space. */
function scopesOf(text: string): [piece: string, scope: string][] {
  let state = textMate.INITIAL
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    state = ruleStack
    return tokens
      .map(({ startIndex, endIndex, scopes }): [string, string] => [
        line.slice(startIndex, endIndex).trim(),
        (scopes.at(-1) ?? '').replace(/\.portico$/, ''),
      ])
      .filter(([piece]) => piece !== '')
  })
}

test('syntaxes/portico.tmLanguage.json is up to date (npm run textmate)', () => {
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(textMateGrammar())
})

describe('tokens have the right scopes', () => {
  test.each([
    [
      'Home: service {',
      [
        'Home entity.name.type',
        ': punctuation.separator.type',
        'service keyword.control.kind',
        '{ punctuation.section.block.begin',
      ],
    ],
    [
      'nightlyRate: float(min: -0.5, 10k) @serverSet @was(rate) @unique;',
      [
        'nightlyRate variable.other.property',
        ': punctuation.separator.type',
        'float support.type.primitive',
        '( punctuation.section.parens.begin',
        'min variable.parameter',
        ': punctuation.separator.key-value',
        '-0.5 constant.numeric',
        ', punctuation.separator.comma',
        '10k constant.numeric',
        ') punctuation.section.parens.end',
        '@ punctuation.definition.annotation',
        'serverSet entity.name.function.decorator',
        '@ punctuation.definition.annotation',
        'was entity.name.function.decorator',
        '( punctuation.section.parens.begin',
        'rate variable.other.enummember',
        ') punctuation.section.parens.end',
        '@ punctuation.definition.annotation',
        'unique entity.name.function.decorator',
        '; punctuation.terminator',
      ],
    ],
    [
      'owner: Host;',
      [
        'owner variable.other.property',
        ': punctuation.separator.type',
        'Host entity.name.type.reference',
        '; punctuation.terminator',
      ],
    ],
    [
      '#readable(by: all);',
      [
        '# punctuation.definition.metadata',
        'readable entity.name.function.preprocessor',
        '( punctuation.section.parens.begin',
        'by variable.parameter',
        ': punctuation.separator.key-value',
        'all variable.other.enummember',
        ') punctuation.section.parens.end',
        '; punctuation.terminator',
      ],
    ],
    [
      '#uses[Home];',
      [
        '# punctuation.definition.metadata',
        'uses entity.name.function.preprocessor',
        '[ punctuation.section.brackets.begin',
        'Home entity.name.type.service',
        '] punctuation.section.brackets.end',
        '; punctuation.terminator',
      ],
    ],
    ['/// A home.', ['/// A home. comment.line.triple-slash.documentation']],
    ['//// no documentation', ['//// no documentation comment.line.double-slash']],
    [
      '/***/',
      ['/* punctuation.definition.comment.begin', '* comment.block', '*/ punctuation.definition.comment.end'],
    ],
    [
      'project: string;',
      [
        'project variable.other.property',
        ': punctuation.separator.type',
        'string support.type.primitive',
        '; punctuation.terminator',
      ],
    ],
    [
      'date: integer',
      ['date variable.other.property', ': punctuation.separator.type', 'integer entity.name.type.reference'],
    ],
    ['#nonsense;', ['# punctuation.definition.metadata', 'nonsense source', '; punctuation.terminator']],
  ])('%s', (text, expected) => {
    expect(scopesOf(text).map(([piece, scope]) => `${piece} ${scope}`)).toEqual(expected)
  })
})

test('an unfinished declaration ends before the next one', () => {
  const scopes = scopesOf(
    'Home: service {\n  beds: int(max: 4\n  #enumerable;\n  size: float\n  name: string;\n}',
  )
  expect(scopes).toContainEqual(['enumerable', 'entity.name.function.preprocessor'])
  expect(scopes).toContainEqual(['name', 'variable.other.property'])
  expect(scopes.at(-1)).toEqual(['}', 'punctuation.section.block.end'])
})

test.each(['stays/stays.portico', 'booking/booking.portico', 'temple/library.temple', 'types/types.portico'])(
  'everything in examples/%s has a scope of its own',
  (name) => {
    const text = readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')
    expect(scopesOf(text).filter(([, scope]) => scope === 'source')).toEqual([])
  },
)
