import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { severityOf } from '../diagnostics/diagnostic.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'

/**
 * The diagnostics of files that no definition imports: a hint in each file instead of the blocks that the definition
 * would have.
 */
export function withNotImportedHints(
  { files }: DefinitionParseResult,
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
  const own = diagnostics.filter(({ code }) => code !== 'missing-project' && code !== 'missing-service')
  return [...hints, ...own].toSorted((a, b) => a.range.start.offset - b.range.start.offset)
}
