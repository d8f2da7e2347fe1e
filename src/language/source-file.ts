import type { Range } from '../diagnostics/diagnostic.ts'
import { LineMap } from './line-map.ts'

/** A file of a definition. The text of a definition is the texts of its files, one after the other. */
export class SourceFile {
  /** Relative to the folder of the definition, with `/`; empty for a text without a folder. */
  readonly path: string
  readonly text: string
  /** Where it starts in the text of the definition, in UTF-16 code units. */
  readonly start: number
  #lines: LineMap | undefined

  constructor(path: string, text: string, start: number) {
    this.path = path
    this.text = text
    this.start = start
  }

  /** Where it ends in the text of the definition. */
  get end(): number {
    return this.start + this.text.length
  }

  /** A range of the definition, which is clamped to this file. Its offsets are those of the definition. */
  rangeOf(start: number, end: number): Range {
    this.#lines ??= new LineMap(this.text)
    const lines = this.#lines
    const at = (offset: number): Range['start'] => {
      const position = lines.positionAt(offset - this.start)
      return { ...position, offset: position.offset + this.start }
    }
    return { start: at(start), end: at(end) }
  }
}
