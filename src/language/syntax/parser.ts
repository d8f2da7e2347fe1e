import { annotationNamed, isBlockKind, metadataNamed, typeNamed } from '../vocabulary.ts'
import { parseArgumentList, parseList } from './arguments.ts'
import type { Cursor } from './cursor.ts'
import { OpenBlocks } from './open-blocks.ts'
import { AnnotationNode, AttributeNode, DefinitionNode, MetadataNode } from './nodes.ts'
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
 * broken declaration; everything around it is in the tree. Nothing here calls itself, so that no nesting
 * overflows the call stack.
 */
export class Parser {
  readonly definition: DefinitionNode
  readonly cursor: Cursor
  readonly #tree: SyntaxTree
  readonly #blocks: OpenBlocks

  constructor(tree: SyntaxTree, cursor: Cursor, unclosedBraces: number) {
    this.#tree = tree
    this.cursor = cursor
    this.definition = new DefinitionNode(tree, 0)
    this.definition.$last = tree.tokens.length - 1
    this.#blocks = new OpenBlocks(tree, cursor, this.definition, unclosedBraces)
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
    this.#blocks.end()
  }

  #statement(): void {
    const { cursor } = this
    switch (cursor.kind) {
      case SEMICOLON:
        cursor.next()
        return
      case CLOSE_BRACE:
        this.#blocks.close()
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
        break
      case CLOSE_PAREN:
      case CLOSE_BRACKET:
        if (this.#blocks.closeByMistake()) return
    }
    cursor.unexpected(
      this.#blocks.depth === 0 ? 'a block (`Name: service { ... }`)' : 'a declaration (`name: type;`)',
    )
    if (cursor.kind !== OPEN_BRACE) cursor.next()
    this.#resync()
  }

  #declaration(): void {
    const { cursor } = this
    const name = cursor.next()
    if (cursor.kind === COLON) {
      cursor.next()
    } else if (this.#isColonMistyped()) {
      cursor.unexpected('`:`', ':')
      cursor.next()
    } else if (this.#isReversed(name)) {
      this.#reversed(name)
      return
    } else if (cursor.kind === OPEN_BRACE) {
      const kind = this.#blocks.likelyKind
      cursor.missing(`: ${kind}`, noKind(cursor.textAt(name), kind))
      this.#blocks.open(name, -1)
      return
    } else if (cursor.kind === NAME && cursor.kindAt(1) !== COLON && !cursor.beginsLine(0)) {
      cursor.missing(':', `There is no \`:\` behind ${cursor.quoted(name)}. Insert it.`)
    } else {
      cursor.unexpected(`\`:\` and a type behind ${cursor.quoted(name)}`)
      this.#attribute(name, -1)
      return
    }
    if (cursor.kind === OPEN_BRACE) {
      const kind = this.#blocks.likelyKind
      cursor.missing(` ${kind}`, noKind(cursor.textAt(name), kind))
      this.#blocks.open(name, -1)
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
    if (cursor.kind === OPEN_BRACE || (isHead && this.#lacksBody(name))) this.#blocks.open(name, type)
    else this.#attribute(name, type)
  }

  /** `name; string;`: the key is the same. */
  #isColonMistyped(): boolean {
    const { cursor } = this
    const follows = cursor.kind === SEMICOLON && cursor.kindAt(1) === NAME && !cursor.beginsLine(1)
    return follows && cursor.kindAt(2) !== COLON
  }

  /** `service Home {` and `string name;`: as other languages have it. */
  #isReversed(first: number): boolean {
    const { cursor } = this
    if (cursor.kind !== NAME || cursor.kindAt(1) === COLON || cursor.beginsLine(0)) return false
    if (cursor.braceIsNear()) return isSmall(cursor.textAt(first)) && !isSmall(cursor.textAt(cursor.index))
    const second = cursor.textAt(cursor.index)
    return typeNamed(cursor.textAt(first)) !== undefined && typeNamed(second) === undefined
  }

  #reversed(first: number): void {
    const { cursor } = this
    const second = cursor.index
    const word = cursor.textAt(first)
    if (cursor.braceIsNear()) {
      const kind = isBlockKind(word) ? word : this.#blocks.likelyKind
      cursor.swapped(`${cursor.textAt(second)}: ${kind}`)
      cursor.skipToBrace()
      this.#blocks.open(second, isBlockKind(word) ? first : -1)
    } else {
      cursor.swapped(`${cursor.textAt(second)}: ${word}`)
      this.#attribute(second, -1)
    }
  }

  /** A head of a block without its `{`: where no attribute can be meant. */
  #lacksBody(name: number): boolean {
    const { cursor } = this
    if (this.#blocks.depth > 0 && !/^\p{Lu}/u.test(cursor.textAt(name))) return false
    if (this.#blocks.isBraceMistyped) return true
    return cursor.kind !== AT && cursor.kind !== OPEN_PAREN
  }

  #attribute(name: number, type: number): void {
    const { cursor } = this
    const attribute = new AttributeNode(this.#tree, this.#blocks.innermost, name, type)
    this.#blocks.add(attribute)
    if (!cursor.isBroken && cursor.kind === OPEN_PAREN) {
      attribute.type.arguments = parseArgumentList(cursor, this.#tree, attribute.type, this.#blocks.depth)
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
    const metadata = new MetadataNode(this.#tree, this.#blocks.innermost, first)
    this.#blocks.add(metadata)
    if (cursor.kind === OPEN_PAREN)
      metadata.arguments = parseArgumentList(cursor, this.#tree, metadata, this.#blocks.depth)
    else if (cursor.kind === OPEN_BRACKET)
      metadata.list = parseList(cursor, this.#tree, metadata, this.#blocks.depth)
    else if (cursor.kind === COLON || (cursor.kind === NAME && !cursor.beginsLine(0)))
      cursor.unexpected('the value in brackets, or `;`,')
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
          this.#missingSemicolon(node)
      }
    }
    if (cursor.isBroken) this.#resync()
    node.$broken = cursor.isBroken || cursor.hasLexicalProblem() || this.#blocks.closedTooEarly
  }

  #missingSemicolon(node: AttributeNode | MetadataNode): void {
    const { cursor } = this
    // A block that is being written, and not an attribute: `Host: serv`.
    const isHead = node.$type === 'Attribute' && isHeadLike(node)
    const begins = cursor.kind === HASH || cursor.kindAt(1) === COLON || cursor.beginsLine(0)
    if (begins && cursor.kind !== OPEN_BRACE) {
      // Of metadata that there is not, that is said.
      const isKnown = node.$type === 'Attribute' || metadataNamed(node.name) !== undefined
      if (isKnown && !isHead) cursor.missingSemicolon()
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
    let depth = cursor.brackets
    for (;;) {
      switch (cursor.kind) {
        case END:
        case HASH:
          return
        case CLOSE_BRACE:
          if (cursor.isCulprit && this.#blocks.passOverClosing()) break
          return
        case SEMICOLON:
          if (depth > 0 && cursor.closesSoon()) break
          cursor.next()
          return
        case OPEN_BRACE:
          if (cursor.isCulprit && this.#blocks.passOverOpening()) break
          this.#blocks.open(-1, -1)
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
}

function isHeadLike({ name, type, annotations }: AttributeNode): boolean {
  return /^\p{Lu}/u.test(name) && type.arguments === undefined && annotations.length === 0
}

function noKind(name: string, kind: string): string {
  return `\`${name}\` has no kind. Write \`${name}: ${kind} {\`.`
}

function isSmall(word: string): boolean {
  return /^\p{Ll}/u.test(word)
}
