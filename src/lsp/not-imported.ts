import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { severityOf } from '../diagnostics/diagnostic.ts'
import { isImportable } from '../language/imports.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { parseStringLiteral } from '../language/string-literal.ts'

/**
 * The diagnostics of files that no definition imports: a hint in each file instead of what their definition would decide.
 */
export function withNotImportedHints(
  { files, text }: DefinitionParseResult,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!diagnostics.some(({ code }) => code === 'missing-project')) return diagnostics
  const hints = files.map(
    (file): Diagnostic => ({
      code: 'not-imported',
      severity: severityOf('not-imported'),
      file: file.path,
      range: file.rangeOf(file.start, file.start),
      message: 'No definition imports this file',
      help: 'import it in the file with the `project` block, or add one here',
      related: [],
      data: undefined,
    }),
  )
  const own = diagnostics.filter(({ code, range }) => {
    const found = text.slice(range.start.offset, range.end.offset)
    // The definition has other blocks, and perhaps a folder further up.
    if (code === 'unknown-type') return !/^[A-Z]/.test(found)
    if (code === 'invalid-import') return !isImportable(parseStringLiteral(found) ?? '')
    return !/^(?:missing-project|missing-service|unknown-service)$/.test(code)
  })
  return [...hints, ...own].toSorted((a, b) => a.range.start.offset - b.range.start.offset)
}
