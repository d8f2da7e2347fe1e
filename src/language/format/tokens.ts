import type { IToken } from 'chevrotain'
import { languageServices } from '../module.ts'

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
  readonly word: boolean
  readonly comments: readonly Comment[]
  /** Line breaks between it and what stands before it, its last comment included. */
  readonly breaks: number
}

/** The text of the token that stands for the end of the text; it holds the comments before that. */
export const END = ''

/** All tokens of a text that the lexer accepts, with a last one for the end of the text. */
export function formatTokens(text: string): Token[] {
  const { tokens, hidden } = languageServices().parser.Lexer.tokenize(text)
  const result: Token[] = []
  let comments: Comment[] = []
  let end = 0
  let next = 0
  const breaksUpTo = (offset: number): number => countBreaks(text.slice(end, offset))
  const takeComments = (offset: number): void => {
    for (
      let comment = hidden[next];
      comment !== undefined && comment.startOffset < offset;
      comment = hidden[++next]
    ) {
      comments.push(toComment(comment, breaksUpTo(comment.startOffset)))
      end = comment.startOffset + comment.image.length
    }
  }
  const push = (image: string, offset: number): void => {
    takeComments(offset)
    result.push({ text: image, word: WORD.test(image), comments, breaks: breaksUpTo(offset) })
    comments = []
    end = offset + image.length
  }
  for (const token of tokens) push(token.image, token.startOffset)
  push(END, text.length)
  return result
}

/** Names and numbers; all else is punctuation. */
const WORD = /^[\p{L}\p{N}_$+-]/u
const LINE_BREAK = /\r\n?|\n/
const LINE_BREAKS = /\r\n?|\n/g

function countBreaks(gap: string): number {
  return gap.match(LINE_BREAKS)?.length ?? 0
}

function toComment({ image, tokenType }: IToken, breaks: number): Comment {
  const lines = image.split(LINE_BREAK).map((line) => line.trimEnd())
  return {
    text: lines.join('\n'),
    kind: image.startsWith('//') ? 'line' : 'block',
    documentation: tokenType.name === 'DOC_COMMENT',
    breaks,
  }
}
