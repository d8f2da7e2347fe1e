import { typeNamed } from '../builtins.ts'
import type { IToken } from './token.ts'

/** Past the last token. */
const NOTHING: IToken = { image: '', startOffset: -1, tokenTypeIdx: -1, tokenType: { name: 'EOF' } }

const WORD = /^[\p{L}_$]/u
const NAME = /^[\p{L}_$+\-.\d]/u

/** Access to tokens by index for parsing invalid text. Past the end, tokens are empty. */
export class TokenCursor {
  readonly tokens: readonly IToken[]
  /** Index of the next token. */
  index = 0

  constructor(tokens: readonly IToken[]) {
    this.tokens = tokens
  }

  at(index: number): IToken {
    return this.tokens[index] ?? NOTHING
  }

  image(index: number): string {
    return this.at(index).image
  }

  /** The offset of a token's start; past the end, of the end of the last one. */
  start(index: number): number {
    return index < this.tokens.length ? this.at(index).startOffset : this.end(this.tokens.length - 1)
  }

  /** The offset of a token's end; 0 before the first. */
  end(index: number): number {
    const token = this.tokens[index]
    return token === undefined ? 0 : token.startOffset + token.image.length
  }

  isWord(index: number): boolean {
    return WORD.test(this.image(index))
  }

  /** Whether it is a word or a number, which may be written as the name of a declaration by mistake. */
  isName(index: number): boolean {
    return NAME.test(this.image(index))
  }

  isPrimitive(index: number): boolean {
    return typeNamed(this.image(index)) !== undefined
  }

  beginsLine(index: number): boolean {
    const token = this.tokens[index]
    const before = this.tokens[index - 1]
    return token === undefined || before === undefined || token.startLine !== before.endLine
  }

  /** The column of a token that is the first on its line; `undefined` for others. */
  indentation(index: number): number | undefined {
    return this.beginsLine(index) ? this.at(index).startColumn : undefined
  }
}
