import type { AstNode, CompositeCstNode, CstNode } from 'langium'
import { isBlock as isBlockNode, isImport as isImportNode } from '../generated/ast.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { TokenNode } from '../parser/cst.ts'
import type { Segment } from '../parser/segment.ts'

/** A comment to print. Lines are separated by `\n`, and none ends in white space. */
export interface Comment {
  readonly text: string
  /** A `line` comment ends with its line; a `block` comment may be followed by other tokens. */
  readonly kind: 'line' | 'block'
  readonly documentation: boolean
  /** The number of line breaks before it. */
  readonly breaks: number
}

/** A token, with the comments between it and the token before it. */
export interface Token {
  readonly text: string
  readonly comments: readonly Comment[]
  /** The number of line breaks before it, after its last comment. */
  readonly breaks: number
}

/** The content of brackets. */
export interface Group {
  readonly open: Token
  readonly items: readonly Item[]
  readonly close: Token
}

/** The tokens between two commas. */
export interface Item {
  readonly nodes: readonly Node[]
  /** Comments before the following comma. */
  readonly comments: readonly Comment[]
}

export type Node = Token | Group

/** An import, an attribute or metadata without its semicolon; without nodes, a semicolon that must stay. */
export interface Declaration {
  readonly nodes: readonly Node[]
  /** The semicolon, if documentation before it must not move after it. */
  readonly semicolon: Token | undefined
  readonly isImport: boolean
}

export interface Block {
  readonly head: readonly Token[]
  readonly members: readonly Member[]
  readonly close: Token
}

export type Member = Declaration | Block

/** The layout of a text, or of a part between syntax errors. */
export interface Layout {
  readonly members: readonly Member[]
  /** An empty token that has the comments before the end. */
  readonly end: Token
}

export function isGroup(node: Node): node is Group {
  return 'items' in node
}

export function isBlock(member: Member): member is Block {
  return 'members' in member
}

export function isImport(member: Member): boolean {
  return !isBlock(member) && member.isImport
}

/**
 * Returns the layout of consecutive segments without syntax errors. Unnecessary semicolons and trailing commas are
 * omitted; comments before them move to the next token.
 */
export function readLayout(result: DefinitionParseResult, segments: readonly Segment[]): Layout {
  const reader = new LayoutReader(result, segments[0]?.offset ?? 0)
  const members = segments.flatMap(({ cst }) =>
    reader.members(cst as readonly unknown[] as readonly CstNode[]),
  )
  const last = segments.at(-1)
  return { members, end: reader.token('', last === undefined ? 0 : last.offset + last.text.length) }
}

const LINE_BREAK = /\r\n?|\n/g

/** Walks the concrete syntax tree once, and attaches the comments to its tokens. */
class LayoutReader {
  readonly #result: DefinitionParseResult
  /** The end of the last token or comment. */
  #end: number
  #nextComment: number
  /** Comments before an omitted token. */
  #moved: readonly Comment[] = []

  constructor(result: DefinitionParseResult, start: number) {
    this.#result = result
    this.#end = start
    this.#nextComment = result.comments.firstFrom(start)
  }

  members(content: readonly CstNode[]): Member[] {
    return content.flatMap((node): Member[] => {
      if (!(node instanceof TokenNode)) return [this.#member(contentOf(node), node.astNode)]
      const semicolon = this.#semicolon(node)
      return semicolon === undefined ? [] : [{ nodes: [], semicolon, isImport: false }]
    })
  }

  /** A token with the comments before it, and those of tokens omitted since the last one. */
  token(text: string, start: number): Token {
    const { comments } = this.#result
    const moved = this.#moved
    const own: Comment[] = []
    this.#moved = []
    for (
      ;
      this.#nextComment < comments.length && comments.start(this.#nextComment) < start;
      this.#nextComment++
    )
      own.push(this.#comment(this.#nextComment))
    const breaks = this.#breaksBefore(start)
    this.#end = start + text.length
    const isMovedLast = moved.length > 0 && own.length === 0
    return { text, comments: [...moved, ...own], breaks: isMovedLast ? Math.max(breaks, 1) : breaks }
  }

  #member(content: readonly CstNode[], declared: AstNode): Member {
    const last = content.at(-1)
    if (isBlockNode(declared)) {
      const head = content.slice(0, 4).map((node) => this.#leaf(node))
      return { head, members: this.members(content.slice(4, -1)), close: this.#leaf(last) }
    }
    const kind = { isImport: isImportNode(declared) }
    if (!(last instanceof TokenNode) || last.token.image !== ';')
      return { nodes: this.#nodes(content), semicolon: undefined, ...kind }
    return { nodes: this.#nodes(content.slice(0, -1)), semicolon: this.#semicolon(last), ...kind }
  }

  #nodes(content: readonly CstNode[]): Node[] {
    return content.flatMap((node) => {
      if (node instanceof TokenNode) return [this.#leaf(node)]
      const inner = contentOf(node)
      const [first] = inner
      return first instanceof TokenNode && /^[([]$/.test(first.token.image)
        ? [this.#group(inner)]
        : this.#nodes(inner)
    })
  }

  #group(content: readonly CstNode[]): Group {
    const open = this.#leaf(content[0])
    const items: Item[] = []
    for (const node of content.slice(1, -1)) {
      if (!(node instanceof TokenNode)) items.push({ nodes: this.#nodes([node]), comments: [] })
      else items.push({ nodes: items.pop()?.nodes ?? [], comments: this.#leaf(node).comments })
    }
    return { open, items, close: this.#leaf(content.at(-1)) }
  }

  #leaf(node: CstNode | undefined): Token {
    if (!(node instanceof TokenNode)) throw new Error('Expected a token here')
    return this.token(node.token.image, node.offset)
  }

  /**
   * Omits a semicolon, unless a comment depends on its position: documentation before it would otherwise document
   * the next declaration, and so would a `///` comment after it on the same line.
   */
  #semicolon(node: TokenNode): Token | undefined {
    const isFirst = this.#result.tokens.start(0) === node.offset
    const semicolon = this.token(node.token.image, node.offset)
    const isDocumented = semicolon.comments.some(({ documentation }) => documentation)
    if (isDocumented || ((isFirst || semicolon.comments.length > 0) && this.#isRemarkNext())) return semicolon
    this.#moved = semicolon.comments
    return undefined
  }

  /** Whether a `///` comment follows on the line. After a declaration, it does not document the next one. */
  #isRemarkNext(): boolean {
    const { comments, text } = this.#result
    let end = this.#end
    for (let index = this.#nextComment; index < comments.length; index++) {
      if (/[\r\n]|\S/.test(text.slice(end, comments.start(index)))) return false
      if (comments.type(index) === 'DOC_COMMENT' && comments.image(index).startsWith('///')) return true
      end = comments.end(index)
    }
    return false
  }

  #comment(index: number): Comment {
    const { comments } = this.#result
    const image = comments.image(index)
    const breaks = this.#breaksBefore(comments.start(index))
    this.#end = comments.end(index)
    return {
      text: image
        .split(LINE_BREAK)
        .map((line) => line.trimEnd())
        .join('\n'),
      kind: image.startsWith('//') ? 'line' : 'block',
      documentation: comments.type(index) === 'DOC_COMMENT',
      breaks,
    }
  }

  #breaksBefore(offset: number): number {
    return this.#result.text.slice(this.#end, offset).match(LINE_BREAK)?.length ?? 0
  }
}

function contentOf(node: CstNode): readonly CstNode[] {
  return (node as CompositeCstNode).content
}
