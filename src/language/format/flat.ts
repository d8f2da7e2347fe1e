import { isGroup, type Node, type Token } from './layout.ts'

/**
 * Prints nodes on one line, without the comments before the first one. Returns `undefined` if a comment among them
 * ends a line.
 */
export function flatText(nodes: readonly Node[]): string | undefined {
  const pieces: string[] = []
  let before = ''
  let whole = true
  const add = (text: string, spaced: boolean): void => {
    if (spaced) pieces.push(' ')
    pieces.push(text)
    before = text
  }
  const addToken = (token: Token): void => {
    if (pieces.length > 0) addComments(token)
    add(token.text, needsSpace(before, token))
  }
  const addComments = ({ comments }: Pick<Token, 'comments'>): void => {
    for (const comment of comments) {
      if (comment.kind === 'line' || comment.text.includes('\n')) whole = false
      add(comment.text, needsSpace(before, undefined))
    }
  }
  const addNode = (node: Node): void => {
    if (!isGroup(node)) {
      addToken(node)
      return
    }
    addToken(node.open)
    node.items.forEach((item, index) => {
      item.nodes.forEach(addNode)
      addComments(item)
      if (index < node.items.length - 1) add(',', false)
    })
    addToken(node.close)
  }
  nodes.forEach(addNode)
  return whole ? pieces.join('') : undefined
}

/** Whether a line comment is between brackets, at any depth. */
export function hasLineComment(node: Node): boolean {
  if (!isGroup(node)) return node.comments.some((comment) => comment.kind === 'line')
  return (
    hasLineComment(node.close) ||
    node.items.some(
      (item) => item.comments.some((comment) => comment.kind === 'line') || item.nodes.some(hasLineComment),
    )
  )
}

const NO_SPACE_AFTER: ReadonlySet<string> = new Set(['', '(', '[', '#', '@'])
const NO_SPACE_BEFORE: ReadonlySet<string> = new Set([',', ';', ')', ']', ':', '?'])

/** Whether a space separates two tokens on one line; `next` is `undefined` for a comment. */
export function needsSpace(before: string, next: Token | undefined): boolean {
  if (NO_SPACE_AFTER.has(before)) return false
  if (next === undefined) return true
  if (NO_SPACE_BEFORE.has(next.text)) return false
  const opens = next.text === '(' || next.text === '['
  return !opens || before === ':' || before === ',' || before.startsWith('/')
}
