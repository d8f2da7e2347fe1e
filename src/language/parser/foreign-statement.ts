import { metadataNamed } from '../builtins.ts'
import { otherLanguages } from '../other-languages.ts'
import type { TokenCursor } from './token-cursor.ts'

/** What another language declares, and what to write instead. */
export interface ForeignStatement {
  readonly help: string
  /** Index of the token after it. */
  readonly end: number
}

/** Table constraints of SQL that begin with two words. */
const TWO_WORDS = /^(?:primary key|foreign key|unique (?:key|index)|constraint \w+)$/i

/** `CREATE TABLE item (...);`, `relationship OneToMany {...}`, or in a block `UNIQUE (a, b)`; `undefined` for anything else. */
export function foreignStatement(
  cursor: TokenCursor,
  at: number,
  isTopLevel: boolean,
): ForeignStatement | undefined {
  const word = cursor.image(at)
  const next = cursor.image(at + 1)
  if (!cursor.isWord(at) || next === ':' || cursor.beginsLine(at + 1)) return undefined
  const isConstraint = next === '(' || TWO_WORDS.test(`${word} ${next}`)
  if (!isTopLevel && (!isConstraint || metadataNamed(word) !== undefined)) return undefined
  if (isTopLevel && next !== '{' && !cursor.isWord(at + 1)) return undefined
  const help = isTopLevel ? otherLanguages.statement(word) : otherLanguages.constraint(word)
  return help === undefined ? undefined : { help, end: endOfStatement(cursor, at) }
}

/** After its `;`, its block, or its last line. */
function endOfStatement(cursor: TokenCursor, from: number): number {
  let depth = 0
  for (let at = from + 1; at < cursor.tokens.length; at++) {
    const image = cursor.image(at)
    if (depth === 0 && (image === '}' || cursor.beginsLine(at))) return at
    if (/^[([{]$/.test(image)) depth++
    else if (/^[)\]}]$/.test(image)) depth--
    if (depth === 0 && /^[;},]$/.test(image))
      return image === '}' && cursor.image(at + 1) === ';' ? at + 2 : at + 1
  }
  return cursor.tokens.length
}
