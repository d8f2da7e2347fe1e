/** Kinds of token. Punctuation has its character code as its kind. */
export const END: number = 0
export const NAME: number = 1
export const NUMBER: number = 2
/** Documentation of what follows. */
export const DOC_COMMENT: number = 3
export const COMMENT: number = 4
export const HASH: number = 0x23
export const OPEN_PAREN: number = 0x28
export const CLOSE_PAREN: number = 0x29
export const COMMA: number = 0x2c
export const COLON: number = 0x3a
export const SEMICOLON: number = 0x3b
export const AT: number = 0x40
export const OPEN_BRACKET: number = 0x5b
export const CLOSE_BRACKET: number = 0x5d
export const OPEN_BRACE: number = 0x7b
export const CLOSE_BRACE: number = 0x7d

/** A list of tokens in the order of the text, kept in flat arrays so that a megabyte of them is cheap. */
export class Tokens {
  readonly text: string
  length = 0
  #kinds: Uint8Array
  #starts: Int32Array
  #ends: Int32Array

  /** @param capacity how many tokens to make room for at first */
  constructor(text: string, capacity: number) {
    this.text = text
    this.#kinds = new Uint8Array(capacity)
    this.#starts = new Int32Array(capacity)
    this.#ends = new Int32Array(capacity)
  }

  add(kind: number, start: number, end: number): void {
    if (this.length === this.#kinds.length) this.#grow()
    this.#kinds[this.length] = kind
    this.#starts[this.length] = start
    this.#ends[this.length] = end
    this.length++
  }

  /** `END` behind the last one. */
  kind(index: number): number {
    return index < this.length ? (this.#kinds[index] ?? END) : END
  }

  /** Offset of the first character; of the end of the text behind the last token. */
  start(index: number): number {
    return index < this.length ? (this.#starts[index] ?? 0) : this.text.length
  }

  /** Offset behind the last character; 0 before the first token. */
  end(index: number): number {
    if (index < 0) return 0
    return index < this.length ? (this.#ends[index] ?? 0) : this.text.length
  }

  /** The characters of a token; empty behind the last one. */
  textOf(index: number): string {
    return this.text.slice(this.start(index), this.end(index))
  }

  /** The first token that starts at this offset or behind it; `length` where there is none. */
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

  #grow(): void {
    const capacity = this.#kinds.length * 2
    const kinds = new Uint8Array(capacity)
    kinds.set(this.#kinds)
    const starts = new Int32Array(capacity)
    starts.set(this.#starts)
    const ends = new Int32Array(capacity)
    ends.set(this.#ends)
    this.#kinds = kinds
    this.#starts = starts
    this.#ends = ends
  }
}
