import * as vscode from 'vscode'
import { LANGUAGE_ID } from './definitions.ts'

const EMPTY_COMMENT = /^\s*\/\/\/\s*$/
const COMMENT = /^\s*\/\/\//

/**
 * Ends a documentation comment when Enter is pressed on an empty line of it: the marker `///` is removed, and the cursor
 * stays on that line. The rules in language-configuration.json can add text on Enter, but not remove it.
 */
export function endDocumentationComments(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(async ({ document, contentChanges, reason }) => {
    const [change, ...others] = contentChanges
    if (document.languageId !== LANGUAGE_ID || change === undefined || others.length > 0) return
    if (reason !== undefined || !/^\r?\n[ \t]*$/.test(change.text) || !change.range.isEmpty) return
    const line = change.range.start.line
    if (line === 0 || !EMPTY_COMMENT.test(document.lineAt(line).text)) return
    if (!COMMENT.test(document.lineAt(line - 1).text)) return
    const editor = vscode.window.activeTextEditor
    if (editor?.document !== document) return
    const marker = new vscode.Range(line, 0, line + 1, 0)
    await editor.edit((edit) => edit.delete(marker), { undoStopBefore: false, undoStopAfter: false })
  })
}
