import type { LangiumDocument, LangiumDocuments } from 'langium'
import type { CodeActionProvider } from 'langium/lsp'
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver'
import { type DiagnosticCode, isDiagnosticCode } from '../diagnostics/catalogue.ts'
import { type Diagnostic, messageWithHelp } from '../diagnostics/diagnostic.ts'
import { minimalEdit } from '../language/fixes/edits.ts'
import { fixableDiagnostics, fixFile } from '../language/fixes/fix-all.ts'
import { alternative, type Fix, preferred } from '../language/fixes/fix.ts'
import { fixesOf } from '../language/fixes/fixes.ts'
import { refactoringsOf } from '../language/fixes/refactor/refactorings.ts'
import { validatedFixesOf } from '../language/fixes/validated.ts'
import type { ClientCapabilities } from './client-capabilities.ts'
import type { DocumentView } from './definition-view.ts'
import type { Definitions } from './definitions.ts'
import { addingImport, importableServices } from './importable.ts'
import { workspaceEdit } from './workspace-edits.ts'

/** Applies every preferred fix in a file. `editor.codeActionsOnSave` requests this kind. */
export const FIX_ALL = 'source.fixAll.portico'

/** With more problems in the range, fixes are offered without validation, which would take too long. */
const MAX_VALIDATED = 10

/** The kinds of actions that the server announces. */
export const CODE_ACTION_KINDS: readonly string[] = [
  CodeActionKind.QuickFix,
  CodeActionKind.RefactorExtract,
  CodeActionKind.RefactorRewrite,
  FIX_ALL,
]

/** The data from which the edit of a chosen action is computed. */
interface FixAllData {
  readonly uri: string
  /** Only diagnostics of this code; all without it. */
  readonly code?: DiagnosticCode
}

/** Quick fixes of the diagnostics in a range, refactorings of a selection, and fixes of a whole file. */
export function codeActions(
  definitions: Definitions,
  documents: LangiumDocuments,
  capabilities: () => ClientCapabilities,
): CodeActionProvider {
  return {
    getCodeActions(document, params) {
      const view = definitions.view(document)
      const actions = [
        ...(isWanted(params, CodeActionKind.QuickFix)
          ? quickFixes(definitions.views(document), documents, params)
          : []),
        ...(isWanted(params, CodeActionKind.Refactor) ? refactorings(view, params) : []),
        // A request for all kinds is for a menu, in which fixes of a whole file are quick fixes.
        ...(params.context.only?.some((kind) => includes(kind, FIX_ALL)) === true
          ? [fixAllAction(document, 'Fix all problems in this file', FIX_ALL)]
          : []),
      ]
      if (capabilities().resolvesEdits) return actions
      return actions
        .map((action) => resolveCodeAction(action, () => view))
        .filter(({ edit }) => edit !== undefined)
    },
  }
}

/**
 * Computes the edit of an action that has none yet: fixing a whole file takes too long for opening a menu.
 *
 * @param viewOf returns the document with a URI if it is still open
 */
export function resolveCodeAction(
  action: CodeAction,
  viewOf: (uri: string) => DocumentView | undefined,
): CodeAction {
  const data: unknown = action.data
  const view = isFixAllData(data) ? viewOf(data.uri) : undefined
  if (!isFixAllData(data) || view === undefined) return action
  const { definition, file, result } = view
  const isFixed = (code: DiagnosticCode): boolean =>
    (data.code === undefined || code === data.code) &&
    // A definition may be going to import the file.
    (definition.hasProject || (code !== 'missing-project' && code !== 'missing-service'))
  const fixed = fixFile(result, file.path, isFixed)
  if (fixed === file.text) return action
  const { start, end, text } = minimalEdit(file.text, fixed)
  const edit = { start: start + file.start, end: end + file.start, text }
  return { ...action, edit: workspaceEdit([definition, [edit]]) }
}

function isFixAllData(data: unknown): data is FixAllData {
  if (typeof data !== 'object' || data === null || !('uri' in data) || typeof data.uri !== 'string')
    return false
  return !('code' in data) || (typeof data.code === 'string' && isDiagnosticCode(data.code))
}

/** Whether a client requests a kind, one of its parents or one of its children. */
function isWanted({ context: { only } }: CodeActionParams, kind: string): boolean {
  return only === undefined || only.some((asked) => includes(asked, kind) || includes(kind, asked))
}

/** Kinds are hierarchical: `refactor` includes `refactor.extract`. */
function includes(kind: string, other: string): boolean {
  return kind === '' || other === kind || other.startsWith(`${kind}.`)
}

function quickFixes(
  views: readonly DocumentView[],
  documents: LangiumDocuments,
  params: CodeActionParams,
): CodeAction[] {
  const fixes = new Map<string, CodeAction>()
  for (const view of views)
    for (const action of fixesIn(view, documents, params)) {
      const key = JSON.stringify([action.title, action.edit])
      if (!fixes.has(key)) fixes.set(key, action)
    }
  const [first] = views
  return [...fixes.values(), ...(first === undefined ? [] : fixesOfFile(first, diagnosticsAt(first, params)))]
}

function fixesIn(view: DocumentView, documents: LangiumDocuments, params: CodeActionParams): CodeAction[] {
  const here = diagnosticsAt(view, params)
  const fixesFor = here.length > MAX_VALIDATED ? fixesOf : validatedFixesOf
  return here.flatMap((diagnostic) => {
    const imports = importFixes(diagnostic, view, documents)
    // A name that a file declares as it is written is not a misspelled one.
    const others = fixesFor(diagnostic, view.result).map((fix) =>
      imports.length === 0 ? fix : { ...fix, preferred: false },
    )
    return [...imports, ...others].map((fix) => ({
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      ...fixedDiagnostics(diagnostic, params),
      ...(fix.preferred ? { isPreferred: true } : {}),
      edit: workspaceEdit([view.definition, fix.edits]),
    }))
  })
}

/** Imports of the files that declare an unknown service. */
function importFixes({ code, range }: Diagnostic, view: DocumentView, documents: LangiumDocuments): Fix[] {
  if (code !== 'unknown-type' && code !== 'unknown-service') return []
  const unknown = view.result.text.slice(range.start.offset, range.end.offset)
  const found = importableServices(view, documents).filter(({ name }) => name === unknown)
  const fix = found.length === 1 ? preferred : alternative
  return found.map(({ path }) => fix(`Import \`${path}\``, addingImport(view, path)))
}

function diagnosticsAt(view: DocumentView, { range: requested }: CodeActionParams): readonly Diagnostic[] {
  const { start, end } = view.spanOf(requested)
  return view.diagnostics().filter(({ range }) => range.start.offset <= end && start <= range.end.offset)
}

/** Actions that fix several problems at once: all with the same code, and all. */
function fixesOfFile(view: DocumentView, here: readonly Diagnostic[]): CodeAction[] {
  if (here.length === 0) return []
  const all = fixableDiagnostics(view.diagnostics(), view.result)
  const alike = [...new Set(here.map(({ code }) => code))].flatMap((code) => {
    const count = all.filter((diagnostic) => diagnostic.code === code).length
    const title = `Fix all ${count} \`${code}\` problems in this file`
    return count < 2 ? [] : [fixAllAction(view.document, title, CodeActionKind.QuickFix, code)]
  })
  const isMixed = new Set(all.map(({ code }) => code)).size > 1
  return [
    ...alike,
    ...(isMixed
      ? [fixAllAction(view.document, 'Fix all problems in this file', CodeActionKind.QuickFix)]
      : []),
  ]
}

function fixAllAction(
  { textDocument: { uri } }: LangiumDocument,
  title: string,
  kind: string,
  code?: DiagnosticCode,
): CodeAction {
  const data: FixAllData = code === undefined ? { uri } : { uri, code }
  return { title, kind, data }
}

function refactorings(view: DocumentView, { range, context }: CodeActionParams): CodeAction[] {
  return refactoringsOf(view.result, view.spanOf(range))
    .filter(({ kind }) => context.only === undefined || context.only.some((asked) => includes(asked, kind)))
    .map(({ title, kind, edits }) => ({ title, kind, edit: workspaceEdit([view.definition, edits]) }))
}

/** The client's diagnostics that an action fixes, so that it can show the action with them. */
function fixedDiagnostics(
  diagnostic: Diagnostic,
  { context }: CodeActionParams,
): { diagnostics?: ProtocolDiagnostic[] } {
  const message = messageWithHelp(diagnostic)
  const diagnostics = context.diagnostics.filter(
    (shown) => shown.code === diagnostic.code && shown.message === message,
  )
  return diagnostics.length === 0 ? {} : { diagnostics }
}
