import { GrammarAST, GrammarUtils } from 'langium'
import { PorticoGrammar } from '../src/language/generated/grammar.ts'
import { ANNOTATIONS, BLOCK_KINDS, METADATA, TYPES } from '../src/language/vocabulary.ts'

/** A rule of a TextMate grammar (macromates.com/manual/en/language_grammars), as far as it is used here. */
interface Rule {
  readonly name?: string
  readonly contentName?: string
  readonly match?: string
  readonly begin?: string
  readonly end?: string
  readonly captures?: Captures
  readonly beginCaptures?: Captures
  readonly endCaptures?: Captures
  readonly include?: string
  readonly patterns?: readonly Rule[]
}

type Captures = Readonly<Record<number, Rule>>

/**
 * The grammar that colours a definition before the language server answers: names and numbers as the language's
 * grammar has them, words from the vocabulary. Scopes are those that VS Code gives to the server's semantic tokens
 * (Semantic Highlight Guide, predefined TextMate scope mappings), so that no colour changes when these arrive.
 */
export function textMateGrammar(): unknown {
  return {
    name: 'portico',
    scopeName: 'source.portico',
    patterns: [{ include: '#definition' }],
    repository: {
      definition: {
        patterns: [
          ...['comments', 'metadata', 'block', 'attribute', 'body'].map(included),
          { name: 'punctuation.terminator.portico', match: ';' },
        ],
      },
      comments: { patterns: comments() },
      block: block(),
      body: {
        begin: '\\{',
        beginCaptures: named('punctuation.section.block.begin'),
        end: '\\}',
        endCaptures: named('punctuation.section.block.end'),
        patterns: [included('definition')],
      },
      attribute: attribute(),
      annotation: annotation(),
      metadata: { patterns: metadata() },
      arguments: { patterns: [...brackets('\\(', '\\)', 'parens', 'values'), ...listOf('values')] },
      values: {
        patterns: [
          included('comments'),
          ...listOf('values'),
          {
            match: `(${ID})\\s*(:)`,
            captures: {
              1: { name: 'variable.parameter.portico' },
              2: { name: 'punctuation.separator.key-value.portico' },
            },
          },
          { name: 'constant.numeric.portico', match: NUMBER },
          { name: 'punctuation.separator.comma.portico', match: ',' },
          { name: 'variable.other.enummember.portico', match: ID },
        ],
      },
      services: {
        patterns: [
          included('comments'),
          ...listOf('services'),
          { name: 'punctuation.separator.comma.portico', match: ',' },
          { name: 'entity.name.type.service.portico', match: ID },
        ],
      },
    },
  }
}

const ID = terminal('ID')
const NUMBER = terminal('NUMBER')
/** What ends a declaration whose `;` is missing: the next one, or the end of the block. */
const NEXT = `(?=[#}{])|(?=(?:${ID})\\s*:)`

/** The regular expression of a terminal, which Oniguruma reads as it is. */
function terminal(name: string): string {
  const rule = PorticoGrammar().rules.find((one) => one.name === name)
  if (!GrammarAST.isTerminalRule(rule)) throw new Error(`The grammar has no terminal ${name}.`)
  return GrammarUtils.terminalRegex(rule).source
}

function anyOf(words: readonly string[]): string {
  return `(?:${words.join('|')})(?![\\p{L}\\p{M}\\p{N}_$-])`
}

function included(name: string): Rule {
  return { include: `#${name}` }
}

function named(scope: string): Captures {
  return { 0: { name: `${scope}.portico` } }
}

function comments(): Rule[] {
  return [
    commentBlock('/\\*\\*(?![*/])', 'comment.block.documentation.portico'),
    commentBlock('/\\*', 'comment.block.portico'),
    { name: 'comment.line.triple-slash.documentation.portico', match: '///(?!/).*$' },
    { name: 'comment.line.double-slash.portico', match: '//.*$' },
  ]
}

function commentBlock(begin: string, name: string): Rule {
  return {
    name,
    begin,
    beginCaptures: named('punctuation.definition.comment.begin'),
    end: '\\*/',
    endCaptures: named('punctuation.definition.comment.end'),
  }
}

/** `Name: service`, up to its body. */
function block(): Rule {
  return {
    match: `(${ID})\\s*(:)\\s*(?:(${anyOf(BLOCK_KINDS)})(?=\\s*(?:\\{|/[/*]|$))|(${ID})(?=\\s*\\{))`,
    captures: {
      1: { name: 'entity.name.type.portico' },
      2: { name: 'punctuation.separator.type.portico' },
      3: { name: 'keyword.control.kind.portico' },
      4: { name: 'keyword.control.kind.portico' },
    },
  }
}

/** `name: type(arguments) @annotation ...;` */
function attribute(): Rule {
  return {
    begin: `(${ID})\\s*(:)`,
    beginCaptures: {
      1: { name: 'variable.other.property.portico' },
      2: { name: 'punctuation.separator.type.portico' },
    },
    end: `(;)|${NEXT}`,
    endCaptures: { 1: { name: 'punctuation.terminator.portico' } },
    patterns: [
      included('comments'),
      included('annotation'),
      ...brackets('\\(', '\\)', 'parens', 'values'),
      { name: 'support.type.primitive.portico', match: anyOf(TYPES.map(({ name }) => name)) },
      { name: 'entity.name.type.reference.portico', match: ID },
    ],
  }
}

function annotation(): Rule {
  return {
    match: `(@)\\s*(?:(${anyOf(ANNOTATIONS.map(({ name }) => name))})|(?:${ID}))`,
    captures: {
      // The sign has the colour of the name.
      1: { name: 'entity.name.function.decorator.portico punctuation.definition.annotation.portico' },
      2: { name: 'entity.name.function.decorator.portico' },
    },
  }
}

/** `#name(arguments);`, what takes names of services apart. */
function metadata(): Rule[] {
  const takingServices = METADATA.filter(({ parameter }) => parameter?.kind === 'services')
  return [
    item(`(${anyOf(takingServices.map(({ name }) => name))})`, [
      ...brackets('\\(', '\\)', 'parens', 'services'),
      ...listOf('services'),
    ]),
    item(`(?:(${anyOf(METADATA.map(({ name }) => name))})|(?:${ID}))`, [included('arguments')]),
  ]
}

function item(name: string, patterns: readonly Rule[]): Rule {
  return {
    begin: `(#)\\s*${name}`,
    beginCaptures: {
      1: { name: 'entity.name.function.preprocessor.portico punctuation.definition.metadata.portico' },
      2: { name: 'entity.name.function.preprocessor.portico' },
    },
    end: `(;)|${NEXT}`,
    endCaptures: { 1: { name: 'punctuation.terminator.portico' } },
    patterns: [included('comments'), ...patterns],
  }
}

function listOf(inside: string): Rule[] {
  return brackets('\\[', '\\]', 'brackets', inside)
}

/** Brackets that a mistake leaves open end where a declaration does. */
function brackets(open: string, close: string, kind: string, inside: string): Rule[] {
  return [
    {
      begin: open,
      beginCaptures: named(`punctuation.section.${kind}.begin`),
      end: `(${close})|(?=[;{}#@])`,
      endCaptures: { 1: { name: `punctuation.section.${kind}.end.portico` } },
      patterns: [included(inside)],
    },
  ]
}
