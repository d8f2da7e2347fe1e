import type { SyntaxMessage } from './syntax-message.ts'

/** The text is longer than definitions can be. */
export function definitionTooLarge(): SyntaxMessage {
  return {
    code: 'definition-too-large',
    message: 'The file has more than 4,194,304 characters',
    help: 'check that this is the right file',
  }
}

/** Brackets or blocks inside more than `limit` others. */
export function nestingTooDeep(limit: number): SyntaxMessage {
  return {
    code: 'nesting-too-deep',
    message: `Brackets are nested more than ${limit} levels deep`,
    help: 'check that every bracket is closed',
  }
}

/** Some diagnostics are omitted. */
export function moreDiagnostics(count: number): SyntaxMessage {
  return {
    code: 'too-many-diagnostics',
    message: count === 1 ? '1 more problem is not shown' : `${count} more problems are not shown`,
    help: 'fix the problems above first',
  }
}
