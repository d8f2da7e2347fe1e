import type { LexerResult } from 'langium'

// Chevrotain's types, which Langium does not export by name. An import of Chevrotain could be of another version.

/** A token, with its text and its position. */
export type IToken = LexerResult['tokens'][number]

/** What the grammar distinguishes tokens by. */
export type TokenType = IToken['tokenType']

/** Characters that belong to no token. */
export type ILexingError = LexerResult['errors'][number]
