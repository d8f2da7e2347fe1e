import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver'
import { type Edit, lineEndOf } from '../language/fixes/edits.ts'
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
      const newText = withLineEndsOf(definition.result.fileAt(edit.start).text, edit.text)
      const key = JSON.stringify([uri, range, newText])
      if (known.has(key)) continue
      known.add(key)
      ;(changes[uri] ??= []).push({ range, newText })
    }
  }
  return { changes }
}

/** A text, which may come from another file, with the line ends of a file. A file that has both keeps both. */
function withLineEndsOf(file: string, text: string): string {
  if (!/[\r\n]/.test(text)) return text
  const hasBoth = /\r\n/.test(file) && /(?<!\r)\n/.test(file)
  return hasBoth ? text : text.replace(/\r\n|\n|\r/g, lineEndOf(file))
}
