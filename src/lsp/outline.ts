import { AstUtils, type LangiumDocument } from 'langium'
import type { DocumentSymbolProvider, LangiumSharedServices, WorkspaceSymbolProvider } from 'langium/lsp'
import { type DocumentSymbol, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver'
import { type Attribute, type Block, isBlock, isProject, type Member } from '../language/generated/ast.ts'
import {
  hasName,
  isNamedInService,
  kindOf,
  lineRangeOf,
  nameLineRangeOf,
  nameSpan,
  spanOf,
} from '../language/nodes.ts'
import type { Segment } from '../language/parser/segment.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import { parseResultOf, rangeOf } from './parsed-document.ts'
import { serialized } from './encoder.ts'

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

/** The symbols of a segment as JSON. When the segment moves, only the numbers of lines in it change. */
interface SegmentSymbols {
  readonly json: Uint8Array
  /** Where numbers of lines end in the JSON. */
  readonly ends: readonly number[]
  /** Where the segment starts. */
  readonly line: number
  readonly column: number
  readonly symbols: readonly DocumentSymbol[]
}

const known = new WeakMap<Segment, SegmentSymbols>()

/** Editors request all symbols after each edit, which changes one segment and may move others. */
function symbolsOf(document: LangiumDocument, segment: Segment): readonly DocumentSymbol[] {
  const { line, column, members } = segment
  if (members.length === 0) return []
  const last = known.get(segment)
  if (last?.line === line && last.column === column) return last.symbols
  const { json, ends } =
    last?.column === column
      ? movedBy(line - last.line, last)
      : withSpaceForLines(JSON.stringify(members.map((member) => symbolOf(document, segment, member))))
  const symbols = [serialized(json) as DocumentSymbol]
  known.set(segment, { json, ends, line, column, symbols })
  return symbols
}

/** Longer than the number of the last line of the longest definition. */
const DIGITS = 8

/** The elements of an array in JSON, with spaces before the numbers of lines. No string contains `"line":`, unescaped. */
function withSpaceForLines(array: string): Pick<SegmentSymbols, 'json' | 'ends'> {
  const ends: number[] = []
  let size = 0
  const parts = array
    .slice(1, -1)
    .split(/(?<="line":)(\d+)/)
    .map((part, index) => {
      const text = index % 2 === 0 ? part : part.padStart(DIGITS)
      size += Buffer.byteLength(text)
      if (index % 2 === 1) ends.push(size)
      return text
    })
  return { json: Buffer.from(parts.join('')), ends }
}

function movedBy(lines: number, { json, ends }: SegmentSymbols): Pick<SegmentSymbols, 'json' | 'ends'> {
  const moved = Buffer.from(json)
  for (const end of ends) addTo(moved, end, lines)
  return { json: moved, ends }
}

const [SPACE, ZERO] = [0x20, 0x30]

/** Adds to the number whose digits end there, and which has spaces before it. */
function addTo(json: Uint8Array, end: number, summand: number): void {
  let at = end
  for (let carry = summand; carry !== 0; ) {
    const digit = json[--at] ?? 0
    const sum = (digit === SPACE ? 0 : digit - ZERO) + carry
    carry = Math.floor(sum / 10)
    json[at] = ZERO + sum - 10 * carry
  }
  // 100 - 1 is 099 so far.
  if (json[at - 1] === SPACE) for (; at < end - 1 && json[at] === ZERO; at++) json[at] = SPACE
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
  if (isNamedInService(block)) return SymbolKind.Function
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
