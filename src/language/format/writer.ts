import type { Comment } from './layout.ts'

const INDENT = '  '

/** Builds the text line by line. A line comment ends its line. */
export class Writer {
  readonly #lineEnd: string
  /** Lines with their line endings. */
  readonly #lines: string[] = []
  #line = ''
  #depth = 0
  #isEnded = true

  constructor(lineEnd: string) {
    this.#lineEnd = lineEnd
  }

  /** Indents the lines that `body` writes by one more step, or by `steps`. */
  indented(body: () => void, steps = 1): void {
    this.#depth += steps
    body()
    this.#depth -= steps
  }

  /** Ends the line unless it is empty. */
  breakLine(): void {
    if (this.#line !== '') this.#lines.push(this.#line + this.#lineEnd)
    this.#line = ''
    this.#isEnded = false
  }

  /** Ends the line and leaves one blank, never two. */
  blankLine(): void {
    this.breakLine()
    if (this.#lines.at(-1)?.trim() !== '') this.#lines.push(this.#lineEnd)
  }

  /** Writes text without line breaks, after a space if `spaced` and the line is not empty. */
  text(text: string, spaced: boolean): void {
    if (this.#isEnded) this.breakLine()
    if (this.#line === '') this.#line = INDENT.repeat(this.#depth)
    else if (spaced) this.#line += ' '
    this.#line += text
  }

  /** Writes a comment. If all its following lines begin with stars, they are aligned with the first star. */
  comment({ text, kind }: Comment, spaced: boolean): void {
    const [first = '', ...rest] = text.split('\n')
    const isStarred = rest.every((line) => line.trimStart().startsWith('*'))
    this.text(first, spaced)
    for (const line of rest) {
      this.#lines.push(this.#line + this.#lineEnd)
      this.#line = isStarred ? `${INDENT.repeat(this.#depth)} ${line.trimStart()}` : line
    }
    this.#isEnded = kind === 'line'
  }

  /** Writes text unchanged, including line breaks. */
  verbatim(text: string): void {
    const lines = `${this.#line}${text}`.split(/(?<=\n|\r(?!\n))/)
    const last = lines.at(-1) ?? ''
    this.#line = /[\r\n]$/.test(last) ? '' : (lines.pop() ?? '')
    for (const line of lines) this.#lines.push(line)
    this.#isEnded = false
  }

  /** The whole text so far. */
  get written(): string {
    return this.#lines.join('') + this.#line
  }

  /** The column at which text on a new line would begin. */
  get indentWidth(): number {
    return this.#depth * INDENT.length
  }
}
