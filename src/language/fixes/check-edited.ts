import type { DefinitionParseResult } from '../parse-result.ts'
import { type CheckedDefinition, checkParsed, readFiles } from '../parse.ts'
import { applyEdits, type Edit } from './edits.ts'

/** Checks a definition after edits of its files. No edit goes beyond its file. */
export function checkEdited(
  { files, imports }: DefinitionParseResult,
  edits: readonly Edit[],
): CheckedDefinition {
  const editedFiles = files.map(({ path, text, start, end }) => ({
    path,
    text: applyEdits(
      text,
      edits
        .filter((edit) => edit.start >= start && edit.end <= end)
        .map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    ),
  }))
  return checkParsed(readFiles({ files: editedFiles, imports }))
}
