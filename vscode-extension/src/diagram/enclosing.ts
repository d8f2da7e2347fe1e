/** The name of a declaration and where it begins. */
export interface DeclarationStart {
  readonly name: string
  /** Offset of its name. */
  readonly offset: number
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*/g

/**
 * The innermost service or struct that an offset lies in, from its name to its last bracket.
 *
 * @param declarations in the order of the text
 */
export function enclosing(
  text: string,
  offset: number,
  declarations: readonly DeclarationStart[],
): string | undefined {
  // Brackets in comments open nothing; the length stays.
  const code = text.replace(COMMENT, (comment) => ' '.repeat(comment.length))
  return declarations.findLast(({ offset: start }) => start <= offset && offset <= endOf(code, start))?.name
}

function endOf(code: string, start: number): number {
  let depth = 0
  for (let index = code.indexOf('{', start); index >= 0 && index < code.length; index++) {
    if (code[index] === '{') depth++
    else if (code[index] === '}' && --depth === 0) return index + 1
  }
  return code.length
}
