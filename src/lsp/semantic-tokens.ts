import type { CstNode, LangiumDocument } from 'langium'
import type { SemanticTokenProvider } from 'langium/lsp'
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver-protocol'
import { annotationNamed, isBlockKind, metadataNamed } from '../language/builtins.ts'
import { enumValueNamed } from '../language/enum-values.ts'
import {
  type Annotation,
  type Argument,
  type Block,
  type ReferenceType,
  isBlock,
  isMetadata,
  type AttributeValue,
  type EntityValue,
  type NumberValue,
  type ServiceValue,
} from '../language/generated/ast.ts'
import { propertyOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { TokenNode } from '../language/parser/cst.ts'
import type { SourceFile } from '../language/source-file.ts'
import type { Definitions } from './definitions.ts'

/** Standard types of the protocol, for which every theme has a color. */
const TYPES = [
  'namespace',
  'class',
  'struct',
  'function',
  'keyword',
  'property',
  'type',
  'decorator',
  'macro',
  'parameter',
  'enumMember',
  'number',
  'string',
] as const
type TokenType = (typeof TYPES)[number]
const MODIFIERS = ['declaration', 'defaultLibrary'] as const
const DECLARATION = 1
const DEFAULT_LIBRARY = 2

/** A highlighted word. */
export interface SemanticToken {
  readonly start: number
  readonly end: number
  readonly type: TokenType
  /** One bit for each modifier, in the order of the legend. */
  readonly modifiers: number
}

/** The meaning of each word of a file of a definition, in the order of the text. */
export function semanticTokensIn(
  result: DefinitionParseResult,
  file: SourceFile = result.mainFile,
): readonly SemanticToken[] {
  const tokens: SemanticToken[] = []
  for (const { offset, cst } of result.segments)
    if (offset >= file.start && offset < file.end)
      for (const node of cst) addTokens(node as unknown as CstNode, tokens)
  return tokens
}

function addTokens(node: CstNode, tokens: SemanticToken[]): void {
  if (node instanceof TokenNode) {
    const [type, modifiers = 0] = colorOf(node) ?? []
    if (type !== undefined) tokens.push({ start: node.offset, end: node.end, type, modifiers })
  } else if ('content' in node) for (const child of node.content as CstNode[]) addTokens(child, tokens)
}

function colorOf(leaf: TokenNode): readonly [TokenType, number?] | undefined {
  const node = leaf.astNode
  const property = propertyOf(leaf)
  const { image } = leaf.token
  if (isBlock(node)) {
    if (property === 'name') return [blockColor(node), DECLARATION]
    return property === undefined && isBlockKind(image) ? ['keyword'] : undefined
  }
  if (isMetadata(node)) {
    const isName = property === 'name' || image === '#'
    return isName && metadataNamed(node.name) !== undefined ? ['macro'] : undefined
  }
  switch (node.$type) {
    case 'Attribute':
      return property === 'name' ? ['property', DECLARATION] : undefined
    case 'PrimitiveType':
      return property === 'name' ? ['type', DEFAULT_LIBRARY] : undefined
    case 'Annotation':
      return annotationNamed((node as Annotation).name) === undefined ? undefined : ['decorator']
    case 'ReferenceType': {
      const target = (node as ReferenceType).entity.ref
      return property === 'entity' && target !== undefined ? [blockColor(target)] : undefined
    }
    case 'ServiceValue':
      return [(node as ServiceValue).service.ref === undefined ? 'enumMember' : 'class']
    case 'EntityValue': {
      const target = (node as EntityValue).entity.ref
      return [target === undefined ? 'enumMember' : blockColor(target)]
    }
    case 'AttributeValue':
      return [(node as AttributeValue).attribute.ref === undefined ? 'enumMember' : 'property']
    case 'Argument':
      if (property !== 'name') return undefined
      return [enumValueNamed(node as Argument) === undefined ? 'parameter' : 'enumMember']
    case 'WordValue':
      return ['enumMember']
    case 'Import':
      if (property === 'path') return ['string']
      return image === 'import' ? ['keyword'] : undefined
    case 'TextValue':
      return ['string']
    case 'NumberValue':
      return [enumValueNamed(node as NumberValue) === undefined ? 'number' : 'enumMember']
    default:
      return undefined
  }
}

function blockColor({ $type }: Block): TokenType {
  if ($type === 'Project') return 'namespace'
  if ($type === 'Endpoint' || $type === 'Job') return 'function'
  return $type === 'Struct' ? 'struct' : 'class'
}

/** Encodes tokens of a file for the protocol: five numbers each, with positions relative to the previous token. */
export function encodeTokens(
  { lines, mainFile }: DefinitionParseResult,
  tokens: readonly SemanticToken[],
  file: SourceFile = mainFile,
): number[] {
  const data: number[] = []
  let lastLine = lines.lineAt(file.start)
  let lastStart = 0
  for (const { start, end, type, modifiers } of tokens) {
    const line = lines.lineAt(start)
    const character = start - lines.lineStart(line)
    const isSameLine = line === lastLine && data.length > 0
    data.push(
      line - lastLine,
      isSameLine ? character - lastStart : character,
      end - start,
      TYPES.indexOf(type),
      modifiers,
    )
    lastLine = line
    lastStart = character
  }
  return data
}

/** The last result for a definition. The next one is sent as the difference from it. */
interface SentTokens {
  readonly id: string
  readonly data: readonly number[]
}

/** The number of definitions whose last result is kept. */
const MAX_RESULTS = 32

/** Highlights names by their meaning: references to services, structs and built-in types look different. */
export class DefinitionSemanticTokenProvider implements SemanticTokenProvider {
  readonly tokenTypes: Record<string, number> = Object.fromEntries(TYPES.map((type, index) => [type, index]))
  readonly tokenModifiers: Record<string, number> = Object.fromEntries(
    MODIFIERS.map((modifier, index) => [modifier, 1 << index]),
  )
  readonly semanticTokensOptions: SemanticTokenProvider['semanticTokensOptions'] = {
    legend: { tokenTypes: [...TYPES], tokenModifiers: [...MODIFIERS] },
    full: { delta: true },
    range: true,
  }
  readonly #sent = new Map<string, SentTokens>()
  readonly #definitions: Definitions
  #count = 0

  constructor(definitions: Definitions) {
    this.#definitions = definitions
  }

  readonly semanticHighlight: SemanticTokenProvider['semanticHighlight'] = (document) => {
    const data = this.#data(document)
    return { resultId: this.#keep(document.uri.toString(), data), data } satisfies SemanticTokens
  }

  readonly semanticHighlightRange: SemanticTokenProvider['semanticHighlightRange'] = (
    document,
    { range },
  ) => {
    const view = this.#definitions.view(document)
    const { result, file } = view
    const span = view.spanOf(range)
    const tokens = semanticTokensIn(result, file).filter(
      ({ start, end }) => end > span.start && start < span.end,
    )
    return { data: encodeTokens(result, tokens, file) }
  }

  readonly semanticHighlightDelta: SemanticTokenProvider['semanticHighlightDelta'] = (
    document,
    { previousResultId },
  ) => {
    const uri = document.uri.toString()
    const before = this.#sent.get(uri)
    const data = this.#data(document)
    const resultId = this.#keep(uri, data)
    if (before === undefined || before.id !== previousResultId) return { resultId, data }
    return { resultId, edits: tokenEdits(before.data, data) } satisfies SemanticTokensDelta
  }

  #data(document: LangiumDocument): number[] {
    const { result, file } = this.#definitions.view(document)
    return encodeTokens(result, semanticTokensIn(result, file), file)
  }

  #keep(uri: string, data: readonly number[]): string {
    const id = String(++this.#count)
    this.#sent.delete(uri)
    this.#sent.set(uri, { id, data })
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > MAX_RESULTS && oldest !== undefined) this.#sent.delete(oldest)
    return id
  }
}

/** One replacement in the middle: tokens before and after a change stay the same, because positions are relative. */
export function tokenEdits(
  before: readonly number[],
  after: readonly number[],
): SemanticTokensDelta['edits'] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  if (start === before.length && start === after.length) return []
  let sameAtEnd = 0
  while (sameAtEnd < shorter - start && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd++
  return [
    {
      start,
      deleteCount: before.length - start - sameAtEnd,
      data: after.slice(start, after.length - sameAtEnd),
    },
  ]
}
