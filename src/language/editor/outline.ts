import type { DocumentSymbolProvider } from 'langium/lsp'
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver'
import type { Attribute, Block, Metadata } from '../generated/ast.ts'
import { hasName, nameSpan, spanOf } from '../syntax/places.ts'
import { type EditorDocument, editorDocument } from './document.ts'
import { rangeOf } from './ranges.ts'

/** Blocks, attributes and metadata of a definition, as a tree. */
export const documentSymbols: DocumentSymbolProvider = {
  getSymbols: (document) => {
    const { definition } = editorDocument(document).read
    return symbolsOf(editorDocument(document), [...definition.blocks, ...definition.strays])
  },
}

/** How an editor shows a block. */
export function kindOf(block: Block): SymbolKind {
  if (block.kind === 'project') return SymbolKind.Package
  return block.kind === 'struct' ? SymbolKind.Struct : SymbolKind.Class
}

function symbolsOf(
  document: EditorDocument,
  members: readonly (Block | Attribute | Metadata)[],
): DocumentSymbol[] {
  return members.map((member) => symbolOf(document, member))
}

function symbolOf(document: EditorDocument, member: Block | Attribute | Metadata): DocumentSymbol {
  const place = {
    range: rangeOf(document, spanOf(member)),
    selectionRange: rangeOf(document, nameSpan(member)),
  }
  if (member.$type === 'Metadata') return { ...place, name: `#${member.name}`, kind: SymbolKind.Key }
  if (member.$type === 'Attribute')
    return {
      ...place,
      name: member.name,
      detail: typeText(document, member),
      kind: member.type.target.ref === undefined ? SymbolKind.Field : SymbolKind.Interface,
    }
  return {
    ...place,
    name: hasName(member) ? member.name : '?',
    detail: member.kind,
    kind: kindOf(member),
    children: symbolsOf(document, member.members),
  }
}

/** The type as it is written, and how clients meet it. */
function typeText({ read }: EditorDocument, { type, annotations }: Attribute): string {
  if (!hasName(type)) return ''
  const { start, end } = spanOf(type)
  return [read.tree.text.slice(start, end), ...annotations.map(({ name }) => `@${name}`)].join(' ')
}
