import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { SYNTAX } from '../diagnostics/entries/syntax.ts'
import { printLayout } from './format/printer.ts'
import { formatTokens } from './format/tokens.ts'
import { layoutOf } from './format/tree.ts'
import { checkText } from './parse.ts'

/** A text in the standard layout, or the syntax errors that keep it from being laid out. */
export type FormatResult =
  | { readonly text: string }
  | { readonly text: undefined; readonly diagnostics: readonly Diagnostic[] }

/**
 * Lays a definition out in the standard way. Every comment stays, nothing that the definition means changes,
 * and laying out the result again gives the same text. Lines end in `\n`, or in `\r\n` where the first line of
 * the text does. A text with syntax errors is refused; other errors do no harm.
 */
export function formatText(text: string): FormatResult {
  const diagnostics = checkText(text).diagnostics.filter(({ code }) => Object.hasOwn(SYNTAX, code))
  if (diagnostics.some(({ severity }) => severity === 'error')) return { text: undefined, diagnostics }
  const formatted = printLayout(layoutOf(formatTokens(text)))
  return { text: /^[^\r\n]*\r\n/.test(text) ? formatted.replaceAll('\n', '\r\n') : formatted }
}
