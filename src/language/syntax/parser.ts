import { annotationNamed, isBlockKind } from '../vocabulary.ts'
import { parseArgumentList, parseList } from './arguments.ts'
import { type Cursor, MAX_DEPTH } from './cursor.ts'
import { AnnotationNode, AttributeNode, BlockNode, DefinitionNode, MetadataNode } from './nodes.ts'
import {
  AT,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  END,
  HASH,
  NAME,
  NUMBER,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
} from './tokens.ts'
import type { SyntaxTree } from './tree.ts'

/**
 * Reads a definition, as the grammar has it. What does not follow the grammar costs one finding for each
 * broken declaration; everything around it is in the tree. Blocks are kept on a list of open ones, not on the
 * call stack, so that no nesting overflows it.
 */
export class Parser {
  readonly definition: DefinitionNode
  readonly cursor: Cursor
  readonly #tree: SyntaxTree
  readonly #open: BlockNode[] = []
  /** How many more `}` the text lacks; negative where it has too many. */
  #missingBraces: number

  constructor(tree: SyntaxTree, cursor: Cursor, unclosedBraces: number) {
    this.#tree = tree
    this.cursor = cursor
    this.#missingBraces = unclosedBraces
    this.definition = new DefinitionNode(tree, 0)
    this.definition.$last = tree.tokens.length - 1
  }

  parse(): void {
    const { cursor } = this
    while (cursor.kind !== END) {
      const before = cursor.index
      cursor.beginStatement()
      this.#statement()
      cursor.endStatement()
      if (cursor.index === before) cursor.next()
    }
    this.#endOfText()
  }

  #statement(): void {
    const { cursor } = this
    switch (cursor.kind) {
      case SEMICOLON:
        cursor.next()
        return
      case CLOSE_BRACE:
        this.#closeBlock()
        return
      case HASH:
        this.#metadata()
        return
      case NAME:
        this.#declaration()
        return
      case NUMBER:
        // `2fa: bool` is a declaration with a wrong name.
        if (cursor.kindAt(1) === COLON) {
          this.#declaration()
          return
        }
    }
    cursor.unexpected(
      this.#open.length === 0 ? 'a block (`Name: service { ... }`)' : 'a declaration (`name: type;`)',
    )
    if (cursor.kind !== OPEN_BRACE) cursor.next()
    this.#resync()
  }

  #declaration(): void {
    const { cursor } = this
    const name = cursor.next()
    if (cursor.kind === COLON) {
      cursor.next()
    } else if (cursor.kind === OPEN_BRACE) {
      const kind = this.#likelyKind()
      cursor.missing(`: ${kind}`, noKind(cursor.textAt(name), kind))
      this.#openBlock(name, -1)
      return
    } else if (cursor.kind === NAME && cursor.kindAt(1) !== COLON && !cursor.beginsLine(0)) {
      cursor.missing(':', `There is no \`:\` behind ${cursor.quoted(name)}. Insert it.`)
    } else {
      cursor.unexpected(`\`:\` and a type behind ${cursor.quoted(name)}`)
      this.#attribute(name, -1)
      return
    }
    if (cursor.kind === OPEN_BRACE) {
      const kind = this.#likelyKind()
      cursor.missing(` ${kind}`, noKind(cursor.textAt(name), kind))
      this.#openBlock(name, -1)
      return
    }
    const isNextDeclaration = cursor.kindAt(1) === COLON && cursor.beginsLine(0)
    if (cursor.kind !== NAME || isNextDeclaration) {
      cursor.unexpected(`a type behind \`${cursor.textAt(name)}:\``)
      this.#attribute(name, -1)
      return
    }
    const type = cursor.next()
    const isHead = isBlockKind(cursor.textAt(type))
    if (isHead) cursor.skipToBrace()
    if (cursor.kind === OPEN_BRACE || (isHead && this.#lacksBody(name))) this.#openBlock(name, type)
    else this.#attribute(name, type)
  }

  #likelyKind(): string {
    return this.#open.length === 0 ? 'service' : 'struct'
  }

  /** A head of a block without its `{`: where no attribute can be meant. */
  #lacksBody(name: number): boolean {
    const { cursor } = this
    if (this.#open.length > 0 && !/^\p{Lu}/u.test(cursor.textAt(name))) return false
    return cursor.kind !== AT && cursor.kind !== OPEN_PAREN
  }

  /** Behind the head of a block, which `name` and `kind` are the tokens of. */
  #openBlock(name: number, kind: number): void {
    const { cursor } = this
    if (this.#missingBraces > 0) this.#closeForgotten(name, kind)
    const container = this.#open.at(-1) ?? this.definition
    const first = Math.max(0, name < 0 ? cursor.index : name)
    const block = new BlockNode(this.#tree, container, { first, name, kind })
    if (container instanceof DefinitionNode) container.blocks.push(block)
    else container.members.push(block)
    block.$last = Math.max(first, name, kind)
    if (cursor.kind === OPEN_BRACE) {
      cursor.next()
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
    // Where braces are too many, the service that it belongs to was closed too early.
    const isOutside = this.#open.length === 0 && this.#missingBraces < 0 && block.kind === 'struct'
    block.$broken = name < 0 || isOutside
    if (this.#open.length >= MAX_DEPTH) {
      cursor.tooDeep(cursor.index - 1)
      cursor.skipBalanced()
      block.$broken = true
      block.$last = cursor.index - 1
      return
    }
    this.#open.push(block)
  }

  /** Whether what follows a head without `{` belongs into the block, and not behind it. */
  #memberFollows(): boolean {
    const { cursor } = this
    if (cursor.kind === HASH || cursor.kind === CLOSE_BRACE) return this.#missingBraces < 0
    if (cursor.kind !== NAME || cursor.kindAt(1) !== COLON) return false
    return cursor.kindAt(3) !== OPEN_BRACE || cursor.textAt(cursor.index + 2) === 'struct'
  }

  /** Where the text lacks a `}`, a project or service in a block shows that it belongs before this head. */
  #closeForgotten(name: number, kind: number): void {
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return
    const kindText = kind < 0 ? '' : this.cursor.textAt(kind)
    if (kindText === 'project' || kindText === 'service') this.#forget(this.#open.length, name)
    else if (kindText === 'struct' && innermost.kind === 'struct') this.#forget(1, name)
  }

  /** Closes the innermost `count` blocks, of which the `}` is missing, before the token `next`. */
  #forget(count: number, next: number): void {
    const { cursor } = this
    const closed = this.#open.splice(this.#open.length - count)
    for (const block of closed) {
      block.$broken = true
      block.$last = Math.max(block.$last, next - 1)
    }
    this.#missingBraces -= closed.length
    const block = closed.at(-1)
    if (block !== undefined) cursor.unclosed(block, next)
  }

  #closeBlock(): void {
    const { cursor } = this
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
    const { cursor } = this
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

  #attribute(name: number, type: number): void {
    const { cursor } = this
    const container = this.#open.at(-1) ?? this.definition
    const attribute = new AttributeNode(this.#tree, container, name, type)
    if (container instanceof DefinitionNode) container.strays.push(attribute)
    else container.members.push(attribute)
    if (!cursor.isBroken && cursor.kind === OPEN_PAREN) {
      attribute.type.arguments = parseArgumentList(cursor, this.#tree, attribute.type, this.#open.length)
      attribute.type.$last = cursor.index - 1
    }
    while (!cursor.isBroken && cursor.kind === AT) {
      const first = cursor.next()
      if (cursor.kind !== NAME) {
        cursor.unexpected('the name of an annotation behind `@`')
        break
      }
      cursor.next()
      attribute.annotations.push(new AnnotationNode(this.#tree, attribute, first))
    }
    this.#terminate(attribute)
  }

  #metadata(): void {
    const { cursor } = this
    const first = cursor.next()
    if (cursor.kind !== NAME || (cursor.kindAt(1) === COLON && cursor.beginsLine(0))) {
      cursor.unexpected('the name of metadata behind `#`')
      this.#resync()
      return
    }
    cursor.next()
    const container = this.#open.at(-1) ?? this.definition
    const metadata = new MetadataNode(this.#tree, container, first)
    if (container instanceof DefinitionNode) container.strays.push(metadata)
    else container.members.push(metadata)
    if (cursor.kind === OPEN_PAREN)
      metadata.arguments = parseArgumentList(cursor, this.#tree, metadata, this.#open.length)
    else if (cursor.kind === OPEN_BRACKET)
      metadata.list = parseList(cursor, this.#tree, metadata, this.#open.length)
    this.#terminate(metadata)
  }

  /** Reads the `;` of a declaration, or finds out why there is none. */
  #terminate(node: AttributeNode | MetadataNode): void {
    const { cursor } = this
    node.$last = Math.max(node.$first, cursor.index - 1)
    if (!cursor.isBroken) {
      switch (cursor.kind) {
        case SEMICOLON:
          node.terminated = true
          node.$last = cursor.next()
          break
        case CLOSE_BRACE:
        case END:
          break
        case COMMA:
          cursor.unexpected('`;`', ';')
          break
        default:
          this.#missingSemicolon()
      }
    }
    if (cursor.isBroken) this.#resync()
    // Where braces are too many, the block that this belongs to was closed too early.
    const isOutside = this.#open.length === 0 && this.#missingBraces < 0
    node.$broken = cursor.isBroken || cursor.hasLexicalProblem() || isOutside
  }

  #missingSemicolon(): void {
    const { cursor } = this
    const begins = cursor.kind === HASH || cursor.kindAt(1) === COLON || cursor.beginsLine(0)
    if (begins && cursor.kind !== OPEN_BRACE) {
      cursor.missingSemicolon()
      return
    }
    const text = cursor.textAt(cursor.index)
    if (cursor.kind === NAME && annotationNamed(text) !== undefined)
      cursor.unexpected(`\`;\` or \`@${text}\``, `@${text}`)
    else cursor.unexpected('`;`')
  }

  /** Skips what is left of a broken declaration. Linear: every token is skipped once. */
  #resync(): void {
    const { cursor } = this
    let depth = 0
    for (;;) {
      switch (cursor.kind) {
        case END:
        case CLOSE_BRACE:
        case HASH:
          return
        case SEMICOLON:
          cursor.next()
          return
        case OPEN_BRACE:
          this.#openBlock(-1, -1)
          return
        case OPEN_PAREN:
        case OPEN_BRACKET:
          depth++
          break
        case CLOSE_PAREN:
        case CLOSE_BRACKET:
          depth--
          break
        case NAME:
          if (cursor.kindAt(1) === COLON && (depth <= 0 || cursor.beginsLine(0))) return
      }
      cursor.next()
    }
  }

  #endOfText(): void {
    this.cursor.endText()
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return
    for (const block of this.#open) {
      block.$broken = true
      block.$last = Math.max(block.$last, this.#tree.tokens.length - 1)
    }
    this.cursor.unclosed(innermost, this.#tree.tokens.length)
  }
}

function noKind(name: string, kind: string): string {
  return `\`${name}\` has no kind. Write \`${name}: ${kind} {\`.`
}
