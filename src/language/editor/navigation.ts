import type {
  DefinitionProvider,
  DocumentHighlightProvider,
  ReferencesProvider,
  TypeDefinitionProvider,
} from 'langium/lsp'
import { DocumentHighlightKind, type LocationLink } from 'vscode-languageserver'
import type { Declaration, NamePlace } from './symbols.ts'
import { nameSpan, spanOf } from '../syntax/places.ts'
import type { Span } from '../syntax/tree.ts'
import { type EditorDocument, editorDocument } from './document.ts'
import { rangeOf } from './ranges.ts'
import { nameAt, referencesTo } from './symbols.ts'

/** From a name to its declaration. */
export const definition: DefinitionProvider = {
  getDefinition: (document, { position }) => {
    const found = nameIn(editorDocument(document), position)
    return found === undefined ? undefined : [linkTo(editorDocument(document), found.declaration, found.span)]
  },
}

/** From an attribute, or what refers to one, to the block that its type names; from a block to itself. */
export const typeDefinition: TypeDefinitionProvider = {
  getTypeDefinition: (document, { position }) => {
    const found = nameIn(editorDocument(document), position)
    const target =
      found?.declaration.$type === 'Attribute' ? found.declaration.type.target.ref : found?.declaration
    if (found === undefined || target === undefined) return undefined
    return [linkTo(editorDocument(document), target, found.span)]
  },
}

/** From a name to everything that refers to its declaration. */
export const references: ReferencesProvider = {
  findReferences: (document, { position, context }) => {
    const found = nameIn(editorDocument(document), position)
    if (found === undefined) return []
    return occurrences(editorDocument(document), found.declaration, context.includeDeclaration).map(
      (span) => ({
        uri: document.textDocument.uri,
        range: rangeOf(editorDocument(document), span),
      }),
    )
  },
}

/** The name under the cursor, wherever it stands. */
export const documentHighlight: DocumentHighlightProvider = {
  getDocumentHighlight: (document, { position }) => {
    const found = nameIn(editorDocument(document), position)
    if (found === undefined) return []
    const own = nameSpan(found.declaration)
    return occurrences(editorDocument(document), found.declaration, true).map((span) => ({
      range: rangeOf(editorDocument(document), span),
      kind: span.start === own.start ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }))
  },
}

function nameIn(
  { read, textDocument }: EditorDocument,
  position: { line: number; character: number },
): NamePlace | undefined {
  return nameAt(read, textDocument.offsetAt(position))
}

function occurrences(
  { read }: EditorDocument,
  declaration: Declaration,
  withItself: boolean,
): readonly Span[] {
  const found = referencesTo(read, declaration)
  return withItself ? [nameSpan(declaration), ...found] : found
}

function linkTo(document: EditorDocument, declaration: Declaration, origin: Span): LocationLink {
  return {
    originSelectionRange: rangeOf(document, origin),
    targetUri: document.textDocument.uri,
    targetRange: rangeOf(document, spanOf(declaration)),
    targetSelectionRange: rangeOf(document, nameSpan(declaration)),
  }
}
