import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  NAME,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  type Tokens,
} from '../../syntax/tokens.ts'
import type { SyntaxTree } from '../../syntax/tree.ts'
import { beginsStatement } from './statement.ts'

/** One of the items between brackets, as far as it is written. */
export interface Item {
  /** Name of a named argument. */
  readonly name: string | undefined
  /** Tokens of its value: first and one behind the last; equal where there is none. */
  readonly first: number
  readonly end: number
}

/** The innermost brackets around a place. */
export interface Brackets {
  /** Index of the opening bracket. */
  readonly open: number
  readonly kind: '(' | '['
  /** How many brackets are open, this one included. */
  readonly depth: number
  /** The items before the one that the place is in. */
  readonly before: readonly Item[]
  /** The item that the place is in, up to it. */
  readonly current: Item
  /** What stands behind the place of the item that it is in. */
  readonly rest: Item | undefined
  /** The items behind the one that the place is in. */
  readonly after: readonly Item[]
  /** Index of the closing bracket; `undefined` where there is none yet. */
  readonly close: number | undefined
}

/**
 * The brackets that are open between the tokens `first` and `end`; the items behind the place begin at `next`.
 * `undefined` where none is open.
 */
export function bracketsAround(
  tree: SyntaxTree,
  first: number,
  end: number,
  next: number,
): Brackets | undefined {
  const { tokens } = tree
  const open: number[] = []
  for (let index = first; index < end; index++) {
    const kind = tokens.kind(index)
    if (kind === OPEN_PAREN || kind === OPEN_BRACKET) open.push(index)
    else if (kind === CLOSE_PAREN || kind === CLOSE_BRACKET) open.pop()
  }
  const innermost = open.at(-1)
  if (innermost === undefined) return undefined
  const items = itemsBetween(tokens, innermost + 1, end)
  const current = items.pop() ?? { name: undefined, first: end, end }
  const close = closing(tree, next)
  const [rest, ...after] = itemsBetween(tokens, next, close.end)
  return {
    open: innermost,
    kind: tokens.kind(innermost) === OPEN_PAREN ? '(' : '[',
    depth: open.length,
    before: items,
    current,
    rest: rest !== undefined && rest.end > rest.first ? rest : undefined,
    after,
    close: close.isBracket ? close.end : undefined,
  }
}

/** The items between two tokens, split at commas. There is one more than there are commas. */
function itemsBetween(tokens: Tokens, first: number, end: number): Item[] {
  const items: Item[] = []
  let start = first
  let depth = 0
  for (let index = first; index <= end; index++) {
    const kind = index === end ? COMMA : tokens.kind(index)
    if (kind === OPEN_PAREN || kind === OPEN_BRACKET) depth++
    else if (kind === CLOSE_PAREN || kind === CLOSE_BRACKET) depth--
    if (kind !== COMMA || (depth > 0 && index < end)) continue
    items.push(itemOf(tokens, start, index))
    start = index + 1
  }
  return items
}

function itemOf(tokens: Tokens, first: number, end: number): Item {
  const isNamed = end - first >= 2 && tokens.kind(first) === NAME && tokens.kind(first + 1) === COLON
  return isNamed ? { name: tokens.textOf(first), first: first + 2, end } : { name: undefined, first, end }
}

/** The bracket that closes the ones around `from`, or where the statement ends before it. */
function closing(tree: SyntaxTree, from: number): { readonly end: number; readonly isBracket: boolean } {
  const { tokens } = tree
  let depth = 0
  for (let index = from; index < tokens.length; index++) {
    if (beginsStatement(tree, index, depth + 1)) return { end: index, isBracket: false }
    switch (tokens.kind(index)) {
      case OPEN_PAREN:
      case OPEN_BRACKET:
        depth++
        break
      case CLOSE_PAREN:
      case CLOSE_BRACKET:
        if (depth-- === 0) return { end: index, isBracket: true }
        break
      case SEMICOLON:
      case OPEN_BRACE:
      case CLOSE_BRACE:
        return { end: index, isBracket: false }
    }
  }
  return { end: tokens.length, isBracket: false }
}
