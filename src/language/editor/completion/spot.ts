import { AT, CLOSE_PAREN, COLON, HASH, NAME, NUMBER, OPEN_BRACE, OPEN_PAREN } from '../../syntax/tokens.ts'
import { isBlockKind } from '../../vocabulary.ts'
import { type Brackets, bracketsAround } from './brackets.ts'
import type { Statement } from './statement.ts'

/** What can stand where somebody is writing. */
export type Spot =
  /** A new declaration; `behind` is the last token of the one before where that lacks its `;`. */
  | { readonly kind: 'statement'; readonly behind: number | undefined }
  /** The name of metadata, behind the `#` at this token. */
  | { readonly kind: 'metadata'; readonly hash: number }
  /** A type, or the kind of a block, behind `name:`. */
  | { readonly kind: 'type'; readonly name: number }
  /** An annotation of the attribute of this name; `at` is the token `@` where it is there. */
  | { readonly kind: 'annotation'; readonly name: number; readonly at: number | undefined }
  /** In brackets behind the type or the metadata at the token `callee`. */
  | {
      readonly kind: 'argument'
      readonly of: 'type' | 'metadata'
      readonly callee: number
      readonly brackets: Brackets
    }

/** What can stand at a statement's word: several things at the begin of a line behind an attribute without `;`. */
export function spotsAt(statement: Statement): readonly Spot[] {
  const { first, end, read, next, word } = statement
  const { tokens } = read.tree
  const isNamed = tokens.kind(next) === COLON && word.end > word.start
  const length = end - first
  if (length === 0) return isNamed ? [] : [{ kind: 'statement', behind: undefined }]
  if (isTaken(statement)) return []
  return tokens.kind(first) === HASH ? inMetadata(statement, length) : inDeclaration(statement, length)
}

function inMetadata(statement: Statement, length: number): readonly Spot[] {
  const { first, end, read, next } = statement
  const { tokens } = read.tree
  if (length === 1) return [{ kind: 'metadata', hash: first }]
  if (tokens.kind(first + 1) !== NAME) return []
  const brackets = bracketsAround(read.tree, first + 2, end, next)
  if (brackets !== undefined) return [{ kind: 'argument', of: 'metadata', callee: first + 1, brackets }]
  return nextStatement(statement)
}

function inDeclaration(statement: Statement, length: number): readonly Spot[] {
  const { first, end, read, next, holder } = statement
  const { tokens } = read.tree
  const isName = tokens.kind(first) === NAME || tokens.kind(first) === NUMBER
  if (!isName || (length > 1 && tokens.kind(first + 1) !== COLON)) return []
  if (length === 1) return statement.beginsLine ? [{ kind: 'statement', behind: undefined }] : []
  if (length === 2) return [{ kind: 'type', name: first }]
  const isHead = isBlockKind(tokens.textOf(first + 2))
  if (tokens.kind(first + 2) !== NAME || isHead || holder.$type === 'Definition') return []
  const brackets = bracketsAround(read.tree, first + 3, end, next)
  if (brackets !== undefined) return [{ kind: 'argument', of: 'type', callee: first + 2, brackets }]
  const last = tokens.kind(end - 1)
  if (last === AT) return [{ kind: 'annotation', name: first, at: end - 1 }]
  if (last !== NAME && last !== CLOSE_PAREN) return []
  return [{ kind: 'annotation', name: first, at: undefined }, ...nextStatement(statement)]
}

/** In a new line the next declaration can begin: the one before may lack its `;`. */
function nextStatement({ beginsLine, end, next, word, read }: Statement): readonly Spot[] {
  const isNamed = read.tree.tokens.kind(next) === COLON && word.end > word.start
  return beginsLine && !isNamed ? [{ kind: 'statement', behind: end - 1 }] : []
}

/** Between two words that belong together, as in `name: ‸ string`: one more there is one too many. */
function isTaken({ read, end, next, word }: Statement): boolean {
  const { tokens } = read.tree
  if (word.end > word.start) return false
  const kind = tokens.kind(next)
  if (kind === OPEN_PAREN || kind === OPEN_BRACE) return true
  const before = tokens.kind(end - 1)
  if (kind !== NAME || tokens.kind(next + 1) === COLON) return false
  return before === COLON || before === HASH || before === AT
}
