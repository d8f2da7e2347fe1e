import type { SemanticTokenProvider } from 'langium/lsp'
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver-protocol'
import type { BlockNode, MetadataNode, SyntaxNode, ValueNode } from '../syntax/nodes.ts'
import type { Read } from '../syntax/read.ts'
import { NAME, NUMBER } from '../syntax/tokens.ts'
import { annotationNamed, isBlockKind, metadataNamed, typeNamed } from '../vocabulary.ts'
import { editorDocument } from './document.ts'

/** Standard types of the protocol, which every theme has a colour for. */
const TYPES = [
  'namespace',
  'class',
  'struct',
  'keyword',
  'property',
  'type',
  'decorator',
  'macro',
  'parameter',
  'enumMember',
  'number',
] as const
type TokenType = (typeof TYPES)[number]
const MODIFIERS = ['declaration', 'defaultLibrary'] as const
const DECLARATION = 1
const DEFAULT_LIBRARY = 2

/** A coloured word. */
export interface ColouredToken {
  readonly start: number
  readonly end: number
  readonly type: TokenType
  /** Bits, by the place in the legend. */
  readonly modifiers: number
}

const coloured = new WeakMap<Read, readonly ColouredToken[]>()

/** What each word of a definition is, in the order of the text; worked out once for each state of the text. */
export function colouredTokens(read: Read): readonly ColouredToken[] {
  let known = coloured.get(read)
  if (known === undefined) {
    known = new Colouring(read).tokens
    coloured.set(read, known)
  }
  return known
}

/** Goes through a tree and notes what each token is. */
class Colouring {
  readonly #read: Read
  readonly #found: (readonly [TokenType, number] | undefined)[] = []

  constructor(read: Read) {
    this.#read = read
    const { blocks, strays } = read.definition
    for (const member of [...blocks, ...strays]) this.#member(member as BlockNode)
  }

  get tokens(): ColouredToken[] {
    const { tokens } = this.#read.tree
    const result: ColouredToken[] = []
    for (let index = 0; index < tokens.length; index++) {
      const kind = tokens.kind(index)
      const found = this.#found[index] ?? (kind === NUMBER ? (['number', 0] as const) : undefined)
      if (
        found === undefined ||
        (kind !== NAME && kind !== NUMBER && found[0] !== 'decorator' && found[0] !== 'macro')
      )
        continue
      const [type, modifiers] = found
      result.push({ start: tokens.start(index), end: tokens.end(index), type, modifiers })
    }
    return result
  }

  #mark(token: number, type: TokenType, modifiers = 0): void {
    if (token >= 0) this.#found[token] = [type, modifiers]
  }

  #member(member: BlockNode['members'][number]): void {
    switch (member.$type) {
      case 'Block':
        this.#mark(member.$name, blockType(member.kind), DECLARATION)
        if (isBlockKind(member.kind)) this.#mark(member.$kind, 'keyword')
        for (const inner of member.members) this.#member(inner)
        return
      case 'Attribute': {
        this.#mark(member.$name, 'property', DECLARATION)
        const { type } = member
        const target = type.target.ref
        if (typeNamed(type.target.$refText) !== undefined) this.#mark(type.$name, 'type', DEFAULT_LIBRARY)
        else if (target !== undefined) this.#mark(type.$name, blockType(target.kind))
        for (const { name, value } of type.arguments?.items ?? []) this.#argument(name, value)
        for (const annotation of member.annotations) {
          if (annotationNamed(annotation.name) === undefined) continue
          this.#mark(annotation.$first, 'decorator')
          this.#mark(annotation.$name, 'decorator')
        }
        return
      }
      case 'Metadata':
        this.#metadata(member)
    }
  }

  #metadata(metadata: MetadataNode): void {
    if (metadataNamed(metadata.name) !== undefined) {
      this.#mark(metadata.$first, 'macro')
      this.#mark(metadata.$name, 'macro')
    }
    for (const { name, value } of metadata.arguments?.items ?? []) this.#argument(name, value)
    for (const value of metadata.list?.items ?? []) this.#value(value)
  }

  #argument(name: string | undefined, value: ValueNode): void {
    if (name !== undefined) this.#mark((value.$container as SyntaxNode).$first, 'parameter')
    this.#value(value)
  }

  #value(value: ValueNode): void {
    if (value.$type === 'ListValue') for (const item of value.items) this.#value(item)
    else if (value.$type === 'NumberValue') this.#mark(value.$first, 'number')
    else this.#mark(value.$first, this.#read.scope.services.has(value.word) ? 'class' : 'enumMember')
  }
}

function blockType(kind: string): TokenType {
  if (kind === 'project') return 'namespace'
  return kind === 'struct' ? 'struct' : 'class'
}

/** Tokens as the protocol has them: five numbers each, places relative to the token before. */
export function encoded(read: Read, tokens: readonly ColouredToken[]): number[] {
  const { lines } = read.tree
  const data: number[] = []
  let lastLine = 1
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

/** What was answered last for a definition: what the next answer is a change of. */
interface Answered {
  readonly id: string
  readonly data: readonly number[]
}

/** How many definitions' answers are kept. */
const MOST_ANSWERS = 32

/** Colours by meaning: a service, a struct and a built-in type look different where they are spoken of. */
export class SemanticColours implements SemanticTokenProvider {
  readonly tokenTypes: Record<string, number> = Object.fromEntries(TYPES.map((type, index) => [type, index]))
  readonly tokenModifiers: Record<string, number> = Object.fromEntries(
    MODIFIERS.map((modifier, index) => [modifier, 1 << index]),
  )
  readonly semanticTokensOptions: SemanticTokenProvider['semanticTokensOptions'] = {
    legend: { tokenTypes: [...TYPES], tokenModifiers: [...MODIFIERS] },
    full: { delta: true },
    range: true,
  }
  readonly #answers = new Map<string, Answered>()
  #count = 0

  readonly semanticHighlight: SemanticTokenProvider['semanticHighlight'] = (document) => {
    const { read } = editorDocument(document)
    const data = encoded(read, colouredTokens(read))
    return { resultId: this.#keep(document.uri.toString(), data), data } satisfies SemanticTokens
  }

  readonly semanticHighlightRange: SemanticTokenProvider['semanticHighlightRange'] = (
    document,
    { range },
  ) => {
    const { read } = editorDocument(document)
    const from = document.textDocument.offsetAt(range.start)
    const to = document.textDocument.offsetAt(range.end)
    return {
      data: encoded(
        read,
        colouredTokens(read).filter(({ start, end }) => end > from && start < to),
      ),
    }
  }

  readonly semanticHighlightDelta: SemanticTokenProvider['semanticHighlightDelta'] = (
    document,
    { previousResultId },
  ) => {
    const { read } = editorDocument(document)
    const uri = document.uri.toString()
    const before = this.#answers.get(uri)
    const data = encoded(read, colouredTokens(read))
    const resultId = this.#keep(uri, data)
    if (before === undefined || before.id !== previousResultId) return { resultId, data }
    return { resultId, edits: changesBetween(before.data, data) } satisfies SemanticTokensDelta
  }

  #keep(uri: string, data: readonly number[]): string {
    const id = String(++this.#count)
    this.#answers.delete(uri)
    this.#answers.set(uri, { id, data })
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > MOST_ANSWERS && oldest !== undefined) this.#answers.delete(oldest)
    return id
  }
}

/** One replacement of the middle: what stands before and behind a change is the same, as places are relative. */
export function changesBetween(
  before: readonly number[],
  after: readonly number[],
): SemanticTokensDelta['edits'] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  if (start === before.length && start === after.length) return []
  let behind = 0
  while (behind < shorter - start && before.at(-1 - behind) === after.at(-1 - behind)) behind++
  return [
    { start, deleteCount: before.length - start - behind, data: after.slice(start, after.length - behind) },
  ]
}
