import { scan } from '../syntax/scanner.ts'
import { DOC_COMMENT, NAME, NUMBER } from '../syntax/tokens.ts'

/** A comment as it will be printed: line ends are `\n`, and no line ends in white space. */
export interface Comment {
  readonly text: string
  /** `line` ends with its line, `block` may be followed by more. */
  readonly kind: 'line' | 'block'
  readonly documentation: boolean
  /** Line breaks between it and what stands before it. */
  readonly breaks: number
}

/** A token that is no comment, with the comments between it and the token before it. */
export interface Token {
  readonly text: string
  /** It is a name or a number. */
  readonly word: boolean
  readonly comments: readonly Comment[]
  /** Line breaks between it and what stands before it, its last comment included. */
  readonly breaks: number
}

/** The text of the token that stands for the end of the text; it holds the comments before that. */
export const END = ''

const LINE_BREAK = /\r\n?|\n/
const LINE_BREAKS = /\r\n?|\n/g

/** All tokens of a text, with a last one for its end. What belongs to no token is lost. */
export function formatTokens(text: string): Token[] {
  const { tokens, comments } = scan(text)
  const result: Token[] = []
  let end = 0
  let nextComment = 0
  for (let index = 0; index <= tokens.length; index++) {
    const start = tokens.start(index)
    const before: Comment[] = []
    for (; nextComment < comments.length && comments.start(nextComment) < start; nextComment++) {
      const breaks = countBreaks(text.slice(end, comments.start(nextComment)))
      before.push(toComment(comments.textOf(nextComment), comments.kind(nextComment) === DOC_COMMENT, breaks))
      end = comments.end(nextComment)
    }
    const kind = tokens.kind(index)
    result.push({
      text: tokens.textOf(index),
      word: kind === NAME || kind === NUMBER,
      comments: before,
      breaks: countBreaks(text.slice(end, start)),
    })
    end = tokens.end(index)
  }
  return result
}

function countBreaks(gap: string): number {
  return gap.match(LINE_BREAKS)?.length ?? 0
}

function toComment(text: string, documentation: boolean, breaks: number): Comment {
  const lines = text.split(LINE_BREAK).map((line) => line.trimEnd())
  return { text: lines.join('\n'), kind: text.startsWith('//') ? 'line' : 'block', documentation, breaks }
}
