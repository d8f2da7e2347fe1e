import type { IToken } from './token.ts'

/** Blocks and brackets that are nested more deeply are not parsed. */
export const MAX_DEPTH = 16

/** How deeply blocks and brackets are nested in these tokens. */
export function nestingOf(tokens: readonly IToken[]): number {
  let depth = 0
  let deepest = 0
  for (const { image } of tokens) {
    if (image === '{' || image === '(' || image === '[') deepest = Math.max(deepest, ++depth)
    else if (image === '}' || image === ')' || image === ']') depth--
  }
  return deepest
}
