import { AstUtils, type LangiumDocument } from 'langium'
import type { DocumentSymbolProvider, LangiumSharedServices, WorkspaceSymbolProvider } from 'langium/lsp'
import { type DocumentSymbol, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver'
import { type Attribute, type Block, isBlock, isProject, type Member } from '../language/generated/ast.ts'
import { hasName, kindOf, lineRangeOf, nameLineRangeOf, nameSpan, spanOf } from '../language/nodes.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import { parseResultOf, rangeOf } from './documents.ts'

/** The maximum number of symbols in a response. Nobody reads more. */
const MAX_SYMBOLS = 1000

/** Blocks, attributes and metadata of a definition, as a tree. */
export const documentSymbols: DocumentSymbolProvider = {
  getSymbols: (document) => parseResultOf(document).value.members.map((member) => symbolOf(document, member)),
}

/** Blocks and attributes of every definition that is open or in the workspace. */
export function workspaceSymbols({ workspace }: LangiumSharedServices): WorkspaceSymbolProvider {
  return {
    getSymbols: ({ query }) =>
      workspace.LangiumDocuments.all
        .filter(({ parseResult }) => parseResult instanceof DefinitionParseResult)
        .flatMap((document) => symbolsIn(document).filter(({ name }) => matches(name, query)))
        .limit(MAX_SYMBOLS)
        .toArray(),
  }
}

function symbolOf(document: LangiumDocument, member: Member): DocumentSymbol {
  const place = {
    range: lineRangeOf(member) ?? rangeOf(document, spanOf(member)),
    selectionRange: nameLineRangeOf(member) ?? rangeOf(document, nameSpan(member)),
  }
  if (isBlock(member))
    return {
      ...place,
      name: hasName(member) ? member.name : '?',
      detail: kindOf(member),
      kind: symbolKindOf(member),
      children: member.members.map((inner) => symbolOf(document, inner)),
    }
  if (member.$type !== 'Attribute') return { ...place, name: `#${member.name}`, kind: SymbolKind.Key }
  const isReference = member.type.$type === 'EntityType' && member.type.entity.ref !== undefined
  return {
    ...place,
    name: member.name,
    detail: typeText(document, member),
    kind: isReference ? SymbolKind.Interface : SymbolKind.Field,
  }
}

function symbolKindOf(block: Block): SymbolKind {
  if (block.$type === 'Project') return SymbolKind.Package
  return block.$type === 'Struct' ? SymbolKind.Struct : SymbolKind.Class
}

/** The type as written, and its annotations. */
function typeText(document: LangiumDocument, { type, optional, annotations }: Attribute): string {
  if (!hasName(type)) return ''
  const { start, end } = spanOf(type)
  const text = parseResultOf(document).text.slice(start, end)
  return [`${text}${optional ? '?' : ''}`, ...annotations.map(({ name }) => `@${name}`)].join(' ')
}

function symbolsIn(document: LangiumDocument): WorkspaceSymbol[] {
  const { value } = parseResultOf(document)
  const project = value.members.find(isProject)?.name
  const location = (node: Block | Attribute) => ({
    uri: document.textDocument.uri,
    range: rangeOf(document, nameSpan(node)),
  })
  return definitionIndex(value).blocks.flatMap((block) => {
    const container = AstUtils.getContainerOfType(block.$container, isBlock)?.name ?? project
    const own = {
      name: block.name,
      kind: symbolKindOf(block),
      location: location(block),
      ...(container === undefined || container === block.name ? {} : { containerName: container }),
    }
    const attributes = block.members
      .filter((member) => member.$type === 'Attribute')
      .map((attribute) => ({
        name: attribute.name,
        kind: SymbolKind.Field,
        location: location(attribute),
        containerName: block.name,
      }))
    return hasName(block) ? [own, ...attributes] : attributes
  })
}

/** Whether the characters of a query are in a name, in this order, ignoring case. */
function matches(name: string, query: string): boolean {
  const letters = name.toLowerCase()
  let at = 0
  for (const letter of query.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
