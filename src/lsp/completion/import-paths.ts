import { posix } from 'node:path'
import { UriUtils } from 'langium'
import { isImport } from '../../language/generated/ast.ts'
import type { PorticoServices } from '../../language/module.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { DefinitionParseResult } from '../../language/parse-result.ts'
import type { DocumentView } from '../definition-view.ts'
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
  const { definition, document, result } = view
  const cursor = cursorInString(result, offset, services)
  if (cursor === undefined || !isImport(readWithString(cursor, services)?.leaf.astNode)) return undefined
  const documents = services.shared.workspace.LangiumDocuments
  const folder = UriUtils.dirname(document.uri)
  const root = UriUtils.dirname(definition.main.uri)
  return documents.all
    .filter(({ uri, parseResult }) => {
      if (definition.fileOf(uri.toString()) !== undefined) return false
      if (!(parseResult instanceof DefinitionParseResult)) return false
      if (!isBelow(posix.relative(root.path, uri.path))) return false
      return definitionIndex(parseResult.value).project === undefined
    })
    .map(({ uri }) => posix.relative(folder.path, uri.path))
    .toArray()
    .toSorted()
    .map((path) => ({
      label: path,
      kind: 'file' as const,
      snippet: path.replace(/[$}\\]/g, '\\$&'),
      span: cursor.word,
      rank: 0,
    }))
}

/** Whether a path, relative to a folder, leads to something in it. */
function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('../') && !posix.isAbsolute(path)
}
