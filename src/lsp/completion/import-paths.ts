import { isImport } from '../../language/generated/ast.ts'
import type { PorticoServices } from '../../language/module.ts'
import type { DocumentView } from '../definition-view.ts'
import { importableFiles } from '../importable.ts'
import type { CompletionCandidate } from './candidate.ts'
import { cursorInString, readWithString } from './placeholder.ts'

/**
 * The paths that an import can have at an offset in its quotes: other files in the folder of the definition and below
 * that the definition does not have yet. `undefined` outside the quotes of an import.
 */
export function importPathCandidates(
  view: DocumentView,
  offset: number,
  services: PorticoServices,
): readonly CompletionCandidate[] | undefined {
  const cursor = cursorInString(view.result, offset, services)
  if (cursor === undefined || !isImport(readWithString(cursor, services)?.leaf.astNode)) return undefined
  return importableFiles(view, services.shared.workspace.LangiumDocuments)
    .map(({ path }) => path)
    .map((path) => ({
      label: path,
      kind: 'file' as const,
      snippet: path.replace(/[$}\\]/g, '\\$&'),
      span: cursor.word,
      rank: 0,
    }))
}
