import { CLOSE_BRACE, COMMENT, DOC_COMMENT, NAME, NUMBER, OPEN_BRACE, Tokens } from './tokens.ts'

/** Text that belongs to no token. Offsets into the text. */
export interface LexicalProblem {
  readonly code: 'unexpected-character' | 'unterminated-comment'
  readonly start: number
  readonly end: number
}

/** A text cut into tokens. */
export interface Scanned {
  readonly tokens: Tokens
  readonly comments: Tokens
  /** In the order of the text. */
  readonly problems: readonly LexicalProblem[]
  /** How many `{` there are more than `}`; negative where there are fewer. */
  readonly unclosedBraces: number
}

const PUNCTUATION = new Set(Array.from('#(),:;@[]{}', (character) => character.charCodeAt(0)))
// The terminals of the grammar.
const NAME_PATTERN = /[\p{L}_$][\p{L}\p{M}\p{N}_$-]*/uy
const NUMBER_PATTERN = /[+-]?\.?[0-9](?:[eE][+-]?[0-9]|[\p{L}\p{M}\p{N}_.])*/uy
const WHITE_SPACE_PATTERN = /\s+/uy
const TYPICAL_TOKEN_LENGTH = 4

/** Cuts a text into tokens, comments and what is neither. Linear in the text; no text makes it fail. */
export function scan(text: string): Scanned {
  const tokens = new Tokens(text, Math.ceil(text.length / TYPICAL_TOKEN_LENGTH) + 16)
  const comments = new Tokens(text, 64)
  const problems: LexicalProblem[] = []
  let unclosedBraces = 0
  let offset = 0
  while (offset < text.length) {
    const code = text.charCodeAt(offset)
    if (isAsciiSpace(code)) {
      offset++
    } else if (PUNCTUATION.has(code)) {
      if (code === OPEN_BRACE) unclosedBraces++
      else if (code === CLOSE_BRACE) unclosedBraces--
      tokens.add(code, offset, ++offset)
    } else if (isNameStart(code)) {
      const end = asciiNameEnd(text, offset)
      // A letter beyond ASCII behind it may belong to the name.
      const nameEnd =
        end < text.length && text.charCodeAt(end) > 0x7f ? (matchEnd(NAME_PATTERN, text, offset) ?? end) : end
      tokens.add(NAME, offset, nameEnd)
      offset = nameEnd
    } else if (code === 0x2f && isCommentStart(text, offset)) {
      const end = commentEnd(text, offset)
      if (end === undefined) {
        problems.push({ code: 'unterminated-comment', start: offset, end: offset + 2 })
        break
      }
      comments.add(isDocumentation(text, offset, end) ? DOC_COMMENT : COMMENT, offset, end)
      offset = end
    } else {
      offset = scanRare(text, offset, tokens, problems)
    }
  }
  return { tokens, comments, problems, unclosedBraces }
}

function scanRare(text: string, offset: number, tokens: Tokens, problems: LexicalProblem[]): number {
  const number = matchEnd(NUMBER_PATTERN, text, offset)
  if (number !== undefined) {
    tokens.add(NUMBER, offset, number)
    return number
  }
  if (text.charCodeAt(offset) > 0x7f) {
    const name = matchEnd(NAME_PATTERN, text, offset)
    if (name !== undefined) {
      tokens.add(NAME, offset, name)
      return name
    }
    const space = matchEnd(WHITE_SPACE_PATTERN, text, offset)
    if (space !== undefined) return space
  }
  const end = offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
  const last = problems.at(-1)
  // A run of such characters is one mistake.
  if (last?.code === 'unexpected-character' && last.end === offset)
    problems[problems.length - 1] = { ...last, end }
  else problems.push({ code: 'unexpected-character', start: offset, end })
  return end
}

function matchEnd(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
}

function asciiNameEnd(text: string, offset: number): number {
  let end = offset + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (!isNameStart(code) && !(code >= 0x30 && code <= 0x39) && code !== 0x2d) break
  }
  return end
}

function isCommentStart(text: string, offset: number): boolean {
  const next = text.charCodeAt(offset + 1)
  return next === 0x2f || next === 0x2a
}

/** `undefined` where it does not end. */
function commentEnd(text: string, offset: number): number | undefined {
  if (text.charCodeAt(offset + 1) === 0x2a) {
    const close = text.indexOf('*/', offset + 2)
    return close < 0 ? undefined : close + 2
  }
  let end = offset + 2
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x0a || code === 0x0d) break
  }
  return end
}

/** `///` but not `////`, `/**` but neither `/***` nor `/**\/`: rows of slashes and stars are drawn as rules. */
function isDocumentation(text: string, offset: number, end: number): boolean {
  const marker = text.slice(offset, Math.min(offset + 4, end))
  if (marker.startsWith('///')) return marker !== '////'
  return marker.startsWith('/**') && end - offset > 4 && marker[3] !== '*'
}
