import { type Comment, END, type Token } from './tokens.ts'

/** What stands between brackets. */
export interface Group {
  readonly open: Token
  readonly items: readonly Item[]
  readonly close: Token
}

/** What stands between two commas. */
export interface Item {
  readonly nodes: readonly Node[]
  /** Comments before the comma behind it. */
  readonly comments: readonly Comment[]
}

export type Node = Token | Group

/** An attribute or metadata without its semicolon; or, with no nodes, a semicolon that has to stay. */
export interface Declaration {
  readonly nodes: readonly Node[]
  /** The semicolon where it has documentation before it, which must not slip behind it. */
  readonly semicolon: Token | undefined
}

export interface Block {
  readonly head: readonly Token[]
  readonly open: Token
  readonly members: readonly Member[]
  readonly close: Token
}

export type Member = Declaration | Block

/** A whole text. */
export interface Layout {
  readonly members: readonly Member[]
  readonly end: Token
}

export function isGroup(node: Node): node is Group {
  return 'items' in node
}

export function isBlock(member: Member): member is Block {
  return 'members' in member
}

/**
 * The tree of a text without syntax errors. Semicolons that need not be there and trailing commas are gone;
 * comments before them stand before the next token.
 */
export function layoutOf(tokens: readonly Token[]): Layout {
  const reader = new Reader(tokens)
  const members = readMembers(reader, END)
  return { members, end: reader.take() }
}

/** Goes through the tokens once. */
class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  /** Comments that stood before a token that was dropped. */
  #moved: readonly Comment[] = []

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead]?.text ?? END
  }

  peekIsWord(): boolean {
    return this.#tokens[this.#next]?.word ?? false
  }

  /** There are none at the end, which `layoutOf` alone takes. */
  take(): Token {
    const token = this.#tokens[this.#next]
    if (token === undefined) throw new Error('The text ended where its syntax says that it goes on')
    this.#next += 1
    const moved = this.#moved
    this.#moved = []
    if (moved.length === 0) return token
    const own = token.comments
    return {
      ...token,
      comments: [...moved, ...own],
      breaks: own.length === 0 ? Math.max(token.breaks, 1) : token.breaks,
    }
  }

  /**
   * Leaves a semicolon out, unless something depends on its place: documentation before it, which would become
   * that of what follows, or a `///` remark in its line, which without it would not stand behind a declaration.
   */
  takeSemicolon(): Token | undefined {
    const first = this.#next === 0
    const comments = this.#tokens[this.#next]?.comments ?? []
    const remarks = endOfLine(this.#tokens[this.#next + 1]).some(isRemark)
    const remarked = remarks && (first || comments.length > 0)
    const documented = remarked || comments.some((comment) => comment.documentation)
    const semicolon = this.take()
    if (documented) return semicolon
    this.#moved = semicolon.comments
    return undefined
  }
}

/** The comments before a token that begin in the line where the token before it ends. */
function endOfLine(token: Token | undefined): readonly Comment[] {
  const comments = token?.comments ?? []
  const end = comments.findIndex(({ breaks }) => breaks > 0)
  return end < 0 ? comments : comments.slice(0, end)
}

/** Behind a declaration, in its line, such a comment is no documentation of the next one. */
function isRemark({ documentation, kind }: Comment): boolean {
  return documentation && kind === 'line'
}

function readMembers(reader: Reader, close: string): Member[] {
  const members: Member[] = []
  while (reader.peek() !== close) {
    if (reader.peek() !== ';') members.push(readMember(reader))
    else {
      const semicolon = reader.takeSemicolon()
      if (semicolon !== undefined) members.push({ nodes: [], semicolon })
    }
  }
  return members
}

function readMember(reader: Reader): Member {
  return reader.peek(1) === ':' && reader.peek(3) === '{' ? readBlock(reader) : readDeclaration(reader)
}

function readBlock(reader: Reader): Block {
  const head = [reader.take(), reader.take(), reader.take()]
  const open = reader.take()
  return { head, open, members: readMembers(reader, '}'), close: reader.take() }
}

function readDeclaration(reader: Reader): Declaration {
  const nodes: Node[] = []
  do nodes.push(readNode(reader))
  while (!endsDeclaration(reader, nodes.at(-1)))
  return { nodes, semicolon: reader.peek() === ';' ? reader.takeSemicolon() : undefined }
}

/** A declaration ends at its semicolon; without one, where the next token cannot go on with it. */
function endsDeclaration(reader: Reader, last: Node | undefined): boolean {
  const next = reader.peek()
  if (next === ';' || next === '}' || next === END || next === '#') return true
  return reader.peekIsWord() && last !== undefined && (isGroup(last) || last.word)
}

function readNode(reader: Reader): Node {
  const open = reader.take()
  if (open.text !== '(' && open.text !== '[') return open
  const close = open.text === '(' ? ')' : ']'
  const items: Item[] = []
  while (reader.peek() !== close) {
    const nodes: Node[] = []
    while (reader.peek() !== ',' && reader.peek() !== close) nodes.push(readNode(reader))
    items.push({ nodes, comments: reader.peek() === ',' ? reader.take().comments : [] })
  }
  return { open, items, close: reader.take() }
}
