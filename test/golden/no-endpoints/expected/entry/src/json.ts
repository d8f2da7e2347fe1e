/** A number by its text: `Number(text)` may round it. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Stands for an array or an object inside the body: read over, never built, since no attribute takes one. */
export const NESTED = Symbol('nested')

/** A value that stands directly in the body's object. */
export type JsonValue = string | boolean | null | JsonNumber | typeof NESTED

/** The body's own keys, whatever they are called; of duplicates the last counts. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/**
 * Reads a JSON object (RFC 8259) without rounding its numbers.
 * Throws a `SyntaxError` that says where the text is no JSON object or is nested deeper than 500 levels.
 */
export function parseJsonObject(text: string): JsonObject {
  return new Reader(text).object()
}

const MAX_DEPTH = 500
const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERALS = new Map<string, [string, boolean | null]>([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
])

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  object(): JsonObject {
    const object = new Map<string, JsonValue>()
    if (this.#peek() !== '{') throw new SyntaxError('must be a JSON object')
    this.#at++
    if (this.#peek() === '}') this.#at++
    else {
      do {
        const key = this.#key()
        object.set(key, this.#value())
      } while (this.#another('}'))
    }
    if (this.#peek() !== '') throw this.#unexpected()
    return object
  }

  #value(): JsonValue {
    const first = this.#peek()
    if (first === '{' || first === '[') return this.#skipNested()
    return this.#scalar(first)
  }

  #scalar(first: string): JsonValue {
    if (first === '"') return this.#string()
    const literal = LITERALS.get(first)
    if (literal !== undefined) {
      const [word, value] = literal
      if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected()
      this.#at += word.length
      return value
    }
    NUMBER.lastIndex = this.#at
    if (!NUMBER.test(this.#text)) throw this.#unexpected()
    const start = this.#at
    this.#at = NUMBER.lastIndex
    return new JsonNumber(this.#text.slice(start, this.#at))
  }

  /** A loop with a stack of its own: depth must not cost call frames. */
  #skipNested(): typeof NESTED {
    const closers: string[] = []
    for (;;) {
      const first = this.#peek()
      if (first === '{' || first === '[') {
        if (closers.length === MAX_DEPTH) throw new SyntaxError(`is nested deeper than ${MAX_DEPTH} levels`)
        const closer = first === '{' ? '}' : ']'
        this.#at++
        if (this.#peek() !== closer) {
          closers.push(closer)
          if (closer === '}') this.#key()
          continue
        }
        this.#at++
      } else this.#scalar(first)

      let closer = closers.at(-1)
      while (closer !== undefined && !this.#another(closer)) {
        closers.pop()
        closer = closers.at(-1)
      }
      if (closer === undefined) return NESTED
      if (closer === '}') this.#key()
    }
  }

  #key(): string {
    if (this.#peek() !== '"') throw this.#unexpected()
    const key = this.#string()
    if (this.#peek() !== ':') throw this.#unexpected()
    this.#at++
    return key
  }

  #string(): string {
    const start = this.#at
    let end = this.#text.indexOf('"', start + 1)
    while (end !== -1 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1)
    if (end === -1) throw new SyntaxError('ends inside a string')
    this.#at = end + 1
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string
    } catch {
      throw new SyntaxError(`has a malformed string at character ${start + 1}`)
    }
  }

  #isEscaped(at: number): boolean {
    let first = at
    while (this.#text.charCodeAt(first - 1) === 0x5c) first--
    return (at - first) % 2 === 1
  }

  /** Reads over `,` and gives true, or over `closer` and gives false. */
  #another(closer: string): boolean {
    const next = this.#peek()
    if (next !== ',' && next !== closer) throw this.#unexpected()
    this.#at++
    return next === ','
  }

  /** The next character that is no white space; empty at the end. */
  #peek(): string {
    const char = this.#text.charAt(this.#at)
    if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return char
    SPACE.lastIndex = this.#at
    SPACE.test(this.#text)
    this.#at = SPACE.lastIndex
    return this.#text.charAt(this.#at)
  }

  #unexpected(): SyntaxError {
    const at =
      this.#at < this.#text.length ? `has an unexpected character at ${this.#at + 1}` : 'ends too early'
    return new SyntaxError(at)
  }
}
