import { annotationNamed, type BlockKind, isParameter } from '../builtins.ts'
import { printable } from '../quote.ts'
import type { RawDiagnostic, Span } from '../raw-diagnostic.ts'
import * as messages from './messages.ts'
import type { SyntaxMessage } from './messages.ts'
import type { TokenCursor } from './token-cursor.ts'

/** The first token that a grammar rule did not accept, in the declaration that begins at `from`. */
export interface UnexpectedToken {
  readonly index: number
  readonly from: number
  /** The only token type that the rule accepts there; `undefined` if it accepts several. */
  readonly expected: string | undefined
  /** What a block there would most likely be. */
  readonly likelyKind: BlockKind
}

/** The syntax error of a declaration that does not match its grammar rule. */
export function unexpectedToken(cursor: TokenCursor, token: UnexpectedToken): RawDiagnostic {
  const { index, from, expected } = token
  const image = cursor.image(index)
  const before = index - 1
  const isItem = /^[\p{L}_$\d+\-.[]/u.test(image)
  if (expected === ')' || expected === ']') {
    if (isItem && !cursor.beginsLine(index)) return missingSeparator(cursor, token)
    const isOtherBracket = (image === ')' || image === ']') && image !== expected
    const ends = image === '' || cursor.beginsLine(index) || /^[;}#]$/.test(image)
    if (ends || isOtherBracket) return after(cursor, index, messages.missingBracket(expected))
  }
  const isColonMissing = expected === ':' && index === from + 1
  if (isColonMissing && isItem && !cursor.beginsLine(index) && cursor.image(index + 1) !== ':')
    return after(cursor, index, messages.missingColon(cursor.image(before)))
  const message = unexpectedTokenMessage(cursor, token)
  // A declaration that the user is still typing is reported at its own end, not on the next one.
  const isUnfinished = /^[#@:=]$/.test(cursor.image(before)) || (expected === ':' && index === from + 1)
  return isUnfinished && image !== ',' && cursor.beginsLine(index)
    ? after(cursor, index, message)
    : on(cursor, index, message)
}

function missingSeparator(cursor: TokenCursor, { index, from }: UnexpectedToken): RawDiagnostic {
  const before = index - 1
  const word = cursor.image(before)
  if (/^\d+$/.test(word) && /^[kKmMgG]$/.test(cursor.image(index)))
    return on(cursor, index, messages.detachedSuffix(word, cursor.image(index)))
  const isName = before - from > 1 && cursor.image(before - 1) !== ':' && isParameter(word)
  return after(
    cursor,
    index,
    isName ? messages.missingArgumentColon(word) : messages.missingComma(cursor.image(index)),
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
  if (before === '#') return messages.missingMetadataName()
  if (before === '@') return messages.missingAnnotationName()
  if (before === '=' && !isMetadata) return messages.missingDefault()
  if (image === '(' && cursor.isWord(index - 1) && index > from + 1) return messages.unexpectedCall(before)
  if (image.startsWith('"')) return messages.quotedValue(image)
  if (image === '=' && (expected === ':' || expected === ')')) return messages.signForColon(before)
  if (image === '?' && !isMetadata) return messages.misplacedQuestionMark(attributeText(cursor, from, index))
  if (before === ':' && index === from + 2) return messages.missingType(cursor.image(from), image)
  if (expected === ':' && index === from + 1)
    return messages.missingColonAndType(cursor.image(from), found, likelyKind)
  if (before === '(' || before === '[' || before === ',' || before === ':')
    return messages.missingValue(found, before === ':' ? `${cursor.image(index - 2)}:` : before)
  if (image === ',') return messages.commaForSemicolon(before)
  if (isMetadata && found !== undefined && index === from + 2)
    return messages.unexpectedAfterMetadata(cursor.image(from + 1), found)
  if (isMetadata) return messages.unexpected(found)
  const annotation = cursor.image(index - 2) === '@' ? annotationNamed(before) : undefined
  if (annotation?.parameter !== undefined && found !== undefined)
    return messages.unexpectedAfterAnnotation(annotation, found)
  if (before === 'enum' && cursor.image(index - 2) === ':' && found !== undefined && /^[[\w]/.test(found))
    return messages.enumWithoutParentheses(found)
  return messages.unexpectedAfterType(found, annotationNamed(image) !== undefined)
}

/** An attribute up to a misplaced token: its name and type. */
function attributeText(cursor: TokenCursor, from: number, index: number): string {
  const typeAt = index === from + 1 ? from + 3 : from + 2
  return `${cursor.image(from)}: ${cursor.image(typeAt)}`
}

/** A token that no declaration begins with. */
export function unexpectedStart(cursor: TokenCursor, index: number, isTopLevel: boolean): RawDiagnostic {
  return on(
    cursor,
    index,
    cursor.image(index) === '@'
      ? messages.annotationBeforeAttribute(cursor.image(index + 1))
      : messages.unexpectedStart(cursor.image(index), isTopLevel),
  )
}

/** An import in a block, or in another form. `end` is the token after it. */
export function invalidImport(
  cursor: TokenCursor,
  index: number,
  end: number,
  isTopLevel: boolean,
): RawDiagnostic {
  const message = isTopLevel ? messages.malformedImport() : messages.importInBlock()
  return { ...message, start: cursor.start(index), end: cursor.end(end - 1) }
}

/** A surplus token. */
export function surplusToken(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, { ...messages.unexpected(cursor.image(index)), data: { replacement: '' } })
}

/** `name; string;` and `Home = service {` */
export function signForColon(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, messages.signForColon(cursor.image(index - 1)))
}

/** The head of a block without its `:`; `kind` where it lacks its kind too. */
export function missingColon(cursor: TokenCursor, name: number, kind: BlockKind | undefined): RawDiagnostic {
  const image = cursor.image(name)
  return after(
    cursor,
    name + 1,
    kind === undefined ? messages.missingColon(image) : messages.missingBlockKind(image, kind, false),
  )
}

/** `Home: {` */
export function missingKind(cursor: TokenCursor, name: number, kind: BlockKind): RawDiagnostic {
  return after(cursor, name + 2, messages.missingBlockKind(cursor.image(name), kind, true))
}

/** `status: enum {` */
export function enumInBraces(cursor: TokenCursor, brace: number): RawDiagnostic {
  return on(cursor, brace, messages.enumWithoutParentheses('{'))
}

/** Words between the head of a block and its `{`. */
export function wordsBeforeBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, messages.wordsBeforeBrace(cursor.image(index)))
}

/** A head of two words without its `{`, before the token `next`. */
export function missingBrace(
  cursor: TokenCursor,
  name: number,
  next: number,
  hasMembers: boolean,
): RawDiagnostic {
  return after(cursor, next, messages.missingOpeningBrace(headText(cursor, name, next), !hasMembers))
}

/** `Home: service (` */
export function bracketForBrace(cursor: TokenCursor, name: number, bracket: number): RawDiagnostic {
  return on(cursor, bracket, messages.bracketForOpeningBrace(headText(cursor, name, bracket)))
}

function headText(cursor: TokenCursor, name: number, next: number): string {
  return `${printable(cursor.image(name))}: ${printable(cursor.image(next - 1))}`
}

/** `)` or `]` in the place of a `}`. */
export function bracketForClosingBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, messages.bracketForClosingBrace(cursor.image(index)))
}

/** `service Home` and `string name`: `at` is the first of the two words. */
export function nameAfterType(cursor: TokenCursor, at: number, kind: string): RawDiagnostic {
  return {
    ...messages.nameAfterType(`${cursor.image(at + 1)}: ${kind}`),
    start: cursor.start(at),
    end: cursor.end(at + 1),
  }
}

/** A `}` that no block is open for. */
export function unmatchedBrace(cursor: TokenCursor, index: number): RawDiagnostic {
  return on(cursor, index, messages.unmatchedBrace())
}

/** A block that lacks its `}` before the token `next`. */
export function unclosedBlock(cursor: TokenCursor, name: number, next: number): RawDiagnostic {
  const image = cursor.image(name)
  const end = cursor.end(next - 1)
  return {
    ...on(cursor, name, messages.unclosedBlock(image)),
    related: [{ start: end, end, message: messages.probableEnd(image) }],
  }
}

/** A bracket that is nested too deeply. */
export function tooDeep(cursor: TokenCursor, index: number, limit: number): RawDiagnostic {
  return on(cursor, index, messages.nestingTooDeep(limit))
}

/** A comment that does not end. */
export function unterminatedComment(start: number): RawDiagnostic {
  return { ...messages.unterminatedComment(), start, end: start + 2 }
}

/** Whether an offset is among the values of an `enum`. */
export function isInEnum(text: string, offset: number): boolean {
  return /:\s*enum\s*\([^();]*$/.test(text.slice(Math.max(0, offset - 80), offset))
}

/** Characters that belong to no token. */
export function unexpectedCharacters(text: string, { start, end }: Span): RawDiagnostic {
  const before = text.slice(Math.max(0, start - 80), start)
  if (text.slice(start, end) === '|' && isInEnum(text, start)) return { ...messages.barInEnum(), start, end }
  const [word] = /\w*$/.exec(before) ?? ['']
  return {
    ...messages.unexpectedCharacters(text.slice(start, end), /=\s*$/.test(before), word),
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
