import type { Position, Range } from '../diagnostics/diagnostic.ts'

const LINE_END = /\r\n|\n|\r/g
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Lines and columns of a text. Lookups take logarithmic time, however long the lines are. */
export class LineMap {
  readonly text: string
  #starts: number[] | undefined
  #pairs: number[] | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The position of an offset, which is clamped to the text. */
  positionAt(offset: number): Position {
    const inside = Math.min(Math.max(offset, 0), this.text.length)
    const line = this.lineAt(inside)
    const start = this.lineStart(line)
    const pairs = this.#surrogatePairs()
    const insidePairs = countBelow(pairs, inside) - countBelow(pairs, start)
    const mark = line === 1 && inside > 0 && this.text.charCodeAt(0) === 0xfeff ? 1 : 0
    return { offset: inside, line, column: inside - start - insidePairs - mark + 1 }
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) }
  }

  /** The line, counted from 1, of an offset. */
  lineAt(offset: number): number {
    return countBelow(this.#lineStarts(), offset + 1)
  }

  /** Offset of the first character of a line, counted from 1. */
  lineStart(line: number): number {
    return this.#lineStarts()[line - 1] ?? this.text.length
  }

  /** The text of a line, counted from 1, without its line ending. */
  lineText(line: number): string {
    return this.text.slice(this.lineStart(line), this.lineStart(line + 1)).replace(/[\r\n]+$/, '')
  }

  /** Whether only spaces and tabs precede this offset on its line. */
  beginsLine(offset: number): boolean {
    let before = offset - 1
    while (this.text[before] === ' ' || this.text[before] === '\t') before--
    return before < 0 || this.text[before] === '\n' || this.text[before] === '\r'
  }

  #lineStarts(): number[] {
    this.#starts ??= [0, ...ends(this.text, LINE_END)]
    return this.#starts
  }

  /** Offsets of the second halves of surrogate pairs, which have no column of their own. */
  #surrogatePairs(): number[] {
    this.#pairs ??= Array.from(ends(this.text, SURROGATE_PAIR), (end) => end - 1)
    return this.#pairs
  }
}

function* ends(text: string, pattern: RegExp): Generator<number> {
  for (const match of text.matchAll(pattern)) yield match.index + match[0].length
}

/** The number of elements of an ascending list that are less than a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
