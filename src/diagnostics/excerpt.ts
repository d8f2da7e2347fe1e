import type { Range } from './diagnostic.ts'

/** One line of a text with a part of it marked. */
export interface Excerpt {
  /** The line, cut where it is long, with what does not show replaced. */
  readonly line: string
  /** As many columns of spaces as stand before the marked part. */
  readonly indent: string
  /** As many carets as the marked part has columns, one at least. */
  readonly carets: string
}

/** How much of a long line is shown before and behind the start of the range, in UTF-16 code units. */
const BEFORE = 80
const BEHIND = 120
const TAB = '    '
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const NARROW = /[\p{M}\p{Cf}]/u

/** The line that a range begins in. Of a range over several lines the part in the first is marked. */
export function excerptOf(text: string, { start, end }: Range): Excerpt {
  const begin = lineBegin(text, start.offset)
  const close = lineClose(text, start.offset)
  const behind = Math.max(start.offset, Math.min(end.offset, close))
  const before = shown(text.slice(begin, start.offset))
  const marked = shown(text.slice(start.offset, behind))
  const after = shown(text.slice(behind, close))
  const isCutBefore = begin > 0 && !isLineEnd(text[begin - 1])
  const isCutBehind = close < text.length && !isLineEnd(text[close])
  const head = isCutBefore ? `…${before}` : before
  return {
    line: `${head}${marked}${after}${isCutBehind ? '…' : ''}`.trimEnd(),
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
  while (close < text.length && close - offset < BEHIND && !isLineEnd(text[close])) close++
  return isLowSurrogate(text, close) ? close + 1 : close
}

function isLowSurrogate(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}

function shown(part: string): string {
  return part.toWellFormed().replaceAll('\ufeff', '').replaceAll('\t', TAB).replace(UNPRINTABLE, '\ufffd')
}

/** How many columns a terminal gives to a text, near enough to put a caret under it. */
function columns(text: string): number {
  let count = 0
  for (const character of text) {
    if (character > '\u02ff' && NARROW.test(character)) continue
    count += character > '\u10ff' && WIDE.test(character) ? 2 : 1
  }
  return count
}
