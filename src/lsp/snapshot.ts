import { DocumentState, type LangiumDocument } from 'langium'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { URI } from 'vscode-uri'
import { CheckMemory } from '../language/checks/memory.ts'
import type { EditorDocument } from '../language/editor/document.ts'
import { type CheckedDefinition, checkRead, readText } from '../language/parse.ts'
import type { Read } from '../language/syntax/read.ts'
import { toProtocol } from './diagnostics.ts'

/** One state of a definition. It is read when the first feature asks for its tree, and checked once. */
export class DefinitionSnapshot implements EditorDocument {
  readonly uri: URI
  readonly state = DocumentState.Validated
  readonly references = []
  readonly textDocument: TextDocument
  #read: Read | undefined
  #checked: CheckedDefinition | undefined

  readonly #memory: CheckMemory

  /**
   * @param uri as the client writes it, which answers have to repeat
   * @param before an earlier state of the same definition
   */
  constructor(uri: string, languageId: string, version: number, text: string, before?: DefinitionSnapshot) {
    this.#memory = before === undefined ? new CheckMemory() : before.#memory
    this.uri = URI.parse(uri)
    this.textDocument = TextDocument.create(uri, languageId, version, text)
  }

  get read(): Read {
    this.#read ??= this.#tied(readText(this.textDocument.getText()))
    return this.#read
  }

  get checked(): CheckedDefinition {
    this.#checked ??= checkRead(this.read, this.#memory)
    return this.#checked
  }

  get parseResult(): EditorDocument['parseResult'] {
    return { value: this.read.definition, parserErrors: [], lexerErrors: [] }
  }

  get diagnostics(): NonNullable<EditorDocument['diagnostics']> {
    return toProtocol(this.checked.diagnostics, this.textDocument)
  }

  /** Langium finds the document of a node through its root. */
  #tied(read: Read): Read {
    const definition: { $document?: LangiumDocument } = read.definition
    definition.$document = this
    return read
  }
}
