import type { LangiumDocument } from 'langium'
import type { Definition } from '../generated/ast.ts'
import type { CheckedDefinition } from '../parse.ts'
import type { Read } from '../syntax/read.ts'

/**
 * A definition as the language server keeps it: what every feature is given as its document. It never changes: at
 * each edit there is a new one. Both halves are made when they are first asked for, and once.
 */
export interface EditorDocument extends LangiumDocument<Definition> {
  /** Syntax tree, tokens, comments, scope. Cheap; there for broken texts too. */
  readonly read: Read
  /** The same with every diagnostic, as the command line has them. */
  readonly checked: CheckedDefinition
}

/** The definition behind the document that a provider of Langium is called with. The server makes no others. */
export function editorDocument(document: LangiumDocument): EditorDocument {
  return document as EditorDocument
}
