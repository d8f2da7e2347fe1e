import type { AbstractCstNode, AstNode, CompositeCstNodeImpl } from 'langium'
import { isInnerKind } from '../builtins.ts'
import type { Block, Member } from '../generated/ast.ts'
import type { RawDiagnostic } from '../raw-diagnostic.ts'
import { appendCst, TokenNode } from './cst.ts'
import type { BraceBalance } from './declaration-bounds.ts'
import { markParseError } from './parse-errors.ts'
import { setContainer } from './rule-parser.ts'
import type { Segment } from './segment.ts'
import { unclosedBlock, unmatchedBrace } from './syntax-errors.ts'
import type { TokenCursor } from './token-cursor.ts'

/** A block whose `}` has not been read yet. */
export interface OpenBlock {
  readonly node: Block
  readonly kind: string
  /** Index of the token with its name; `undefined` if it is missing because of a syntax error. */
  readonly name: number | undefined
  /** The column of its name, if it begins a line. */
  readonly indentation: number | undefined
}

/**
 * The blocks around the declaration that is parsed, innermost last. Declarations are added to the innermost. While
 * a `}` is missing, indentation decides which block it should have closed.
 */
export class OpenBlocks {
  readonly members: Member[] = []
  readonly cst: AbstractCstNode[] = []
  readonly #blocks: OpenBlock[] = []
  readonly #segment: Segment
  readonly #cursor: TokenCursor
  readonly #braces: BraceBalance
  readonly #errors: RawDiagnostic[]

  /** @param errors where unclosed blocks and unmatched braces are reported */
  constructor(segment: Segment, cursor: TokenCursor, braces: BraceBalance, errors: RawDiagnostic[]) {
    this.#segment = segment
    this.#cursor = cursor
    this.#braces = braces
    this.#errors = errors
  }

  get depth(): number {
    return this.#blocks.length
  }

  /** Outside every block, after a surplus brace: this belongs in a previous block. */
  get isClosedTooEarly(): boolean {
    return this.depth === 0 && this.#braces.missing < 0
  }

  /** What a block here most likely is. */
  get likelyKind(): 'service' | 'struct' {
    return this.depth === 0 ? 'service' : 'struct'
  }

  /** Adds a block, and opens it. */
  open(block: OpenBlock): void {
    this.add(block.node)
    this.#blocks.push(block)
  }

  /** Adds a node to the innermost block, or to the top level. */
  add(node: Member): void {
    const block = this.#blocks.at(-1)?.node
    if (block === undefined) {
      this.members.push(node)
      this.cst.push(cstOf(node))
      return
    }
    setContainer(node, block, 'members', block.members.push(node) - 1)
    appendCst(cstOf(block), cstOf(node))
  }

  /** Adds a token that belongs to no declaration. */
  addToken(at: number): void {
    const leaf = new TokenNode(this.#cursor.at(at), this.#segment)
    const block = this.#blocks.at(-1)?.node
    if (block === undefined) this.cst.push(leaf)
    else appendCst(cstOf(block), leaf)
  }

  /** Closes the innermost block. */
  close(): void {
    this.#blocks.pop()
  }

  /** Closes the innermost block, which has a syntax error. */
  closeBroken(): void {
    const block = this.#blocks.pop()
    if (block !== undefined) markParseError(block.node)
  }

  /** Closes the block that the `}` at `at` belongs to, and those in it that have none. */
  closeBrace(at: number): void {
    const cursor = this.#cursor
    // The indentation of the `}` decides which block it closes.
    const indentation = cursor.indentation(at)
    const closed = this.#blocks.findLastIndex((block) => block.indentation === indentation)
    if (indentation !== undefined && closed >= 0)
      while (this.#braces.missing > 0 && this.depth > closed + 1) this.#closeUnclosed(at)
    if (this.depth === 0) {
      this.#braces.missing++
      this.#errors.push(unmatchedBrace(cursor, at))
      return
    }
    this.addToken(at)
    this.close()
  }

  /** Closes the innermost block if the declaration at `at` is not indented more: it comes after the block. */
  closeByIndentation(at: number): void {
    const indentation = this.#cursor.indentation(at)
    const around = this.#blocks.at(-1)?.indentation
    if (indentation !== undefined && around !== undefined && indentation <= around) this.#closeUnclosed(at)
  }

  /**
   * Closes the blocks that the head at `at` shows to be unclosed: those that cannot contain its kind of block, and
   * those that it is not indented more than.
   */
  closeForgotten(at: number, kind: string): void {
    const indentation = this.#cursor.indentation(at)
    for (
      let last = this.#blocks.at(-1);
      this.#braces.missing > 0 && last !== undefined;
      last = this.#blocks.at(-1)
    ) {
      const isOutside =
        indentation !== undefined && last.indentation !== undefined && indentation <= last.indentation
      if (isInnerKind(kind) && !isInnerKind(last.kind) && !isOutside) return
      this.#closeUnclosed(at)
    }
  }

  /** Reports that the innermost block is not closed before the token `next`. */
  reportUnclosed(next: number): void {
    const name = this.#blocks.at(-1)?.name
    if (name !== undefined) this.#errors.push(unclosedBlock(this.#cursor, name, next))
  }

  /** At the end of the text: every block that is still open has a syntax error. */
  markOpen(): void {
    for (const { node } of this.#blocks) markParseError(node)
  }

  #closeUnclosed(next: number): void {
    this.#braces.missing--
    this.reportUnclosed(next)
    this.closeBroken()
  }
}

/** The concrete syntax node of a node. */
export function cstOf(node: AstNode): CompositeCstNodeImpl {
  return node.$cstNode as unknown as CompositeCstNodeImpl
}
