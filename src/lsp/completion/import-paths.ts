import { posix } from 'node:path'
import { type LangiumDocuments, UriUtils } from 'langium'
import type { Span } from '../../language/raw-diagnostic.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { DefinitionParseResult } from '../../language/parse-result.ts'
import type { DocumentView } from '../definition-view.ts'
import type { CompletionCandidate } from './candidate.ts'

/** An import up to the cursor in its path. */
const IMPORT_BEFORE = /(?:^|;)[ \t]*import[ \t]*"([^"\n\r]*)$/

/**
 * The paths that an import can have at an offset in its quotes: other files in the folder and below that the definition
 * does not have yet. `undefined` outside the quotes of an import.
 */
export function importPathCandidates(
  view: DocumentView,
  offset: number,
  documents: LangiumDocuments,
): readonly CompletionCandidate[] | undefined {
  const { definition, document, file } = view
  const at = offset - file.start
  const line = file.text.slice(Math.max(0, file.text.lastIndexOf('\n', at - 1) + 1), at)
  const written = IMPORT_BEFORE.exec(line)?.[1]
  if (written === undefined) return undefined
  const rest = /^([^"\n\r]*)"/.exec(file.text.slice(at))?.[1] ?? ''
  const span: Span = { start: offset - written.length, end: offset + rest.length }
  const folder = UriUtils.dirname(document.uri)
  return documents.all
    .filter(({ uri, parseResult }) => {
      if (definition.fileOf(uri.toString()) !== undefined) return false
      if (!(parseResult instanceof DefinitionParseResult)) return false
      return definitionIndex(parseResult.value).project === undefined
    })
    .map(({ uri }) => posix.relative(folder.path, uri.path))
    .filter((path) => path !== '' && !path.startsWith('../') && !posix.isAbsolute(path))
    .toArray()
    .toSorted()
    .map((path) => ({
      label: path,
      kind: 'file' as const,
      snippet: path.replace(/[$}\\]/g, '\\$&'),
      span,
      rank: 0,
    }))
}
