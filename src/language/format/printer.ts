import { flatText, hasLineComment, needsSpace } from './flat.ts'
import type { Comment, Token } from './tokens.ts'
import {
  type Block,
  type Declaration,
  type Group,
  isBlock,
  isGroup,
  type Layout,
  type Member,
  type Node,
} from './tree.ts'
import { Writer } from './writer.ts'

/** A declaration that is wider than this is broken at its brackets. */
const MAX_WIDTH = 100
/** Steps that the rest of a declaration is indented by behind a line comment. */
const CONTINUATION = 2

/** The text of a layout, with `\n` at the end of each line. */
export function printLayout({ members, end }: Layout): string {
  const writer = new Writer()
  printMembers(writer, members)
  printGap(writer, end, {
    first: members.length === 0,
    closing: true,
    apart: false,
    fresh: members.length === 0,
  })
  return writer.finish()
}

function printMembers(writer: Writer, members: readonly Member[], fresh = true): void {
  members.forEach((member, index) => {
    const before = members[index - 1]
    const apart = isBlock(member) || (before !== undefined && isBlock(before))
    const first = before === undefined
    const start = firstToken(member)
    if (start !== undefined) printGap(writer, start, { first, closing: false, apart, fresh: fresh && first })
    if (isBlock(member)) printBlock(writer, member)
    else printDeclaration(writer, member)
  })
}

function firstToken(member: Member): Token | undefined {
  if (isBlock(member)) return member.head[0]
  const first = member.nodes[0] ?? member.semicolon
  return first === undefined || isGroup(first) ? undefined : first
}

function printBlock(writer: Writer, { head, open, members, close }: Block): void {
  printNodes(writer, [...head, open])
  if (members.length === 0 && close.comments.length === 0) {
    writer.text('}', false)
    return
  }
  writer.indented(() => {
    printMembers(writer, members, false)
    printGap(writer, close, { first: members.length === 0, closing: true, apart: false, fresh: false })
  })
  writer.breakLine()
  writer.text('}', false)
}

function printDeclaration(writer: Writer, { nodes, semicolon }: Declaration): void {
  printNodes(writer, nodes)
  if (semicolon === undefined) writer.text(';', false)
  else if (nodes.length === 0) writer.text(';', false)
  else printToken(writer, semicolon, ' ')
}

/** Prints nodes from where the line is; the comments before the first one have been printed already. */
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
    if (isGroup(node)) printGroupBehindOpen(writer, node, flat !== undefined || hasLineComment(node))
    before = isGroup(node) ? node.close.text : node.text
  })
}

function printGroupBehindOpen(writer: Writer, group: Group, broken: boolean): void {
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

/** Comments behind the comma that they stood before. */
function printComments(writer: Writer, comments: readonly Comment[]): void {
  for (const comment of comments) {
    if (comment.breaks > 0) writer.breakLine()
    writer.comment(comment, true)
  }
}

interface Gap {
  /** Nothing stands before the token in its block or brackets. */
  readonly first: boolean
  /** The token closes the block, the brackets or the text. */
  readonly closing: boolean
  /** A blank line has to be somewhere in the gap. */
  readonly apart: boolean
  /** The text begins here: there is no line to put a comment at the end of. */
  readonly fresh: boolean
}

/**
 * Goes on to the line that a token begins on, past the comments before it: those that begin on the line
 * where the last thing ended stay there, the others get lines of their own. Of blank lines, one is kept.
 */
function printGap(writer: Writer, token: Token, { first, closing, apart, fresh }: Gap): void {
  const trailing = fresh ? 0 : trailingComments(token, closing && !first)
  const own = token.comments.slice(trailing)
  for (const comment of token.comments.slice(0, trailing)) writer.comment(comment, true)
  const breaks = [...own.map((comment) => comment.breaks), ...(closing ? [] : [token.breaks])]
  const blanks = breaks.map((count, index) => count > 1 && !(first && index === 0))
  if (apart && !first && !blanks.includes(true)) blanks[0] = true
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

/** How many of the comments before a token stay on the line where the token before them ended. */
function trailingComments({ comments, breaks }: Token, closing: boolean): number {
  const end = comments.findIndex((comment) => comment.breaks > 0)
  if (end >= 0) return end
  const leadsToken = breaks === 0 && comments.at(-1)?.kind === 'block' && !closing
  return leadsToken ? 0 : comments.length
}
