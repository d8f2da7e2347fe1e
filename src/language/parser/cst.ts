import {
  AbstractCstNode,
  type AstNode,
  type CompositeCstNode,
  CompositeCstNodeImpl,
  type CstNode,
} from 'langium'
import type { Segment } from './segment.ts'
import type { IToken, TokenType } from './token.ts'

/** A token in the concrete syntax tree. Its position is computed from the current position of its segment. */
export class TokenNode extends AbstractCstNode {
  readonly token: IToken
  readonly segment: Segment

  constructor(token: IToken, segment: Segment) {
    super()
    this.token = token
    this.segment = segment
  }

  get hidden(): boolean {
    return false
  }

  get offset(): number {
    return this.segment.offset + this.token.startOffset
  }

  get length(): number {
    return this.token.image.length
  }

  get end(): number {
    return this.offset + this.length
  }

  get tokenType(): TokenType {
    return this.token.tokenType
  }

  get astNode(): AstNode {
    if (this.container === undefined) throw new Error('The token has no syntax tree')
    return this.container.astNode
  }

  get range(): CstNode['range'] {
    const { line, column } = this.segment
    const { startLine = 1, startColumn = 1, endLine = 1, endColumn = 1 } = this.token
    const shift = (tokenLine: number): number => (tokenLine === 1 ? column : 0)
    return {
      start: { line: line + startLine - 1, character: shift(startLine) + startColumn - 1 },
      end: { line: line + endLine - 1, character: shift(endLine) + endColumn },
    }
  }
}

/** Langium's composite node without its cached range, because segments move. */
export class MovingCstNode extends CompositeCstNodeImpl {
  override get range(): CstNode['range'] {
    const first = this.content.at(0)
    const last = this.content.at(-1)
    if (first === undefined || last === undefined)
      return { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
    return { start: first.range.start, end: last.range.end }
  }
}

/** The node in the form of Langium's interfaces, which do not distinguish an absent property from `undefined`. */
export function asCstNode(node: AbstractCstNode): CstNode {
  return node as unknown as CstNode
}

/** Appends a node to the content of another one. */
export function appendCst(parent: CompositeCstNodeImpl, child: AbstractCstNode): void {
  child.container = parent as unknown as CompositeCstNode
  parent.content.push(asCstNode(child))
}
