import type { ParseResult } from 'langium'
import type { Definition } from './generated/ast.ts'
import type { Range } from '../diagnostics/diagnostic.ts'
import type { ResolvedImport } from './imports.ts'
import type { Language } from './builtins.ts'
import { LineMap } from './line-map.ts'
import type { Segment } from './parser/segment.ts'
import type { SourceFile } from './source-file.ts'
import { TokenList } from './token-list.ts'

/**
 * A parsed definition: Langium's parse result, and the lines, tokens and comments of the text. The text is that of
 * all files, one after the other with a line end between them.
 */
export class DefinitionParseResult implements ParseResult<Definition> {
  readonly value: Definition
  readonly text: string
  readonly segments: readonly Segment[]
  /** At least one; the first one imports the others. */
  readonly files: readonly SourceFile[]
  readonly imports: readonly ResolvedImport[]
  /** The language of every service, if the command line says it; otherwise `#language` does. */
  languageOverride: Language | undefined
  /** Always empty: syntax errors are in the segments. */
  readonly parserErrors = []
  readonly lexerErrors = []
  #lines: LineMap | undefined
  #tokens: TokenList | undefined
  #comments: TokenList | undefined

  constructor(
    value: Definition,
    text: string,
    segments: readonly Segment[],
    files: readonly SourceFile[],
    imports: readonly ResolvedImport[] = [],
  ) {
    this.value = value
    this.text = text
    this.segments = segments
    this.files = files
    this.imports = imports
  }

  /** The file that the definition is named after; it imports the others. */
  get mainFile(): SourceFile {
    return this.fileAt(0)
  }

  /** The paths of its files, and of imports that could not be read. */
  get paths(): readonly string[] {
    return [...new Set([...this.files, ...this.imports].flatMap(({ path }) => path ?? []))]
  }

  /** The text of all files as one definition without imports. */
  get standaloneText(): string {
    let standalone = ''
    let at = 0
    for (const { $cstNode } of this.value.imports) {
      if ($cstNode === undefined) continue
      standalone += this.text.slice(at, $cstNode.offset)
      at = $cstNode.end
    }
    return standalone + this.text.slice(at)
  }

  /** The file that contains an offset, or ends at it. */
  fileAt(offset: number): SourceFile {
    const found = this.files.findLast(({ start }) => start <= offset) ?? this.files[0]
    if (found === undefined) throw new Error('A definition has at least one file')
    return found
  }

  /** The lines and columns, in its file, of a range. */
  rangeOf(start: number, end: number): Range {
    return this.fileAt(start).rangeOf(start, end)
  }

  /** The lines of the whole text. */
  get lines(): LineMap {
    return (this.#lines ??= new LineMap(this.text))
  }

  /** All tokens, in the order of the text. */
  get tokens(): TokenList {
    return (this.#tokens ??= new TokenList(this.text, this.segments, ({ tokens }) => tokens))
  }

  /** All comments, in the order of the text. They are not among the tokens. */
  get comments(): TokenList {
    return (this.#comments ??= new TokenList(this.text, this.segments, ({ comments }) => comments))
  }

  /** Whether the text has syntax errors. */
  get hasSyntaxErrors(): boolean {
    return this.segments.some(({ syntaxErrors }) => syntaxErrors.length > 0)
  }
}
