import type { Segment } from './parser/segment.ts'
import type { IToken } from './parser/token.ts'

/** The tokens, or the comments, of all segments of a definition, by index. */
export class TokenList {
  readonly length: number
  readonly #text: string
  readonly #segments: readonly Segment[]
  readonly #tokensOf: (segment: Segment) => readonly IToken[]
  /** The index of the first token of each segment. */
  readonly #firsts: readonly number[]
  /** The segment of the last access, because most accesses are to adjacent tokens. */
  #last = 0

  constructor(text: string, segments: readonly Segment[], tokensOf: (segment: Segment) => readonly IToken[]) {
    this.#text = text
    this.#segments = segments
    this.#tokensOf = tokensOf
    const firsts: number[] = []
    let length = 0
    for (const segment of segments) {
      firsts.push(length)
      length += tokensOf(segment).length
    }
    this.#firsts = firsts
    this.length = length
  }

  /** The text of a token; empty before the first and after the last one. */
  image(index: number): string {
    return this.#at(index)?.token.image ?? ''
  }

  /** The offset of its start; after the last token the end of the text, before the first one 0. */
  start(index: number): number {
    const found = this.#at(index)
    if (found !== undefined) return found.segment.offset + found.token.startOffset
    return index < 0 ? 0 : this.#text.length
  }

  /** The offset of its end; after the last token the end of the text, before the first one 0. */
  end(index: number): number {
    const found = this.#at(index)
    return found === undefined ? this.start(index) : this.start(index) + found.token.image.length
  }

  /** Name of its token type in the grammar: `ID`, `NUMBER`, or the keyword itself. */
  type(index: number): string {
    return this.#at(index)?.token.tokenType.name ?? ''
  }

  /** Whether it is a name, or a keyword of letters, which can also be a name. */
  isWord(index: number): boolean {
    return /^[\p{L}_$]/u.test(this.image(index))
  }

  /** Whether it is a word or a number. */
  isWordOrNumber(index: number): boolean {
    return this.isWord(index) || this.type(index) === 'NUMBER'
  }

  /** The first token that starts at this offset or after it; `length` if there is none. */
  firstFrom(offset: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.start(middle) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  #at(index: number): { readonly segment: Segment; readonly token: IToken } | undefined {
    if (index < 0 || index >= this.length) return undefined
    const at = this.#segmentOf(index)
    const segment = this.#segments[at]
    const token = segment && this.#tokensOf(segment)[index - (this.#firsts[at] ?? 0)]
    return segment && token && { segment, token }
  }

  #segmentOf(index: number): number {
    const firsts = this.#firsts
    if ((firsts[this.#last] ?? 0) <= index && index < (firsts[this.#last + 1] ?? this.length))
      return this.#last
    let low = 0
    let high = firsts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((firsts[middle] ?? 0) <= index) low = middle + 1
      else high = middle
    }
    this.#last = low - 1
    return this.#last
  }
}
