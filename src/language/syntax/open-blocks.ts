import { type Cursor, MAX_DEPTH } from './cursor.ts'
import { type AttributeNode, BlockNode, DefinitionNode, type MetadataNode } from './nodes.ts'
import {
  CLOSE_BRACE,
  COLON,
  END,
  HASH,
  NAME,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
} from './tokens.ts'
import type { SyntaxTree } from './tree.ts'

/**
 * The blocks that are open at the place that is being read. Where braces do not match, kinds of blocks and
 * indentation show which one is missing or too many, so that it costs one finding and not a train of them.
 */
export class OpenBlocks {
  readonly #tree: SyntaxTree
  readonly #cursor: Cursor
  readonly #definition: DefinitionNode
  readonly #open: BlockNode[] = []
  /** How many more `}` the text lacks; negative where it has too many. */
  #missingBraces: number

  constructor(tree: SyntaxTree, cursor: Cursor, definition: DefinitionNode, unclosedBraces: number) {
    this.#tree = tree
    this.#cursor = cursor
    this.#definition = definition
    this.#missingBraces = unclosedBraces
  }

  get depth(): number {
    return this.#open.length
  }

  get innermost(): BlockNode | DefinitionNode {
    return this.#open.at(-1) ?? this.#definition
  }

  /** Outside of every block, and with braces that are too many: what stands here belongs into one above. */
  get closedTooEarly(): boolean {
    return this.#open.length === 0 && this.#missingBraces < 0
  }

  /** The kind that a block without one has here, most likely. */
  get likelyKind(): string {
    return this.#open.length === 0 ? 'service' : 'struct'
  }

  /** Puts a declaration where it stands. */
  add(member: AttributeNode | MetadataNode): void {
    const { innermost } = this
    if (innermost instanceof DefinitionNode) innermost.strays.push(member)
    else innermost.members.push(member)
  }

  /** Behind the head of a block, which `name` and `kind` are the tokens of; -1 where there is none. */
  open(name: number, kind: number): void {
    const cursor = this.#cursor
    if (this.#missingBraces > 0) this.#closeForgotten(name, kind)
    const container = this.innermost
    const first = Math.max(0, name < 0 ? cursor.index : name)
    const block = new BlockNode(this.#tree, container, { first, name, kind })
    if (container instanceof DefinitionNode) container.blocks.push(block)
    else container.members.push(block)
    block.$last = Math.max(first, name, kind)
    if (cursor.kind === OPEN_BRACE) {
      cursor.next()
    } else if (this.isBraceMistyped) {
      cursor.unexpected('`{`', '{')
      cursor.next()
      this.#missingBraces++
    } else {
      const head = `\`${cursor.textAt(name)}: ${cursor.textAt(kind)}\``
      const isEmpty = !this.#memberFollows()
      cursor.missing(isEmpty ? ' {}' : ' {', `There is no \`{\` behind ${head}. Insert it.`)
      if (isEmpty) {
        block.$broken = true
        return
      }
      this.#missingBraces++
    }
    block.$broken = name < 0 || (this.closedTooEarly && block.kind === 'struct')
    if (this.#open.length >= MAX_DEPTH) {
      cursor.tooDeep(cursor.index - 1)
      cursor.skipBalanced()
      block.$broken = true
      block.$last = cursor.index - 1
      return
    }
    this.#open.push(block)
  }

  /** Another opening bracket stands where a head has its `{`: the end of the line, or a member, follows. */
  get isBraceMistyped(): boolean {
    const cursor = this.#cursor
    if ((cursor.kind !== OPEN_PAREN && cursor.kind !== OPEN_BRACKET) || this.#missingBraces >= 0) return false
    const isNamed = cursor.kindAt(1) === NAME && cursor.kindAt(2) === COLON
    return isNamed || cursor.kindAt(1) === HASH || cursor.beginsLine(1)
  }

  /** Takes a `)` or `]` that is alone in its line for the `}` that the text lacks; false where it is none. */
  closeByMistake(): boolean {
    const cursor = this.#cursor
    const isAlone = cursor.beginsLine(0) && (cursor.kindAt(1) === SEMICOLON || cursor.beginsLine(1))
    if (this.#missingBraces <= 0 || this.#open.length === 0 || !(isAlone || cursor.kindAt(1) === END))
      return false
    cursor.unexpected('`}`', '}')
    this.#missingBraces--
    this.close()
    return true
  }

  /** Takes a `{` that fits nowhere for one too many, where the text has one too many. */
  passOverOpening(): boolean {
    if (this.#missingBraces <= 0) return false
    this.#missingBraces--
    return true
  }

  /** The same of a `}`. */
  passOverClosing(): boolean {
    if (this.#missingBraces >= 0) return false
    this.#missingBraces++
    return true
  }

  /** Whether what follows a head without `{` belongs into the block, and not behind it. */
  #memberFollows(): boolean {
    const cursor = this.#cursor
    if (cursor.kind === HASH || cursor.kind === CLOSE_BRACE) return this.#missingBraces < 0
    if (cursor.kind !== NAME || cursor.kindAt(1) !== COLON) return false
    return cursor.kindAt(3) !== OPEN_BRACE || cursor.textAt(cursor.index + 2) === 'struct'
  }

  /** Where the text lacks a `}`, a project or service in a block shows that it belongs before this head. */
  #closeForgotten(name: number, kind: number): void {
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return
    const kindText = kind < 0 ? '' : this.#cursor.textAt(kind)
    if (kindText === 'project' || kindText === 'service') this.#forget(this.#open.length, name)
    else if (kindText === 'struct' && innermost.kind === 'struct') this.#forget(1, name)
  }

  /** Closes the innermost `count` blocks, of which the `}` is missing, before the token `next`. */
  #forget(count: number, next: number): void {
    const cursor = this.#cursor
    const closed = this.#open.splice(this.#open.length - count)
    for (const block of closed) {
      block.$broken = true
      block.$last = Math.max(block.$last, next - 1)
    }
    this.#missingBraces -= closed.length
    const block = closed.at(-1)
    if (block !== undefined) cursor.unclosed(block, next)
  }

  /** Reads a `}`. */
  close(): void {
    const cursor = this.#cursor
    if (this.#missingBraces > 0) {
      const outer = this.#closedByIndentation()
      if (outer > 0) this.#forget(outer, cursor.index)
    }
    const block = this.#open.pop()
    if (block === undefined) {
      cursor.surplusBrace()
      this.#missingBraces++
    } else {
      block.$last = cursor.index
    }
    cursor.next()
  }

  /** How many inner blocks this `}` passes over, going by its indentation. */
  #closedByIndentation(): number {
    const cursor = this.#cursor
    const indentation = cursor.indentationAt(cursor.index)
    if (indentation === undefined) return 0
    const fits = (block: BlockNode | undefined): boolean =>
      block !== undefined && cursor.indentationAt(block.$first) === indentation
    if (fits(this.#open.at(-1))) return 0
    for (let count = 1; count < this.#open.length && count <= this.#missingBraces; count++) {
      if (fits(this.#open.at(-1 - count))) return count
    }
    return 0
  }

  /** Behind the last token: what is still open lacks its `}`. */
  end(): void {
    this.#cursor.endText()
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return
    for (const block of this.#open) {
      block.$broken = true
      block.$last = Math.max(block.$last, this.#tree.tokens.length - 1)
    }
    this.#cursor.unclosed(innermost, this.#tree.tokens.length)
  }
}
