import { annotationNamed, type BlockKind, isParameter } from '../builtins.ts'
import { otherLanguages } from '../other-languages.ts'
import { printable } from '../quote.ts'
import type { RawDiagnostic, Span } from '../raw-diagnostic.ts'
import * as attributes from './messages/attributes.ts'
import * as blocks from './messages/blocks.ts'
import * as characters from './messages/characters.ts'
import * as declarations from './messages/declarations.ts'
import * as limits from './messages/limits.ts'
import * as metadata from './messages/metadata.ts'
import * as values from './messages/values.ts'
import { type SyntaxMessage, unexpected } from './messages/syntax-message.ts'
import type { TokenCursor } from './token-cursor.ts'

/** The first token that a grammar rule did not accept, in the declaration that begins at `from`. */
export interface UnexpectedToken {
  readonly index: number
  readonly from: number
  /** The token after the declaration. */
  readonly to: number
  /** The only token type that the rule accepts there; `undefined` if it accepts several. */
  readonly expected: string | undefined
  /** What a block there would most likely be. */
  readonly likelyKind: BlockKind
}

/** How other languages write the order of a list. */
const SORT_ORDER = /^(?:asc|desc|ascending|descending)$/i

/** The syntax error of a declaration that does not match its grammar rule. */
export function unexpectedToken(cursor: TokenCursor, token: UnexpectedToken): RawDiagnostic {
  const { index, from, to, expected } = token
  const image = cursor.image(index)
  const before = index - 1
  const isItem = /^[\p{L}_$\d+\-.[]/u.test(image)
  if (expected === ')' || expected === ']') {
    // `(max: 40; min: 1)`
    if (image === ';' && index + 1 < to) return on(cursor, index, values.semicolonForComma())
    if (isItem && !cursor.beginsLine(index)) return missingSeparator(cursor, token)
    const isOtherBracket = (image === ')' || image === ']') && image !== expected
    const ends = image === '' || cursor.beginsLine(index) || /^[;}#]$/.test(image)
    // `[a)` ends in the wrong bracket, unless the `)` closes the one around it.
    if (isOtherBracket && !isNested(cursor, from, index))
      return on(cursor, index, values.otherBracket(image, expected))
    if (ends || isOtherBracket) return after(cursor, index, values.missingBracket(expected))
  }
  const isColonMissing = expected === ':' && index === from + 1
  const misread = isColonMissing ? declarations.misreadWord(cursor.image(before), image) : undefined
  if (misread !== undefined) return on(cursor, before, misread)
  if (isColonMissing && isItem && !cursor.beginsLine(index) && cursor.image(index + 1) !== ':')
    return after(cursor, index, declarations.missingColon(cursor.image(before)))
  const message = unexpectedTokenMessage(cursor, token)
  // A declaration that the user is still typing is reported at its own end, not on the next one.
  const isUnfinished = /^[#@:=]$/.test(cursor.image(before)) || (expected === ':' && index === from + 1)
  return isUnfinished && image !== ',' && cursor.beginsLine(index)
    ? after(cursor, index, message)
    : on(cursor, index, message)
}

/** Whether more than one bracket is open before a token of the declaration that begins at `from`. */
function isNested(cursor: TokenCursor, from: number, index: number): boolean {
  let depth = 0
  for (let at = from; at < index; at++)
    if (/^[([]$/.test(cursor.image(at))) depth++
    else if (/^[)\]]$/.test(cursor.image(at))) depth--
  return depth > 1
}

/** `int max: 40` or `#readable by: all`, in the declaration from `from` up to `to`. */
export function missingParentheses(
  cursor: TokenCursor,
  from: number,
  to: number,
  text: string,
): RawDiagnostic {
  const isMetadata = cursor.image(from) === '#'
  const first = isMetadata ? from + 2 : from + 3
  let last = first
  while (last + 1 < to && !/^[;?=@]$/.test(cursor.image(last + 1))) last++
  if (cursor.image(last) === ',') last--
  const place = { start: cursor.start(first), end: cursor.end(last) }
  const callee = `${isMetadata ? '#' : ''}${cursor.image(first - 1)}`
  return { ...values.missingParentheses(callee, text.slice(place.start, place.end)), ...place }
}

function missingSeparator(cursor: TokenCursor, { index, from }: UnexpectedToken): RawDiagnostic {
  const before = index - 1
  const word = cursor.image(before)
  // `5 M` and `5 MB`
  if (/^\d+$/.test(word) && /^[kKmMgG](?:i?[bB])?$/.test(cursor.image(index)))
    return on(cursor, index, values.detachedSuffix(word, cursor.image(index)))
  if (cursor.image(from) === '#' && SORT_ORDER.test(cursor.image(index)))
    return on(cursor, index, metadata.sortOrder(cursor.image(index)))
  const isName = before - from > 1 && cursor.image(before - 1) !== ':' && isParameter(word)
  return after(
    cursor,
    index,
    isName ? values.missingArgumentColon(word) : values.missingComma(cursor.image(index)),
  )
}

function unexpectedTokenMessage(
  cursor: TokenCursor,
  { index, from, expected, likelyKind }: UnexpectedToken,
): SyntaxMessage {
  const image = cursor.image(index)
  const found = image === '' ? undefined : image
  const before = cursor.image(index - 1)
  const isMetadata = cursor.image(from) === '#'
  if (before === '#') return metadata.missingMetadataName()
  if (before === '@') return metadata.missingAnnotationName()
  if (before === '=' && !isMetadata) return attributes.missingDefault()
  if (image === '(' && cursor.isWord(index - 1) && index > from + 1) return values.unexpectedCall(before)
  if (before === '?' && image === '(') return attributes.argumentsAfterQuestionMark()
  if (before === ':' && image === ':') return { ...unexpected(image), data: { replacement: '' } }
  if (before === ':' && index === from + 2 && image !== '?')
    return declarations.missingType(cursor.image(from), image)
  if (image.startsWith('"')) return values.quotedValue(image, insteadOfCall(cursor, index))
  if (image === '=' && !isMetadata && cursor.image(from + 2) === 'enum' && index > from + 3)
    return attributes.namedEnumValue()
  if (image === '=' && (expected === ':' || expected === ')')) return declarations.signForColon(before)
  if (image === '?' && !isMetadata)
    return attributes.misplacedQuestionMark(attributeText(cursor, from, index))
  if (expected === ':' && index === from + 1)
    return declarations.missingColonAndType(cursor.image(from), found, likelyKind)
  if (before === '(' || before === '[' || before === ',' || before === ':')
    return values.missingValue(found, before === ':' ? `${cursor.image(index - 2)}:` : before)
  if (image === ',' && cursor.image(index + 1) === '@') return metadata.commaBeforeAnnotation()
  if (image === ',' && isDecimalComma(cursor, index))
    return values.decimalComma(before, cursor.image(index + 1))
  if (image === ',') return declarations.commaForSemicolon(before)
  if (isMetadata && found !== undefined && index === from + 2)
    return metadata.unexpectedAfterMetadata(
      cursor.image(from + 1),
      found,
      cursor.end(from) < cursor.start(from + 1),
    )
  if (isMetadata && image === ':' && SORT_ORDER.test(cursor.image(index + 1)))
    return metadata.sortOrder(cursor.image(index + 1))
  if (isMetadata) return unexpected(found)
  if (image === '#') return metadata.hashBeforeAnnotation()
  const annotation = cursor.image(index - 2) === '@' ? annotationNamed(before) : undefined
  if (annotation?.parameter !== undefined && found !== undefined)
    return metadata.unexpectedAfterAnnotation(annotation, found)
  if (before === 'enum' && cursor.image(index - 2) === ':' && found !== undefined && /^[[\w]/.test(found))
    return attributes.enumWithoutParentheses(found)
  if (cursor.image(index - 2) === ':' && found !== undefined) {
    const argument = attributes.argumentWithoutParentheses(before, found, cursor.image(index + 1))
    if (argument !== undefined) return argument
  }
  const foreignType = image === '[' ? otherLanguages.type(before) : undefined
  if (foreignType !== undefined) return { ...unexpected(image), help: foreignType }
  return attributes.unexpectedAfterType(found, annotationNamed(image) !== undefined)
}

/** What to write instead of an annotation or metadata of another language, whose first argument is at `index`. */
function insteadOfCall(cursor: TokenCursor, index: number): string | undefined {
  if (cursor.image(index - 1) !== '(') return undefined
  const name = cursor.image(index - 2)
  const sign = cursor.image(index - 3)
  if (sign === '@') return otherLanguages.annotation(name)
  return sign === '#' ? otherLanguages.metadata(name) : undefined
}

/** `1,5`, without a space. */
function isDecimalComma(cursor: TokenCursor, index: number): boolean {
  const [whole, fraction] = [cursor.image(index - 1), cursor.image(index + 1)]
  const isAdjacent =
    cursor.end(index - 1) === cursor.start(index) && cursor.end(index) === cursor.start(index + 1)
  return isAdjacent && /^[-+]?\d+$/.test(whole) && /^\d+$/.test(fraction)
}

/** An attribute with a misplaced token at `index`: its name and type. */
function attributeText(cursor: TokenCursor, from: number, index: number): string {
  const typeAt = index <= from + 2 ? from + 3 : from + 2
  return `${cursor.image(from)}: ${cursor.image(typeAt)}`
}

/** A token that no declaration begins with. */
export function unexpectedStart(cursor: TokenCursor, index: number, isTopLevel: boolean): RawDiagnostic {
  return on(
    cursor,
    index,
    cursor.image(index) === '@'
      ? metadata.annotationBeforeAttribute(cursor.image(index + 1), cursor.image(index + 2))
      : declarations.unexpectedStart(cursor.image(index), isTopLevel),
  )
}

/** An import in a block, or in another form. `end` is the token after it. */
export function invalidImport(
  cursor: TokenCursor,
  index: number,
  end: number,
  isTopLevel: boolean,
): RawDiagnostic {
  const message = isTopLevel ? declarations.malformedImport() : declarations.importInBlock()
  return { ...message, start: cursor.start(index), end: cursor.end(end - 1) }
}

/** `CREATE TABLE`: `help` says what to write instead. Only a surplus word can be removed. */
export function foreignStatement(
  cursor: TokenCursor,
  at: number,
  help: string,
  isSurplus: boolean,
): RawDiagnostic {
  const data = isSurplus ? { data: { replacement: '' } } : {}
  return on(cursor, at, { ...unexpected(cursor.image(at)), help, ...data })
}

/** A surplus token. */
export function surplusToken(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, { ...unexpected(cursor.image(index)), data: { replacement: '' } })
}

/** `name; string;` and `Home = service {` */
export function signForColon(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, declarations.signForColon(cursor.image(index - 1)))
}

/** The head of a block without its `:`; `kind` where it lacks its kind too. */
export function missingColon(cursor: TokenCursor, name: number, kind: BlockKind | undefined): RawDiagnostic {
  const image = cursor.image(name)
  return after(
    cursor,
    name + 1,
    kind === undefined ? declarations.missingColon(image) : blocks.missingBlockKind(image, kind, false),
  )
}

/** `project {`: a block without a name. */
export function missingBlockName(cursor: TokenCursor, kind: number): RawDiagnostic {
  return on(cursor, kind, blocks.missingBlockName(cursor.image(kind)))
}

/** `enum Status {` and `datasource db {`: `at` is the first of the two words. */
export function foreignBlock(cursor: TokenCursor, at: number): RawDiagnostic {
  return on(cursor, at, blocks.foreignBlock(cursor.image(at)))
}

/** `Home: {` */
export function missingKind(cursor: TokenCursor, name: number, kind: BlockKind): RawDiagnostic {
  return after(cursor, name + 2, blocks.missingBlockKind(cursor.image(name), kind, true))
}

/** `status: enum {` and `name: string{` */
export function argumentsInBraces(cursor: TokenCursor, type: string, brace: number): RawDiagnostic {
  return on(
    cursor,
    brace,
    type === 'enum' ? attributes.enumWithoutParentheses('{') : attributes.otherBrackets('{'),
  )
}

/** Words between the head of a block and its `{`. */
export function wordsBeforeBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, blocks.wordsBeforeBrace(cursor.image(index)))
}

/** A head of two words without its `{`, before the token `next`. */
export function missingBrace(
  cursor: TokenCursor,
  name: number,
  next: number,
  hasMembers: boolean,
): RawDiagnostic {
  return after(cursor, next, blocks.missingOpeningBrace(headText(cursor, name, next), !hasMembers))
}

/** `Home: service (` */
export function bracketForBrace(cursor: TokenCursor, name: number, bracket: number): RawDiagnostic {
  return on(cursor, bracket, blocks.bracketForOpeningBrace(headText(cursor, name, bracket)))
}

function headText(cursor: TokenCursor, name: number, next: number): string {
  return `${printable(cursor.image(name))}: ${printable(cursor.image(next - 1))}`
}

/** `)` or `]` in the place of a `}`. */
export function bracketForClosingBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, blocks.bracketForClosingBrace(cursor.image(index)))
}

/** `service Home` and `string name`: `at` is the first of the two words. */
export function nameAfterType(cursor: TokenCursor, at: number, kind: string): RawDiagnostic {
  return {
    ...declarations.nameAfterType(`${cursor.image(at + 1)}: ${kind}`),
    start: cursor.start(at),
    end: cursor.end(at + 1),
  }
}

/** A `}` that no block is open for. */
export function unmatchedBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, blocks.unmatchedBrace())
}

/** A block that lacks its `}` before the token `next`. */
export function unclosedBlock(cursor: TokenCursor, name: number, next: number): RawDiagnostic {
  const image = cursor.image(name)
  const end = cursor.end(next - 1)
  return {
    ...on(cursor, name, blocks.unclosedBlock(image)),
    related: [{ start: end, end, message: blocks.probableEnd(image) }],
  }
}

/**
 * The first bracket from the token `from` on that is inside more than `limit` others, of which `depth` are open before
 * it.
 */
export function tooDeep(cursor: TokenCursor, from: number, depth: number, limit: number): RawDiagnostic {
  let at = from
  for (let open = depth; at < cursor.tokens.length; at++) {
    if (/^[([{]$/.test(cursor.image(at)) && ++open > limit) break
    if (/^[)\]}]$/.test(cursor.image(at))) open--
  }
  return on(cursor, at, limits.nestingTooDeep(limit))
}

/** A comment that does not end. */
export function unterminatedComment(start: number): RawDiagnostic {
  return { ...characters.unterminatedComment(), start, end: start + 2 }
}

/** Whether an offset is among the values of an `enum`. */
export function isInEnum(text: string, offset: number): boolean {
  return /:\s*enum\s*\([^();]*$/.test(text.slice(Math.max(0, offset - 80), offset))
}

/** Whether an offset is among the values of metadata. */
function isInMetadata(text: string, offset: number): boolean {
  return /#\w+\s*[([][^;{}]*$/.test(text.slice(Math.max(0, offset - 80), offset))
}

/** Characters that belong to no token. */
export function unexpectedCharacters(text: string, { start, end }: Span): RawDiagnostic {
  const before = text.slice(Math.max(0, start - 80), start)
  const found = text.slice(start, end)
  if (found === '|' && (isInEnum(text, start) || isInMetadata(text, start)))
    return { ...characters.barInList(), start, end }
  // `List<string>` has type arguments.
  const isComparison = /^[<>]$/.test(found) && !(found === '<' && /^\s*[\p{L}[{]/u.test(text.slice(end)))
  if (isComparison && /:\s*\w+\s*(?:\([^()]*\)\s*|\([^();]*)?$/.test(before))
    return { ...characters.comparison(found), start, end }
  if (/^[-+]$/.test(found) && /#\w+\s*\([^;{}]*\[[^;{}\]]*$/.test(before))
    return { ...metadata.sortOrder(found), start, end }
  const [word] = /@?\w*$/.exec(before) ?? ['']
  const [following] = /^\w*/.exec(text.slice(end)) ?? ['']
  // A `.` at the end of a word ends nothing.
  return {
    ...characters.unexpectedCharacters(found, /=\s*$/.test(before), following === '' ? '' : word),
    start,
    end,
  }
}

/** A message about a token. */
function on(cursor: TokenCursor, index: number, message: SyntaxMessage): RawDiagnostic {
  return {
    ...message,
    start: cursor.start(index),
    end: index < cursor.tokens.length ? cursor.end(index) : cursor.start(index),
  }
}

/** A message about what is missing before the token `index`. */
function after(cursor: TokenCursor, index: number, message: SyntaxMessage): RawDiagnostic {
  const end = cursor.end(index - 1)
  return { ...message, start: end, end }
}
