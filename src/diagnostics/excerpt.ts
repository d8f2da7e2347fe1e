import { CONTROL_CHARACTER } from '../control-characters.ts'
import type { Range } from './diagnostic.ts'

/** One line of a text with a part of it marked. */
export interface Excerpt {
  /** The line, truncated where it is long, with unprintable characters replaced. */
  readonly line: string
  /** As many spaces as there are columns before the marked part. */
  readonly indent: string
  /** As many carets as the marked part has columns, at least one. */
  readonly carets: string
}

/** How much of a long line is shown before and after the start of the range, in UTF-16 code units. */
const BEFORE = 80
const AFTER = 120
const TAB = '    '
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const NARROW = /[\p{M}\p{Cf}]/u

/** The line in which a range begins. A range over several lines is marked in the first. */
export function excerptOf(text: string, { start, end }: Range): Excerpt {
  const begin = lineBegin(text, start.offset)
  const close = lineClose(text, start.offset)
  const markEnd = Math.max(start.offset, Math.min(end.offset, close))
  const before = shown(text.slice(begin, start.offset))
  const marked = shown(text.slice(start.offset, markEnd))
  const after = shown(text.slice(markEnd, close))
  const isCutBefore = begin > 0 && !isLineEnd(text[begin - 1])
  const isCutAfter = close < text.length && !isLineEnd(text[close])
  const head = isCutBefore ? `…${before}` : before
  return {
    line: `${head}${marked}${after}${isCutAfter ? '…' : ''}`.trimEnd(),
    indent: ' '.repeat(columns(head)),
    carets: '^'.repeat(Math.max(1, columns(marked))),
  }
}

function lineBegin(text: string, offset: number): number {
  let begin = offset
  while (begin > 0 && offset - begin < BEFORE && !isLineEnd(text[begin - 1])) begin--
  return isLowSurrogate(text, begin) ? begin - 1 : begin
}

function lineClose(text: string, offset: number): number {
  let close = offset
  while (close < text.length && close - offset < AFTER && !isLineEnd(text[close])) close++
  return isLowSurrogate(text, close) ? close + 1 : close
}

function isLowSurrogate(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}

function shown(part: string): string {
  return part
    .toWellFormed()
    .replaceAll('\ufeff', '')
    .replaceAll('\t', TAB)
    .replace(CONTROL_CHARACTER, '\ufffd')
}

/** The width of a text in a terminal, precise enough to place carets. */
function columns(text: string): number {
  let count = 0
  for (const character of text) {
    if (character > '\u02ff' && NARROW.test(character)) continue
    count += character > '\u10ff' && WIDE.test(character) ? 2 : 1
  }
  return count
}
