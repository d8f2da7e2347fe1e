import type { AstNode, CompositeCstNode, CstNode, GrammarAST, RootCstNode } from 'langium'
import { COMMENT, DOC_COMMENT, NAME, NUMBER, SEMICOLON, type Tokens } from './tokens.ts'
import type { SyntaxTree } from './tree.ts'

/** What a concrete node has to know of the node of the syntax tree that it stands for, or stands in. */
export interface Located extends AstNode {
  readonly $tree: SyntaxTree
  readonly $first: number
  readonly $last: number
  /** The property that this token is the value of; `undefined` for punctuation. */
  propertyAt(token: number): string | undefined
}

/**
 * Where something stands in its text, in the form that Langium's services ask for. Made when it is asked for:
 * most nodes of most texts never are.
 */
abstract class Place {
  readonly hidden: boolean
  readonly astNode: Located
  readonly offset: number
  readonly end: number

  constructor(astNode: Located, offset: number, end: number, hidden: boolean) {
    this.astNode = astNode
    this.offset = offset
    this.end = end
    this.hidden = hidden
  }

  abstract readonly container: CompositeCstNode | undefined

  get length(): number {
    return this.end - this.offset
  }

  get text(): string {
    return this.astNode.$tree.text.slice(this.offset, this.end)
  }

  /** Lines and characters count from 0, characters are UTF-16 code units, as the language server protocol has it. */
  get range(): CstNode['range'] {
    return { start: this.#place(this.offset), end: this.#place(this.end) }
  }

  get root(): RootCstNode {
    let node: AstNode = this.astNode
    while (node.$container !== undefined) node = node.$container
    return node.$cstNode as RootCstNode
  }

  #place(offset: number): { line: number; character: number } {
    const { lines } = this.astNode.$tree
    const line = lines.lineAt(offset)
    return { line: line - 1, character: offset - lines.lineStart(line) }
  }
}

/** The place of a node of the syntax tree. */
export class SourceNode extends Place {
  #content: readonly (SourceNode | SourceLeaf)[] | undefined

  constructor(astNode: Located) {
    const { tokens } = astNode.$tree
    const offset = tokens.start(astNode.$first)
    super(astNode, offset, Math.max(offset, tokens.end(astNode.$last)), false)
  }

  get fullText(): string {
    return this.astNode.$tree.text
  }

  get container(): CompositeCstNode | undefined {
    return this.astNode.$container?.$cstNode as CompositeCstNode | undefined
  }

  get grammarSource(): GrammarAST.AbstractElement | undefined {
    const { $container, $containerProperty, $tree } = this.astNode
    if ($container === undefined || $containerProperty === undefined) return undefined
    return $tree.grammarSource?.($container.$type, $containerProperty)
  }

  /** The nodes, tokens and comments in it, in the order of the text. */
  get content(): readonly (SourceNode | SourceLeaf)[] {
    this.#content ??= contentOf(this)
    return this.#content
  }

  /** The token of this index, which is in this node and in none of its children. */
  leafOf(token: number): SourceLeaf | undefined {
    return this.content.find((node): node is SourceLeaf => node instanceof SourceLeaf && node.token === token)
  }
}

/** A token, or a comment. */
export class SourceLeaf extends Place {
  readonly container: CompositeCstNode
  /** Index of the token; -1 for a comment. */
  readonly token: number
  readonly tokenType: { readonly name: string }

  constructor(container: SourceNode, list: Tokens, index: number, hidden: boolean) {
    super(container.astNode, list.start(index), list.end(index), hidden)
    this.container = container as unknown as CompositeCstNode
    this.token = hidden ? -1 : index
    this.tokenType = { name: TERMINALS.get(list.kind(index)) ?? list.textOf(index) }
  }

  get grammarSource(): GrammarAST.AbstractElement | undefined {
    if (this.hidden) return undefined
    const { astNode } = this
    return astNode.$tree.grammarSource?.(astNode.$type, astNode.propertyAt(this.token) ?? this.text)
  }
}

const TERMINALS: ReadonlyMap<number, string> = new Map([
  [NAME, 'ID'],
  [NUMBER, 'NUMBER'],
  [DOC_COMMENT, 'DOC_COMMENT'],
  [COMMENT, 'ML_COMMENT'],
])

function contentOf(parent: SourceNode): (SourceNode | SourceLeaf)[] {
  const { astNode } = parent
  const { tokens, comments } = astNode.$tree
  const children = childrenOf(astNode)
  const content: (SourceNode | SourceLeaf)[] = []
  let comment = comments.firstFrom(parent.offset)
  for (let token = astNode.$first, child = 0; token <= astNode.$last; token++) {
    for (; comment < comments.length && comments.start(comment) < tokens.start(token); comment++)
      content.push(new SourceLeaf(parent, comments, comment, true))
    const node = children[child]
    if (node?.$first === token) {
      content.push(node.$cstNode as unknown as SourceNode)
      token = node.$last
      child++
      comment = comments.firstFrom(tokens.end(token))
    } else {
      content.push(new SourceLeaf(parent, tokens, token, false))
    }
  }
  return content
}

/** The children that have tokens of their own, in the order of the text. */
function childrenOf(astNode: Located): Located[] {
  return Object.entries(astNode)
    .flatMap(([key, value]: [string, unknown]) => (key.startsWith('$') ? [] : value))
    .filter((value): value is Located => typeof value === 'object' && value !== null && '$first' in value)
    .filter((child) => child.$first > astNode.$first || astNode.$type !== 'Attribute')
    .toSorted((a, b) => a.$first - b.$first)
}

/** Whether this token is the `;` that ends a declaration. */
export function isTerminator(node: Located, token: number): boolean {
  return token === node.$last && token > node.$first && node.$tree.tokens.kind(token) === SEMICOLON
}
