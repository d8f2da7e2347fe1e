import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { CodeFix } from '../../diagnostics/diagnostic.ts'
import {
  type AnnotationEntry,
  annotationNamed,
  type BlockKind,
  metadataNamed,
  type Parameter,
  type ParameterKind,
  takesList,
} from '../builtins.ts'
import { otherLanguages } from '../other-languages.ts'
import { printable, quote } from '../quote.ts'

/** What to say about a syntax error. The parser adds the range. */
export interface SyntaxMessage {
  readonly code: DiagnosticCode
  readonly message: string
  readonly help?: string
  readonly data?: CodeFix
}

/** `;` is missing after a whole declaration, which ends in `last`. */
export function missingSemicolon(last: string): SyntaxMessage {
  return {
    code: 'missing-semicolon',
    message: `Expected \`;\` after ${quote(last)}`,
    data: { insertion: ';' },
  }
}

/** A comma ends a declaration. */
export function commaForSemicolon(last: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Expected \`;\` after ${quote(last)}`,
    help: 'declarations are separated by `;`',
    data: { replacement: ';' },
  }
}

/** `name string`: the colon is missing between two words. */
export function missingColon(name: string): SyntaxMessage {
  return { code: 'missing-token', message: `Expected \`:\` after ${quote(name)}`, data: { insertion: ':' } }
}

/** `name; string;` and `max = 5`: another sign in place of the colon. */
export function signForColon(name: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Expected \`:\` after ${quote(name)}`,
    data: { replacement: ':' },
  }
}

/** Words that other languages write before a declaration, and what to write here. */
const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ['private', 'write `@server` after the type for what only hooks can see'],
  ['protected', 'write `@server` after the type for what only hooks can see'],
  ['readonly', 'write `@serverSet` after the type for what clients can only read'],
  ['public', 'attributes are public, unless an annotation says otherwise'],
  ['static', 'attributes belong to an entity; constants belong in `src/setup.ts`'],
  ['const', 'attributes belong to an entity; constants belong in `src/setup.ts`'],
  ['optional', 'write `?` after the type, for example `string(80)?`'],
  ['required', 'attributes are required unless their type ends in `?`'],
  ['abstract', 'inheritance is not supported'],
  ['async', 'write hooks and routes in `src/setup.ts` of the generated service'],
])

/**
 * A name without colon and type.
 *
 * @param found the token that follows; `undefined` at the end of the text
 * @param kind what a block would be at this place
 */
export function missingColonAndType(name: string, found: string | undefined, kind: BlockKind): SyntaxMessage {
  const code = 'unexpected-token'
  const shown = printable(name)
  const metadata = metadataNamed(name)
  if (metadata !== undefined && (found === '(' || found === '[' || found === ';')) {
    const { parameter } = metadata
    const example = parameter === undefined ? `#${name}` : metadataExample(name, parameter)
    return { code, message: 'Metadata begins with `#`', help: `for example \`${example}\`` }
  }
  if (found === '(' && kind !== 'service')
    return {
      code,
      message: 'Methods are not supported',
      help: 'write hooks and routes in `src/setup.ts` of the generated service',
    }
  const modifier = MODIFIERS.get(name)
  if (modifier !== undefined && found !== undefined && /^\w/.test(found))
    return { code, message: `Unexpected \`${shown}\``, help: modifier }
  if (/^\p{Lu}/u.test(name))
    return { code, message: `\`${shown}\` needs a kind, for example \`${shown}: ${kind} {}\`` }
  // Only services can be declared where there are no structs.
  if (kind === 'service')
    return {
      code,
      message: `Expected \`:\` after \`${shown}\``,
      help: 'only `project` and `service` are allowed at the top level',
    }
  return { code, message: `\`${shown}\` needs a type, for example \`${shown}: string;\`` }
}

/** `name:` or `name :=` without a type. */
export function missingType(name: string, found: string): SyntaxMessage {
  const shown = printable(name)
  const message = `Missing type after \`${shown}:\``
  const help = found === '=' ? { help: `write \`${shown}: string;\`, without \`=\`` } : {}
  return { code: 'unexpected-token', message, ...help }
}

/** `Home {` or `Home: {`. `kind` is what the block most likely is. */
export function missingBlockKind(name: string, kind: BlockKind, hasColon: boolean): SyntaxMessage {
  return {
    code: 'missing-token',
    message: `Missing block kind after ${quote(name)}`,
    help: `write \`${printable(name)}: ${kind} {\``,
    data: { insertion: hasColon ? ` ${kind}` : `: ${kind}` },
  }
}

/** `service Home` or `string name`. `corrected` is the declaration in Portico's syntax. */
export function nameAfterType(corrected: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: 'The name must come first',
    help: `write \`${corrected}\``,
    data: { replacement: corrected },
  }
}

/** `Home: service` without `{`. `isEmpty` where no member follows. */
export function missingOpeningBrace(head: string, isEmpty: boolean): SyntaxMessage {
  return {
    code: 'missing-token',
    message: `Expected \`{\` after \`${head}\``,
    data: { insertion: isEmpty ? ' {}' : ' {' },
  }
}

/** `Home: service (`: another bracket in place of `{`. */
export function bracketForOpeningBrace(head: string): SyntaxMessage {
  return { code: 'unexpected-token', message: `Expected \`{\` after \`${head}\``, data: { replacement: '{' } }
}

/** `)` or `]` in place of the `}` that closes a block. */
export function bracketForClosingBrace(found: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Unexpected \`${found}\``,
    help: 'did you mean `}`?',
    data: { replacement: '}' },
  }
}

/** Words between the head of a block and its `{`. */
export function wordsBeforeBrace(found: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    ...(/^(?:extends|implements|inherits)$/.test(found)
      ? {
          message: 'Inheritance is not supported',
          help: 'repeat the attributes, or refer to the other service',
        }
      : { message: `Unexpected ${quote(found)}`, help: 'a block is declared `Name: service { ... }`' }),
  }
}

/** `}` without a block that it could close. */
export function unmatchedBrace(): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: 'Unmatched `}`',
    help: 'an earlier `}` may close a block too soon',
    data: { replacement: '' },
  }
}

/** The `}` of a block is missing. */
export function unclosedBlock(name: string): SyntaxMessage {
  return { code: 'unclosed-block', message: `Missing \`}\` to close ${quote(name)}` }
}

/** The label of the place where the `}` probably belongs. */
export function probableEnd(name: string): string {
  return `${quote(name)} probably ends here`
}

/** A declaration cannot begin with this token. */
export function unexpectedStart(found: string | undefined, isTopLevel: boolean): SyntaxMessage {
  if (found?.startsWith('"')) return { ...quotedValue(found), message: 'Names are not quoted' }
  return {
    ...unexpected(found),
    help: isTopLevel
      ? 'only `project` and `service` are allowed at the top level'
      : 'an attribute is declared `name: type;`',
  }
}

/** `@readable(by: all);` or `@unique` on its own line. `name` is the word after the `@`. */
export function annotationBeforeAttribute(name: string): SyntaxMessage {
  return metadataNamed(name) !== undefined && annotationNamed(name) === undefined
    ? { ...unexpected('@'), message: 'Metadata begins with `#`', data: { replacement: '#' } }
    : {
        ...unexpected('@'),
        help: 'annotations are written after the type, for example `name: string @unique;`',
      }
}

/** `now()`: parentheses after a word that takes no arguments. */
export function unexpectedCall(word: string): SyntaxMessage {
  return {
    ...unexpected('('),
    help:
      word === 'now'
        ? 'for the current time, write `datetime = now`'
        : 'functions cannot be called here; a hook can set the value',
  }
}

/** A token that is not allowed here; `undefined` at the end of the text. */
export function unexpected(found: string | undefined): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: found === undefined ? 'Unexpected end of file' : `Unexpected ${quote(found)}`,
  }
}

/** A text in quotes, where no text can be. */
export function quotedValue(literal: string): SyntaxMessage {
  const content = literal.slice(1, -1)
  return {
    code: 'unexpected-token',
    message: 'Values are not quoted',
    ...(/^[\w-]+$/.test(content) ? { data: { replacement: content } } : {}),
  }
}

/** `import hosts;`, `include "hosts.portico";` */
export function malformedImport(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'An import is written `import "hosts.portico";`' }
}

/** An import in a block. */
export function importInBlock(): SyntaxMessage {
  return { code: 'misplaced-import', message: 'Imports belong at the top of the file' }
}

/** `a?: int`, `a: int?(5)`, `a: int @unique?`: the sign of optional attributes in another place. */
export function misplacedQuestionMark(attribute: string): SyntaxMessage {
  return {
    ...unexpected('?'),
    help: `write it after the type and its arguments: \`${printable(attribute)}?;\``,
  }
}

/** `a: int = ;` */
export function missingDefault(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing default after `=`' }
}

/** `a: int @unique = 3`: the default after an annotation. */
export function misplacedDefault(): SyntaxMessage {
  return { ...unexpected('='), help: 'write the default before the annotations' }
}

/** `enum[open, closed]`, `enum { open, closed }` or `enum open`. */
export function enumWithoutParentheses(found: string): SyntaxMessage {
  return {
    ...unexpected(found),
    help: 'values are written in parentheses, for example `status: enum(open, closed);`',
  }
}

/** `|` between the values of an `enum`. */
export function barInEnum(): SyntaxMessage {
  const help = 'separate values with `,`'
  return {
    code: 'unexpected-character',
    message: 'Unexpected character `|`',
    help,
    data: { replacement: ',' },
  }
}

/** What follows a type or an annotation, where `;` or an annotation is expected. */
export function unexpectedAfterType(found: string | undefined, isAnnotation: boolean): SyntaxMessage {
  if (found === '=') return misplacedDefault()
  if (found === '[')
    return {
      ...unexpected(found),
      message: 'Lists are not supported',
      help: 'declare a struct, with one entry for each item',
    }
  if (found === undefined) return unexpected(found)
  if (!isAnnotation)
    return /^\w/.test(found)
      ? { ...unexpected(found), help: 'annotations begin with `@`, for example `@unique`' }
      : unexpected(found)
  return { ...unexpected(found), help: `did you mean \`@${found}\`?`, data: { replacement: `@${found}` } }
}

/** `@` without a name. */
export function missingAnnotationName(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing annotation name after `@`' }
}

/** `#` without a name. */
export function missingMetadataName(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing metadata name after `#`' }
}

/** `#language: go` or `#omit room`: a value without brackets, or a comment as other languages write it. */
export function unexpectedAfterMetadata(metadata: string, found: string): SyntaxMessage {
  const parameter = metadataNamed(metadata)?.parameter
  const isValue = parameter !== undefined && (found === ':' || isWordOf(parameter, found))
  if (!isValue) return { ...unexpected(found), help: 'comments begin with `//`' }
  const example = metadataExample(metadata, parameter)
  return { ...unexpected(found), help: `for example \`${example}\`` }
}

function isWordOf({ name, kind, values }: Parameter, word: string): boolean {
  if (kind === 'services' || kind === 'name') return /^\p{Lu}/u.test(word)
  if (kind === 'attributes') return /^\p{Ll}/u.test(word)
  return word === name || values.some((value) => value.name === word || value.aliases.includes(word))
}

const PLACEHOLDERS: Readonly<Partial<Record<ParameterKind, string>>> = {
  name: 'OldName',
  names: 'admin',
  attributes: 'name, city',
}

/** Metadata with a valid value: `#language(typescript)`, `#readable(by: this)`, `#omit[create]`. */
export function metadataExample(metadata: string, parameter: Parameter): string {
  const value = parameter.values[0]?.name ?? PLACEHOLDERS[parameter.kind] ?? 'Home'
  if (takesList(parameter)) return `#${metadata}[${value}]`
  return parameter.name === 'by' ? `#${metadata}(by: ${value})` : `#${metadata}(${value})`
}

/** An annotation with the value that it requires: `@was(oldName)`. */
export function annotationExample({ name, parameter }: AnnotationEntry): string {
  return parameter === undefined ? `@${name}` : `@${name}(${parameter.name})`
}

/** `@was rate` or `@was[rate]`: a value without parentheses. */
export function unexpectedAfterAnnotation(annotation: AnnotationEntry, found: string): SyntaxMessage {
  return { ...unexpected(found), help: `for example \`${annotationExample(annotation)}\`` }
}

/** `max 5`: the colon is missing after the name of an argument. */
export function missingArgumentColon(name: string): SyntaxMessage {
  return { code: 'missing-token', message: `Expected \`:\` after ${quote(name)}`, data: { insertion: ':' } }
}

/** `5 1`: the comma is missing before the token `next`. */
export function missingComma(next: string): SyntaxMessage {
  return { code: 'missing-token', message: `Missing \`,\` before ${quote(next)}`, data: { insertion: ',' } }
}

/** `5 M`: a suffix apart from its number. */
export function detachedSuffix(number: string, suffix: string): SyntaxMessage {
  return { code: 'unexpected-token', message: `Write \`${printable(number)}${suffix}\`, without a space` }
}

/** The closing bracket of arguments or of a list is missing. */
export function missingBracket(bracket: ')' | ']'): SyntaxMessage {
  return { code: 'missing-token', message: `Missing \`${bracket}\``, data: { insertion: bracket } }
}

/** A token in place of an argument or a list item. `before` is the text of the tokens that precede it. */
export function missingValue(found: string | undefined, before: string): SyntaxMessage {
  if (found === ',') return { ...unexpected(found), data: { replacement: '' } }
  return before.endsWith(':')
    ? { code: 'unexpected-token', message: `Missing value after \`${printable(before)}\`` }
    : unexpected(found)
}

/** Brackets or blocks inside more than `limit` others. */
export function nestingTooDeep(limit: number): SyntaxMessage {
  return {
    code: 'nesting-too-deep',
    message: `Brackets are nested more than ${limit} levels deep`,
    help: 'check that every bracket is closed',
  }
}

/** `/*` without the matching end. */
export function unterminatedComment(): SyntaxMessage {
  return { code: 'unterminated-comment', message: 'Unterminated comment', help: 'close it with `*/`' }
}

/** Characters that mean something in other languages, what is not supported, and what to write here. */
const CHARACTERS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^\|+$/,
    'Unions are not supported',
    'for a choice, use `enum(open, closed)`; for an optional value, `string?`',
  ],
  [/^&+$/, 'Types cannot be combined', 'declare every attribute in its service or struct'],
  [/^!+$/, 'Unexpected character `!`', 'attributes are required unless their type ends in `?`'],
  [/^\*+$/, 'Unexpected character `*`', 'computed values are set by hooks, in `src/setup.ts`'],
]

/**
 * Characters that are not part of the language.
 *
 * @param isDefault they are in the place of a default
 * @param before the word directly before them; empty without one
 */
export function unexpectedCharacters(found: string, isDefault: boolean, before: string): SyntaxMessage {
  const code = 'unexpected-character'
  if (isDefault && found.startsWith('"'))
    return { code, message: 'Unterminated string', help: 'close it with `"`' }
  if (isDefault && /^['`]/.test(found))
    return { code, message: 'Strings are written in double quotes', help: 'for example `= "NL"`' }
  if (/^["'`]+$/.test(found)) return { code, message: 'Values are not quoted', data: { replacement: '' } }
  const instead = CHARACTERS.find(([pattern]) => pattern.test(found))
  if (instead !== undefined && !isDefault)
    return { code, message: instead[1], help: instead[2], data: { replacement: '' } }
  const shown = found.includes('`') ? 'backtick' : quote(found)
  const message = `Unexpected ${/^.$/u.test(found) ? 'character' : 'characters'} ${shown}`
  if (found === '--') return { code, message, help: 'comments begin with `//`', data: { replacement: '' } }
  if (found === '<') {
    const help = otherLanguages.type(before) ?? 'arguments are written in parentheses'
    return { code, message, help, data: { replacement: '' } }
  }
  return { code, message, data: { replacement: '' } }
}

/** The text is longer than definitions can be. */
export function definitionTooLarge(): SyntaxMessage {
  return {
    code: 'definition-too-large',
    message: 'The file has more than 4,194,304 characters',
    help: 'check that this is the right file',
  }
}

/** Some diagnostics are omitted. */
export function moreDiagnostics(count: number): SyntaxMessage {
  return {
    code: 'too-many-diagnostics',
    message: count === 1 ? '1 more problem is not shown' : `${count} more problems are not shown`,
    help: 'fix the problems above first',
  }
}
