import { type Cursor, MAX_DEPTH } from './cursor.ts'
import {
  ArgumentListNode,
  ArgumentNode,
  type AttributeTypeNode,
  ListValueNode,
  type MetadataNode,
  NumberValueNode,
  type ValueNode,
  WordValueNode,
} from './nodes.ts'
import { CLOSE_BRACKET, CLOSE_PAREN, COLON, COMMA, HASH, NAME, NUMBER, OPEN_BRACKET } from './tokens.ts'
import type { SyntaxTree } from './tree.ts'
import { isParameter } from '../vocabulary.ts'

/** Reads `(...)`. `depth` is how many brackets and blocks are open around it. */
export function parseArgumentList(
  cursor: Cursor,
  tree: SyntaxTree,
  container: AttributeTypeNode | MetadataNode,
  depth: number,
): ArgumentListNode {
  const list = new ArgumentListNode(tree, container, cursor.next())
  readItems(cursor, CLOSE_PAREN, ')', depth, () => {
    const argument = new ArgumentNode(tree, list, cursor.index)
    if (cursor.kind === NAME && cursor.kindAt(1) === COLON) {
      argument.name = tree.tokens.textOf(cursor.next())
      cursor.next()
    }
    const value = parseValue(cursor, tree, argument, depth + 1)
    if (value === undefined) return
    argument.value = value
    argument.$last = value.$last
    list.items.push(argument)
  })
  list.$last = cursor.index - 1
  return list
}

/** Reads `[...]`. `depth` is how many brackets and blocks are open around it. */
export function parseList(
  cursor: Cursor,
  tree: SyntaxTree,
  container: ArgumentNode | ListValueNode | MetadataNode,
  depth: number,
): ListValueNode {
  const list = new ListValueNode(tree, container, cursor.next())
  readItems(cursor, CLOSE_BRACKET, ']', depth, () => {
    const value = parseValue(cursor, tree, list, depth + 1)
    if (value !== undefined) list.items.push(value)
  })
  list.$last = cursor.index - 1
  return list
}

/** Reads items with commas between them, and perhaps one behind them, up to the closing bracket. */
function readItems(
  cursor: Cursor,
  close: number,
  closing: string,
  depth: number,
  readItem: () => void,
): void {
  if (depth >= MAX_DEPTH) {
    cursor.tooDeep(cursor.index - 1)
    cursor.skipBalanced()
    return
  }
  cursor.brackets++
  while (cursor.kind !== close) {
    readItem()
    if (cursor.isBroken) return
    if (cursor.kind === COMMA) {
      cursor.next()
    } else if (cursor.kind !== close) {
      separatorMissing(cursor, closing)
      return
    }
  }
  cursor.next()
  cursor.brackets--
}

function separatorMissing(cursor: Cursor, closing: string): void {
  const begins = cursor.beginsLine(0) && (cursor.kind === HASH || cursor.kindAt(1) === COLON)
  const isItem = cursor.kind === NAME || cursor.kind === NUMBER || cursor.kind === OPEN_BRACKET
  const isName = closing === ')' && cursor.kindAt(-1) === NAME && cursor.kindAt(-2) !== COLON
  if (isItem && !begins && isName && isParameter(cursor.textAt(cursor.index - 1)))
    cursor.missing(':', `There is no \`:\` behind ${cursor.quoted(cursor.index - 1)}. Insert it.`)
  else if (isItem && !begins)
    cursor.missing(',', `There is no \`,\` before ${cursor.quoted(cursor.index)}. Insert it.`)
  else cursor.missing(closing, `There is no \`${closing}\` here. Insert it.`)
}

function parseValue(
  cursor: Cursor,
  tree: SyntaxTree,
  container: ArgumentNode | ListValueNode,
  depth: number,
): ValueNode | undefined {
  const begins = cursor.kindAt(1) === COLON && cursor.beginsLine(0)
  if (cursor.kind === NAME && !begins) return new WordValueNode(tree, container, cursor.next())
  if (cursor.kind === NUMBER) return new NumberValueNode(tree, container, cursor.next())
  if (cursor.kind === OPEN_BRACKET) return parseList(cursor, tree, container, depth)
  cursor.unexpected('a value', cursor.kind === COMMA ? '' : undefined)
  return undefined
}
