import type { AstNode, CompositeCstNode, CstNode, RootCstNode } from 'langium'
import type { SyntaxTree } from './tree.ts'

/**
 * Where a node stands in its text, in the form that Langium's services ask for. Made when it is asked for:
 * most nodes of most texts never are.
 */
export class SourceNode {
  readonly hidden = false
  readonly astNode: AstNode
  readonly offset: number
  readonly end: number
  readonly #tree: SyntaxTree

  constructor(tree: SyntaxTree, first: number, last: number, astNode: AstNode) {
    this.#tree = tree
    this.astNode = astNode
    this.offset = tree.tokens.start(first)
    this.end = Math.max(this.offset, tree.tokens.end(last))
  }

  get length(): number {
    return this.end - this.offset
  }

  get text(): string {
    return this.#tree.text.slice(this.offset, this.end)
  }

  get fullText(): string {
    return this.#tree.text
  }

  /** Lines and characters count from 0, characters are UTF-16 code units, as the language server protocol has it. */
  get range(): CstNode['range'] {
    return { start: this.#place(this.offset), end: this.#place(this.end) }
  }

  get container(): CompositeCstNode | undefined {
    return this.astNode.$container?.$cstNode as CompositeCstNode | undefined
  }

  get root(): RootCstNode {
    let node = this.astNode
    while (node.$container !== undefined) node = node.$container
    return node.$cstNode as RootCstNode
  }

  #place(offset: number): { line: number; character: number } {
    const line = this.#tree.lines.lineAt(offset)
    return { line: line - 1, character: offset - this.#tree.lines.lineStart(line) }
  }
}
