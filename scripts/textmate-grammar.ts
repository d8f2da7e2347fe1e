import { GrammarAST, GrammarUtils } from 'langium'
import { PorticoGrammar } from '../src/language/generated/grammar.ts'
import { ANNOTATIONS, BLOCK_KINDS, METADATA, TYPES } from '../src/language/builtins.ts'

/** A rule of a TextMate grammar (macromates.com/manual/en/language_grammars). */
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
 * Returns the TextMate grammar, which colors a definition until the semantic tokens of the language server arrive. It
 * uses the terminals of the language's grammar and the table of builtins. Its scopes are those that VS Code maps
 * semantic tokens to (Semantic Highlight Guide, predefined TextMate scope mappings), so that the colors stay the same.
 */
export function textMateGrammar(): unknown {
  return {
    name: 'portico',
    scopeName: 'source.portico',
    patterns: [{ include: '#definition' }],
    repository: {
      definition: {
        patterns: [
          ...['comments', 'import', 'metadata', 'block', 'attribute', 'body'].map(included),
          { name: 'punctuation.terminator.portico', match: ';' },
        ],
      },
      comments: { patterns: comments() },
      import: {
        match: `\\b(import)\\s*(${terminal('TEXT')})`,
        captures: {
          1: { name: 'keyword.control.import.portico' },
          2: { name: 'string.quoted.double.portico' },
        },
      },
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
          { name: 'string.quoted.double.portico', match: terminal('TEXT') },
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
/** The end of a declaration without `;`: the next declaration, or the end of the block. */
const NEXT = `(?=[#}{])|(?=(?:${ID})\\s*:)`

/** Returns the regular expression of a terminal, which is valid for Oniguruma too. */
function terminal(name: string): string {
  const rule = PorticoGrammar().rules.find((one) => one.name === name)
  if (!GrammarAST.isTerminalRule(rule)) throw new Error(`The grammar has no terminal ${name}`)
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
      defaultValue(),
      { name: 'keyword.operator.optional.portico', match: '\\?' },
      { name: 'support.type.primitive.portico', match: anyOf(TYPES.map(({ name }) => name)) },
      { name: 'entity.name.type.reference.portico', match: ID },
    ],
  }
}

/** `= value`, up to the annotations. */
function defaultValue(): Rule {
  return {
    begin: '=',
    beginCaptures: named('keyword.operator.assignment'),
    end: `(?=[;@])|${NEXT}`,
    patterns: [
      included('comments'),
      { name: 'string.quoted.double.portico', match: terminal('TEXT') },
      { name: 'constant.numeric.portico', match: NUMBER },
      { name: 'variable.other.enummember.portico', match: ID },
    ],
  }
}

function annotation(): Rule {
  return {
    match: `(@)\\s*(?:(${anyOf(ANNOTATIONS.map(({ name }) => name))})|(?:${ID}))`,
    captures: {
      // `@` has the color of the name.
      1: { name: 'entity.name.function.decorator.portico punctuation.definition.annotation.portico' },
      2: { name: 'entity.name.function.decorator.portico' },
    },
  }
}

/** `#name(arguments);`, with a separate rule for metadata whose arguments are services. */
function metadata(): Rule[] {
  const withServices = METADATA.filter(({ parameter }) => parameter?.kind === 'services')
  return [
    item(`(${anyOf(withServices.map(({ name }) => name))})`, [
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

/** Brackets, which end with the declaration if they are not closed. */
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
