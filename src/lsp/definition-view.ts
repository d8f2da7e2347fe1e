import { type LangiumDocument, type URI, UriUtils } from 'langium'
import type { Location, Position, Range } from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { isImportable } from '../language/imports.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { checkParsed } from '../language/parse.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import type { SourceFile } from '../language/source-file.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import type { DefinitionValidator } from '../language/validation/validator.ts'
import { withNotImportedHints } from './not-imported.ts'

/** A document and everything that it imports, in its current text. */
export class Definition {
  /** The document that imports the others. */
  readonly main: LangiumDocument
  /** For a document without imports, its own parse result. Offsets count through all files. */
  readonly result: DefinitionParseResult
  /** Whether the document has a `project` block. */
  readonly hasProject: boolean
  readonly #documentOf: (uri: string) => LangiumDocument | undefined
  readonly #uris: ReadonlyMap<string, SourceFile>
  readonly #texts = new Map<SourceFile, TextDocument>()

  constructor(
    main: LangiumDocument,
    result: DefinitionParseResult,
    documentOf: (uri: string) => LangiumDocument | undefined,
  ) {
    this.main = main
    this.result = result
    this.hasProject = hasProject(main)
    this.#documentOf = documentOf
    this.#uris = new Map(
      result.files.map((file) => [
        file === result.mainFile ? main.uri.toString() : uriIn(main, file.path).toString(),
        file,
      ]),
    )
  }

  /** The URIs of its files. */
  get uris(): Iterable<string> {
    return this.#uris.keys()
  }

  /** The URI of a file with a path. */
  uriOf(path: string): string | undefined {
    return [...this.#uris].find(([, file]) => file.path === path)?.[0]
  }

  /** Its file with a URI. */
  fileOf(uri: string): SourceFile | undefined {
    return this.#uris.get(uri)
  }

  /** A span of the definition in the protocol's form: the URI of its file, lines from 0, UTF-16 code units. */
  locationOf({ start, end }: Span): Location {
    const file = this.result.fileAt(start)
    const document = this.#textDocument(file)
    const range = {
      start: document.positionAt(start - file.start),
      end: document.positionAt(end - file.start),
    }
    return { uri: document.uri, range }
  }

  /** All diagnostics, in the order of the text. */
  diagnostics(validator?: DefinitionValidator): readonly Diagnostic[] {
    const { diagnostics } = checkParsed(this.result, validator)
    return this.hasProject ? diagnostics : withNotImportedHints(this.result, diagnostics)
  }

  #textDocument(file: SourceFile): TextDocument {
    if (file === this.result.mainFile) return this.main.textDocument
    let document = this.#texts.get(file)
    if (document === undefined) {
      const uri = this.uriOf(file.path) ?? ''
      const known = this.#documentOf(uri)?.textDocument
      document = known?.getText() === file.text ? known : TextDocument.create(uri, 'portico', 0, file.text)
      this.#texts.set(file, document)
    }
    return document
  }
}

/** A document in a definition: what a feature needs. */
export class DocumentView {
  readonly document: LangiumDocument
  readonly definition: Definition
  readonly file: SourceFile

  constructor(document: LangiumDocument, definition: Definition) {
    const file = definition.fileOf(document.uri.toString())
    if (file === undefined) throw new Error('The document is not a file of the definition')
    this.document = document
    this.definition = definition
    this.file = file
  }

  /** The whole definition. */
  get result(): DefinitionParseResult {
    return this.definition.result
  }

  /** The offset in the definition of a position in the document. */
  offsetAt(position: Position): number {
    return this.document.textDocument.offsetAt(position) + this.file.start
  }

  /** The span in the definition of a range of the document. */
  spanOf({ start, end }: Range): Span {
    return { start: this.offsetAt(start), end: this.offsetAt(end) }
  }

  /** A span of the definition as a range of this document, which contains it. */
  rangeOf({ start, end }: Span): Range {
    const { textDocument } = this.document
    return {
      start: textDocument.positionAt(start - this.file.start),
      end: textDocument.positionAt(end - this.file.start),
    }
  }

  /** Whether a span is in this document. */
  contains({ start, end }: Span): boolean {
    return start >= this.file.start && end <= this.file.end
  }

  /** The diagnostics in this document. */
  diagnostics(validator?: DefinitionValidator): readonly Diagnostic[] {
    return this.definition.diagnostics(validator).filter(({ file }) => file === this.file.path)
  }
}

/** The URI of an imported file; `undefined` for a path that no import can have. */
export function importedUri(from: URI, written: string): URI | undefined {
  if (!isImportable(written)) return undefined
  return UriUtils.joinPath(UriUtils.dirname(from), written)
}

const urisByMain = new WeakMap<LangiumDocument, Map<string, URI>>()

/** The URI of a file of a definition, from its path in the folder of the definition. */
export function uriIn(main: LangiumDocument, path: string): URI {
  let uris = urisByMain.get(main)
  if (uris === undefined) urisByMain.set(main, (uris = new Map()))
  let uri = uris.get(path)
  if (uri === undefined) uris.set(path, (uri = UriUtils.joinPath(UriUtils.dirname(main.uri), path)))
  return uri
}

/** Whether a document has a `project` block. */
export function hasProject({ parseResult }: LangiumDocument): boolean {
  return (
    parseResult instanceof DefinitionParseResult && definitionIndex(parseResult.value).project !== undefined
  )
}
