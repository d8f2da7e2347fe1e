import { AstUtils, type LangiumDocument } from 'langium'
import type { DocumentSymbolProvider, LangiumSharedServices, WorkspaceSymbolProvider } from 'langium/lsp'
import { type DocumentSymbol, type Range, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver'
import { type Attribute, type Block, isBlock, isProject, type Member } from '../language/generated/ast.ts'
import { hasName, kindOf, lineRangeOf, nameLineRangeOf, nameSpan, spanOf } from '../language/nodes.ts'
import type { Segment } from '../language/parser/segment.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import { parseResultOf, rangeOf } from './documents.ts'
import { serializedOnce } from './encoder.ts'

/** The maximum number of symbols in a response. Nobody reads more. */
const MAX_SYMBOLS = 1000

/** Blocks, attributes and metadata of a definition, as a tree. */
export const documentSymbols: DocumentSymbolProvider = {
  getSymbols: (document) =>
    parseResultOf(document).segments.flatMap((segment) => symbolsOf(document, segment)),
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

interface SegmentSymbols {
  /** Where the segment starts. */
  readonly line: number
  readonly column: number
  readonly symbols: readonly DocumentSymbol[]
}

const known = new WeakMap<Segment, SegmentSymbols>()

/** Editors request all symbols after each edit, which changes one segment and may move others. */
function symbolsOf(document: LangiumDocument, segment: Segment): readonly DocumentSymbol[] {
  const { line, column, members } = segment
  const last = known.get(segment)
  if (last?.line === line && last.column === column) return last.symbols
  const symbols =
    last?.column === column
      ? last.symbols.map((symbol) => moved(symbol, line - last.line))
      : members.map((member) => symbolOf(document, segment, member))
  known.set(segment, { line, column, symbols: symbols.map(serializedOnce) })
  return symbols
}

function moved(symbol: DocumentSymbol, lines: number): DocumentSymbol {
  const { range, selectionRange, children } = symbol
  const copy = {
    ...symbol,
    range: movedRange(range, lines),
    selectionRange: movedRange(selectionRange, lines),
  }
  if (children !== undefined) copy.children = children.map((child) => moved(child, lines))
  return copy
}

function movedRange({ start, end }: Range, lines: number): Range {
  return {
    start: { line: start.line + lines, character: start.character },
    end: { line: end.line + lines, character: end.character },
  }
}

function symbolOf(document: LangiumDocument, segment: Segment, member: Member): DocumentSymbol {
  const range = lineRangeOf(member) ?? rangeOf(document, spanOf(member))
  const selectionRange = nameLineRangeOf(member) ?? range
  if (isBlock(member))
    return {
      range,
      selectionRange,
      name: hasName(member) ? member.name : '?',
      detail: kindOf(member),
      kind: symbolKindOf(member),
      children: member.members.map((inner) => symbolOf(document, segment, inner)),
    }
  if (member.$type !== 'Attribute')
    return { range, selectionRange, name: `#${member.name}`, kind: SymbolKind.Key }
  return {
    range,
    selectionRange,
    name: member.name,
    detail: typeText(segment, member),
    kind: member.type.$type === 'ReferenceType' ? SymbolKind.Interface : SymbolKind.Field,
  }
}

function symbolKindOf(block: Block): SymbolKind {
  if (block.$type === 'Project') return SymbolKind.Package
  return block.$type === 'Struct' ? SymbolKind.Struct : SymbolKind.Class
}

/** The type as written, and its annotations. */
function typeText(segment: Segment, { type, optional, annotations }: Attribute): string {
  if (!hasName(type)) return ''
  const { start, end } = spanOf(type)
  // Not of the whole text, which the symbols would keep in memory.
  const text = segment.text.slice(start - segment.offset, end - segment.offset)
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
