import type { CodeActionProvider } from 'langium/lsp'
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as ProtocolDiagnostic,
  type TextEdit,
} from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { changeOf, type Edit } from '../fixes/fix.ts'
import { fixAll, fixable } from '../fixes/fix-all.ts'
import { fixesOf } from '../fixes/fixes.ts'
import { judgedFixesOf } from '../fixes/judged.ts'
import { refactoringsOf } from '../fixes/refactor/refactorings.ts'
import { type EditorDocument, editorDocument } from './document.ts'

/** Mends everything in a file that has one likeliest mend: what `editor.codeActionsOnSave` asks for. */
export const FIX_ALL = 'source.fixAll.portico'

/** Fixes of more problems at once are offered without being tried, which would take too long. */
const MOST_JUDGED = 10

/** The kinds of action that the server offers, for its capabilities. */
export const CODE_ACTION_KINDS: readonly string[] = [
  CodeActionKind.QuickFix,
  CodeActionKind.RefactorExtract,
  CodeActionKind.RefactorRewrite,
  FIX_ALL,
]

/** Quick fixes of the diagnostics in a range, what can be made of a selection, and mending a whole file. */
export const codeActions: CodeActionProvider = {
  getCodeActions(given, params) {
    const document = editorDocument(given)
    return [
      ...(isWanted(params, CodeActionKind.QuickFix) ? quickFixes(document, params) : []),
      ...(isWanted(params, CodeActionKind.Refactor) ? refactorings(document, params) : []),
      // An editor that asks for everything shows a menu, and there the mends of a whole file are quick fixes.
      ...(params.context.only?.some((kind) => includes(kind, FIX_ALL)) === true
        ? [fixAllAction(document)]
        : []),
    ].filter((action) => action !== undefined)
  },
}

/** Whether a client asks for a kind, one below it or one above it. */
function isWanted({ context: { only } }: CodeActionParams, kind: string): boolean {
  return only === undefined || only.some((asked) => includes(asked, kind) || includes(kind, asked))
}

/** Kinds are hierarchical: `refactor` includes `refactor.extract`. */
function includes(kind: string, other: string): boolean {
  return kind === '' || other === kind || other.startsWith(`${kind}.`)
}

function quickFixes(document: EditorDocument, params: CodeActionParams): (CodeAction | undefined)[] {
  const { textDocument, read } = document
  const start = textDocument.offsetAt(params.range.start)
  const end = textDocument.offsetAt(params.range.end)
  const { diagnostics } = document.checked
  const here = diagnostics.filter(({ range }) => range.start.offset <= end && start <= range.end.offset)
  const fixes = here.flatMap((diagnostic) =>
    (here.length > MOST_JUDGED
      ? fixesOf(diagnostic, read)
      : judgedFixesOf(diagnostic, read, diagnostics)
    ).map((fix) => ({
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      ...mended(diagnostic, params),
      ...(fix.preferred ? { isPreferred: true } : {}),
      edit: workspaceEdit(textDocument, fix.edits),
    })),
  )
  return [...fixes, ...fixesOfAll(document, here)]
}

/** Several problems that can be mended without a look: those like the ones here, and all. */
function fixesOfAll(document: EditorDocument, here: readonly Diagnostic[]): (CodeAction | undefined)[] {
  if (here.length === 0) return []
  const all = fixable(document.checked.diagnostics, document.read)
  const codes = new Set(here.map(({ code }) => code))
  const alike = [...codes].flatMap((code) => {
    const count = all.filter((diagnostic) => diagnostic.code === code).length
    if (count < 2) return []
    return [fileAction(document, `Fix all ${count} of \`${code}\` in this file`, (other) => other === code)]
  })
  const isMixed = new Set(all.map(({ code }) => code)).size > 1
  return [...alike, ...(isMixed ? [fileAction(document, 'Fix all problems in this file')] : [])]
}

function fileAction(
  { textDocument }: EditorDocument,
  title: string,
  isWantedCode?: Parameters<typeof fixAll>[1],
): CodeAction | undefined {
  const text = textDocument.getText()
  const fixed = fixAll(text, isWantedCode)
  if (fixed === text) return undefined
  const edit = changeOf(text, fixed)
  return { title, kind: CodeActionKind.QuickFix, edit: workspaceEdit(textDocument, [edit]) }
}

function fixAllAction({ textDocument }: EditorDocument): CodeAction | undefined {
  const text = textDocument.getText()
  const fixed = fixAll(text)
  if (fixed === text) return undefined
  return {
    title: 'Fix all problems',
    kind: FIX_ALL,
    edit: workspaceEdit(textDocument, [changeOf(text, fixed)]),
  }
}

function refactorings(
  { textDocument, read }: EditorDocument,
  { range, context }: CodeActionParams,
): CodeAction[] {
  const span = { start: textDocument.offsetAt(range.start), end: textDocument.offsetAt(range.end) }
  return refactoringsOf(read, span)
    .filter(({ kind }) => context.only === undefined || context.only.some((asked) => includes(asked, kind)))
    .map(({ title, kind, edits }) => ({ title, kind, edit: workspaceEdit(textDocument, edits) }))
}

/** The client's own diagnostics that an action mends, so that it can show the action beside them. */
function mended(
  { code, message }: Diagnostic,
  { context }: CodeActionParams,
): { diagnostics?: ProtocolDiagnostic[] } {
  const diagnostics = context.diagnostics.filter((shown) => shown.code === code && shown.message === message)
  return diagnostics.length === 0 ? {} : { diagnostics }
}

function workspaceEdit(
  document: TextDocument,
  edits: readonly Edit[],
): { changes: Record<string, TextEdit[]> } {
  const changes = edits.map(({ start, end, text }) => ({
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    newText: text,
  }))
  return { changes: { [document.uri]: changes } }
}
