import type {
  DefinitionProvider,
  DocumentHighlightProvider,
  DocumentLinkProvider,
  ReferencesProvider,
  TypeDefinitionProvider,
} from 'langium/lsp'
import { DocumentHighlightKind, type Location, type LocationLink, type Position } from 'vscode-languageserver'
import { writtenPath } from '../language/imports.ts'
import type { Setting } from '../language/generated/ast.ts'
import { nameSpan, propertySpan, spanOf } from '../language/nodes.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { type DocumentView, importedUri } from './definition-view.ts'
import type { Definitions } from './definitions.ts'
import { parseResultOf, rangeOf } from './parsed-document.ts'
import { calleeAt, type NamedDeclaration, nameAt, type NameOccurrence, referencesTo } from './references.ts'

/** From a name to its declaration, and from an import to its file. */
export function definition(definitions: Definitions): DefinitionProvider {
  return {
    getDefinition: (document, { position }) => {
      const view = definitions.view(document)
      const found = nameIn(view, position)
      if (found !== undefined) return [linkTo(view, found.declaration, found.span)]
      const callee = calleeAt(view.result, view.offsetAt(position))
      if (callee !== undefined) return [linkTo(view, callee.declaration, callee.span)]
      return importLink(view, view.offsetAt(position))
    },
  }
}

/** From an attribute, or a reference, to the block that its type names; from a block to itself. */
export function typeDefinition(definitions: Definitions): TypeDefinitionProvider {
  return {
    getTypeDefinition: (document, { position }) => {
      const view = definitions.view(document)
      const found = nameIn(view, position)
      const target = found && typeOf(found.declaration)
      return found && target && [linkTo(view, target, found.span)]
    },
  }
}

function typeOf(declaration: NamedDeclaration): NamedDeclaration | undefined {
  if (declaration.$type === 'WordValue' || declaration.$type === 'NumberValue') return undefined
  if (declaration.$type !== 'Attribute') return declaration
  return declaration.type.$type === 'ReferenceType' ? declaration.type.entity.ref : undefined
}

/** From a name to everything that refers to its declaration, in every definition that the file belongs to. */
export function references(definitions: Definitions): ReferencesProvider {
  return {
    findReferences: (document, { position, context }) => {
      const found = new Map<string, Location>()
      for (const view of definitions.views(document)) {
        const name = nameIn(view, position)
        if (name === undefined) continue
        for (const span of occurrencesOf(view, name.declaration, context.includeDeclaration)) {
          const location = view.definition.locationOf(span)
          found.set(JSON.stringify(location), location)
        }
      }
      return [...found.values()]
    },
  }
}

/** Every occurrence of the name under the cursor in its file. */
export function documentHighlight(definitions: Definitions): DocumentHighlightProvider {
  return {
    getDocumentHighlight: (document, { position }) => {
      const view = definitions.view(document)
      const found = nameIn(view, position)
      if (found === undefined) return []
      const own = nameSpan(found.declaration)
      return occurrencesOf(view, found.declaration, true)
        .filter((span) => view.contains(span))
        .map((span) => ({
          range: view.rangeOf(span),
          kind: span.start === own.start ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
        }))
    },
  }
}

const ADDRESS = /https?:\/\/[^\s<>"'`{}|\\^]+/g
/** Punctuation after the address, or brackets around it, are not part of it. */
const AFTER_ADDRESS = /[.,;:!?*]+$|\)+$|\]+$/

/** Imported files, and URLs in comments. */
export const documentLinks: DocumentLinkProvider = {
  getDocumentLinks: (document) => {
    const { comments, value } = parseResultOf(document)
    const imports = value.imports.flatMap((node) => {
      const span = propertySpan(node, 'path')
      const target = importedUri(document.uri, writtenPath(node))
      if (span === undefined || target === undefined) return []
      return [{ range: rangeOf(document, span), target: target.toString() }]
    })
    const addresses = Array.from({ length: comments.length }, (_, index) => index).flatMap((index) =>
      Array.from(comments.image(index).matchAll(ADDRESS), ({ index: at, 0: found }) => {
        const target = trimmed(found)
        const start = comments.start(index) + at
        return { range: rangeOf(document, { start, end: start + target.length }), target }
      }),
    )
    return [...imports, ...addresses]
  },
}

function trimmed(address: string): string {
  let target = address
  while (AFTER_ADDRESS.test(target) && !(target.endsWith(')') && target.includes('(')))
    target = target.replace(AFTER_ADDRESS, '')
  return target
}

function nameIn(view: DocumentView, position: Position): NameOccurrence | undefined {
  return nameAt(view.result, view.offsetAt(position))
}

function occurrencesOf(
  { result }: DocumentView,
  declaration: NamedDeclaration,
  includeDeclaration: boolean,
): readonly Span[] {
  const found = referencesTo(result, declaration)
  return includeDeclaration ? [nameSpan(declaration), ...found] : found
}

function linkTo(view: DocumentView, declaration: NamedDeclaration | Setting, origin: Span): LocationLink {
  const { uri, range } = view.definition.locationOf(spanOf(declaration))
  return {
    originSelectionRange: view.rangeOf(origin),
    targetUri: uri,
    targetRange: range,
    targetSelectionRange: view.definition.locationOf(nameSpan(declaration)).range,
  }
}

/** From the path of an import at an offset to the start of its file. */
function importLink(view: DocumentView, offset: number): LocationLink[] | undefined {
  const links = view.result.imports.flatMap(({ node, path, failure }) => {
    const span = propertySpan(node, 'path')
    if (span === undefined || offset < span.start || offset > span.end || failure !== undefined) return []
    const targetUri = path === undefined ? undefined : view.definition.uriOf(path)
    if (targetUri === undefined) return []
    const start = { line: 0, character: 0 }
    const targetRange = { start, end: start }
    return [
      { originSelectionRange: view.rangeOf(span), targetUri, targetRange, targetSelectionRange: targetRange },
    ]
  })
  return links.length === 0 ? undefined : links
}
