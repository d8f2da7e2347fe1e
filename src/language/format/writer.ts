import type { Comment } from './tokens.ts'

const INDENT = '  '

/** Builds the text line by line. A line comment ends its line by itself. */
export class Writer {
  readonly #lines: string[] = []
  #line = ''
  #depth = 0
  #ended = true

  /** Puts what `body` writes on lines one step (or `steps`) further in. */
  indented(body: () => void, steps = 1): void {
    this.#depth += steps
    body()
    this.#depth -= steps
  }

  /** Ends the line, unless nothing stands on it. */
  breakLine(): void {
    if (this.#line !== '') this.#lines.push(this.#line)
    this.#line = ''
    this.#ended = false
  }

  /** Ends the line and leaves one blank, never two. */
  blankLine(): void {
    this.breakLine()
    if (this.#lines.at(-1) !== '') this.#lines.push('')
  }

  /** Writes text that has no line break, behind a space where `spaced` and something stands on the line. */
  text(text: string, spaced: boolean): void {
    if (this.#ended) this.breakLine()
    if (this.#line === '') this.#line = INDENT.repeat(this.#depth)
    else if (spaced) this.#line += ' '
    this.#line += text
  }

  /** Writes a comment; stars that begin its further lines line up under its own first one. */
  comment({ text, kind }: Comment, spaced: boolean): void {
    const [first = '', ...rest] = text.split('\n')
    const starred = rest.every((line) => line.trimStart().startsWith('*'))
    this.text(first, spaced)
    for (const line of rest) {
      this.#lines.push(this.#line)
      this.#line = starred ? `${INDENT.repeat(this.#depth)} ${line.trimStart()}` : line
    }
    this.#ended = kind === 'line'
  }

  /** The whole text, its last line ended. */
  finish(): string {
    this.breakLine()
    return this.#lines.map((line) => `${line}\n`).join('')
  }

  /** The column that text would begin at on a line of its own. */
  get indentWidth(): number {
    return this.#depth * INDENT.length
  }
}
