/** A part of a text that is parsed separately. */
export interface SegmentBounds {
  readonly start: number
  readonly end: number
  /** The number of `{` minus the number of `}`. */
  readonly depth: number
}

// Matches braces, comments, strings, and heads of projects and services at the start of a line.
const MARKS =
  /[{}]|\/\*[^]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:[^"\\\n\r]|\\[^\n\r])*"|(?<=[\n\r])[A-Z]\w*[ \t]*:[ \t]*(?:project|service)\b[^\n\r{}/]*\{/g
const HEAD = /^(?:\s|\/\*[^]*?\*\/|\/\/[^\n\r]*)*[A-Z]\w*\s*(?::\s*)?(?:project|service)\b/
// What follows a `}` that is in the head of a block.
const REST_OF_HEAD = /\s*(?::|(?:(?:project|service)\s*)?\{)/y
// What follows the braces of `import { Home } from "home.portico"`, as in other languages.
const REST_OF_IMPORT = /[ \t]*from[ \t]*"/y

/**
 * Splits a text after each top-level block. A block that is not closed ends before the next head of a project or
 * service. Takes linear time.
 *
 * This happens before the lexer, so that unchanged blocks are not even split into tokens. It looks only for braces,
 * comments, strings and heads, which takes 0.4 ms for 1,000 services, where the lexer takes 8 ms. What a block
 * means is decided by the grammar: tests compare the tree with that of the whole text.
 */
export function splitIntoSegments(text: string): SegmentBounds[] {
  const pieces: SegmentBounds[] = []
  let start = 0
  let depth = 0
  /** Whether the block is known not to be closed before the end of the text. */
  let isUnclosed = false
  /** The number of missing `}` in the rest of the text, once it is known. */
  let missing = 0
  /** The offset of the first head inside the block; -1 for none. */
  let head = -1
  const cut = (end: number): void => {
    pieces.push({ start, end, depth })
    start = end
    depth = 0
    head = -1
  }
  MARKS.lastIndex = 0
  for (;;) {
    const match = MARKS.exec(text)
    if (match === null) {
      if (depth === 0 || head < 0 || isUnclosed) {
        if (start < text.length) cut(text.length)
        return pieces
      }
      isUnclosed = true
      missing = depth
      MARKS.lastIndex = start
      depth = 0
      head = -1
      continue
    }
    const mark = match[0]
    if (/^[/"]/.test(mark)) continue
    if (mark === '{') depth++
    else if (mark === '}') {
      depth--
      if (depth > 0) continue
      REST_OF_IMPORT.lastIndex = MARKS.lastIndex
      if (REST_OF_IMPORT.test(text)) continue
      if (depth < 0) {
        REST_OF_HEAD.lastIndex = MARKS.lastIndex
        if (REST_OF_HEAD.test(text)) continue
        // A surplus `}`: a previous block may have been closed too early.
        while (depth < 0) {
          const last = pieces.pop()
          if (last === undefined) break
          start = last.start
          depth += last.depth
          if (HEAD.test(text.slice(last.start, last.end))) break
        }
      }
      cut(MARKS.lastIndex)
    } else if (depth > 0 && isUnclosed) {
      missing -= depth
      cut(match.index)
      isUnclosed = missing > 0
      depth = 1
    } else {
      if (depth > 0 && head < 0) head = match.index
      depth++
    }
  }
}
