import { flatText, hasLineComment, needsSpace } from './flat.ts'
import {
  type Block,
  type Comment,
  type Declaration,
  type Group,
  isBlock,
  isGroup,
  isImport,
  type Layout,
  type Member,
  type Node,
  type Token,
} from './layout.ts'
import type { Writer } from './writer.ts'

/** A wider declaration is broken at its brackets. */
const MAX_WIDTH = 100
/** Indentation steps of the rest of a declaration after a line comment. */
const CONTINUATION = 2

/** Prints a layout, which begins the text or follows a block. */
export function printLayout(writer: Writer, { members, end }: Layout, isStart: boolean): void {
  printMembers(writer, members, isStart ? 'text' : 'nothing')
  const first = isStart && members.length === 0
  printGap(writer, end, { first, closing: true, apart: false, fresh: first })
}

/** Prints members at the start of a text or a block, or after a block. */
function printMembers(
  writer: Writer,
  members: readonly Member[],
  begins: 'text' | 'block' | 'nothing',
): void {
  members.forEach((member, index) => {
    const before = members[index - 1]
    const first = before === undefined && begins !== 'nothing'
    const together = before !== undefined && isImport(before) && isImport(member)
    const apart =
      isBlock(member) ||
      (before === undefined ? begins === 'nothing' : isBlock(before) || (isImport(before) && !together))
    const start = firstToken(member)
    if (start !== undefined)
      printGap(writer, start, { first, closing: false, apart, together, fresh: first && begins === 'text' })
    if (isBlock(member)) printBlock(writer, member)
    else printDeclaration(writer, member)
  })
}

function firstToken(member: Member): Token | undefined {
  if (isBlock(member)) return member.head[0]
  const first = member.nodes[0] ?? member.semicolon
  return first === undefined || isGroup(first) ? undefined : first
}

function printBlock(writer: Writer, { head, members, close }: Block): void {
  printNodes(writer, head)
  if (members.length === 0 && close.comments.length === 0) {
    writer.text('}', false)
    return
  }
  writer.indented(() => {
    printMembers(writer, members, 'block')
    printGap(writer, close, { first: members.length === 0, closing: true, apart: false, fresh: false })
  })
  writer.breakLine()
  writer.text('}', false)
}

function printDeclaration(writer: Writer, { nodes, semicolon }: Declaration): void {
  printNodes(writer, nodes)
  if (semicolon === undefined || nodes.length === 0) writer.text(';', false)
  else printToken(writer, semicolon, ' ')
}

/** Prints nodes at the current position. The comments before the first one are already printed. */
function printNodes(writer: Writer, nodes: readonly Node[]): void {
  const flat = flatText(nodes)
  if (flat !== undefined && writer.indentWidth + flat.length < MAX_WIDTH) {
    writer.text(flat, true)
    return
  }
  let before = ''
  nodes.forEach((node, index) => {
    const token = isGroup(node) ? node.open : node
    if (index === 0) writer.text(token.text, true)
    else printToken(writer, token, before)
    if (isGroup(node)) printGroupAfterOpen(writer, node, flat !== undefined || hasLineComment(node))
    before = isGroup(node) ? node.close.text : node.text
  })
}

function printGroupAfterOpen(writer: Writer, group: Group, broken: boolean): void {
  const { open, items, close } = group
  const flat = broken ? undefined : flatText([{ ...group, open: { ...open, comments: [] } }])
  if (flat !== undefined) {
    writer.text(flat.slice(open.text.length), false)
    return
  }
  writer.indented(() => {
    items.forEach((item, index) => {
      const start = item.nodes[0]
      const token = start !== undefined && isGroup(start) ? start.open : start
      if (token !== undefined)
        printGap(writer, token, { first: index === 0, closing: false, apart: false, fresh: false })
      printNodes(writer, item.nodes)
      writer.text(',', false)
      printComments(writer, item.comments)
    })
    printGap(writer, close, { first: items.length === 0, closing: true, apart: false, fresh: false })
  })
  writer.breakLine()
  writer.text(close.text, false)
}

/** Prints a token within a declaration, and the comments before it. */
function printToken(writer: Writer, token: Token, before: string): void {
  writer.indented(() => {
    token.comments.forEach((comment, index) => {
      writer.comment(comment, index > 0 || needsSpace(before, undefined))
    })
    const last = token.comments.at(-1)
    writer.text(token.text, needsSpace(last === undefined ? before : last.text, token))
  }, CONTINUATION)
}

/** Prints comments after the comma, although they precede it in the text. */
function printComments(writer: Writer, comments: readonly Comment[]): void {
  for (const comment of comments) {
    if (comment.breaks > 0) writer.breakLine()
    writer.comment(comment, true)
  }
}

interface Gap {
  /** The token is the first in its block or brackets. */
  readonly first: boolean
  /** The token closes the block, the brackets or the text. */
  readonly closing: boolean
  /** The gap must contain a blank line. */
  readonly apart: boolean
  /** The gap has no blank line, except before a comment. */
  readonly together?: boolean
  /** The text begins here, so no comment can end a previous line. */
  readonly fresh: boolean
}

/**
 * Moves to the line of a token and prints the comments before it: those that begin on the last line of the previous
 * text stay there, the others get their own lines. Several blank lines become one.
 */
function printGap(
  writer: Writer,
  token: Token,
  { first, closing, apart, together = false, fresh }: Gap,
): void {
  const trailing = fresh ? 0 : trailingComments(token, closing && !first)
  const own = token.comments.slice(trailing)
  for (const comment of token.comments.slice(0, trailing)) writer.comment(comment, true)
  const breaks = [...own.map((comment) => comment.breaks), ...(closing ? [] : [token.breaks])]
  const blanks = breaks.map((count, index) => count > 1 && !(first && index === 0))
  if (apart && !first && !blanks.includes(true)) blanks[0] = true
  if (together) blanks[own.length] = false
  own.forEach((comment, index) => {
    if (blanks[index] === true) writer.blankLine()
    else if (index === 0 || comment.breaks > 0) writer.breakLine()
    writer.comment(comment, true)
  })
  if (closing) return
  const last = own.at(-1)
  if (blanks[own.length] === true) writer.blankLine()
  else if (last === undefined || last.documentation || last.kind === 'line' || token.breaks > 0)
    writer.breakLine()
}

/** The number of comments before a token that stay on the line of the previous token. */
function trailingComments({ comments, breaks }: Token, closing: boolean): number {
  const end = comments.findIndex((comment) => comment.breaks > 0)
  if (end >= 0) return end
  const leadsToken = breaks === 0 && comments.at(-1)?.kind === 'block' && !closing
  return leadsToken ? 0 : comments.length
}
