import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver'
import type { Edit } from '../language/fixes/edits.ts'
import type { Definition } from './definition-view.ts'

/** Edits of definitions in the protocol's form, by file. The same edit in several definitions is made once. */
export function workspaceEdit(
  ...parts: readonly (readonly [definition: Definition, edits: readonly Edit[]])[]
): Required<Pick<WorkspaceEdit, 'changes'>> {
  const changes: Record<string, TextEdit[]> = {}
  const known = new Set<string>()
  for (const [definition, edits] of parts) {
    for (const edit of edits) {
      const { uri, range } = definition.locationOf(edit)
      const key = JSON.stringify([uri, range, edit.text])
      if (known.has(key)) continue
      known.add(key)
      ;(changes[uri] ??= []).push({ range, newText: edit.text })
    }
  }
  return { changes }
}
