import posix from 'path-browserify'
import { DocumentState, type LangiumDocument, URI, UriUtils } from 'langium'
import type { FileOperationHandler } from 'langium/lsp'
import {
  type FileRename,
  MessageType,
  type RenameFilesParams,
  ShowMessageNotification,
  type ShowMessageParams,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { writtenPath } from '../language/imports.ts'
import { propertySpan } from '../language/nodes.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { counted } from '../naming.ts'
import { quote } from '../language/quote.ts'
import type { ClientCapabilities } from './client-capabilities.ts'
import { type DocumentView, importedUri } from './definition-view.ts'
import type { PorticoSharedServices } from './definitions.ts'
import { parseResultOf, rangeOf } from './parsed-document.ts'
import { isBelow } from './importable.ts'
import { DEFINITION_FILES, type DefinitionUpdates } from './workspace.ts'

/**
 * Updates imports when files, or the folders that contain them, are moved or renamed. Warns first if one would lead out
 * of the folder of its definition, which is an error.
 */
export function movedFiles(
  { lsp, workspace }: PorticoSharedServices,
  capabilities: () => ClientCapabilities,
): FileOperationHandler {
  return {
    fileOperationOptions: {
      willRename: {
        filters: [
          {
            scheme: 'file',
            pattern: { glob: DEFINITION_FILES, matches: 'file' },
          },
          { scheme: 'file', pattern: { glob: '**/*', matches: 'folder' } },
        ],
      },
    },
    willRenameFiles: async ({ files }: RenameFilesParams): Promise<WorkspaceEdit | null> => {
      await workspace.DocumentBuilder.waitUntil(DocumentState.Parsed)
      await (lsp.DocumentUpdateHandler as DefinitionUpdates).readChanged(
        workspace.LangiumDocuments.all.map(({ textDocument }) => textDocument.uri),
      )
      const changes: Record<string, ImportEdit[]> = {}
      for (const document of workspace.LangiumDocuments.all) {
        if (!(document.parseResult instanceof DefinitionParseResult)) continue
        const edits = editsIn(workspace.Definitions.views(document), document, files)
        if (edits.length > 0) changes[document.textDocument.uri] = edits
      }
      const outside = Object.values(changes).flatMap((edits) => edits.filter(({ isOutside }) => isOutside))
      const [first] = outside
      if (first === undefined) return Object.keys(changes).length === 0 ? null : { changes: plain(changes) }
      const warning = `${counted(outside.length, 'import')} would lead out of the folder of the definition, such as ${quote(first.newText)}`
      if (capabilities().confirmsEdits) return confirmed(changes, warning)
      // `showWarningMessage` would be a request, which an editor may reject.
      await lsp.Connection?.sendNotification(ShowMessageNotification.method, {
        type: MessageType.Warning,
        message: `${warning}.`,
      } satisfies ShowMessageParams)
      return { changes: plain(changes) }
    },
  }
}

/** The new path of an import. */
interface ImportEdit extends TextEdit {
  /** Whether it leads out of the folder of a definition. */
  readonly isOutside: boolean
}

type Changes = Readonly<Record<string, readonly ImportEdit[]>>

function plain(changes: Changes): Record<string, TextEdit[]> {
  return Object.fromEntries(
    Object.entries(changes).map(([uri, edits]) => [
      uri,
      edits.map(({ range, newText }) => ({ range, newText })),
    ]),
  )
}

const OUTSIDE = 'outside'

/** Edits that the user sees and confirms before the files are moved. */
function confirmed(changes: Changes, warning: string): WorkspaceEdit {
  return {
    documentChanges: Object.entries(changes).map(([uri, edits]) => ({
      textDocument: { uri, version: null },
      edits: edits.map(({ range, newText, isOutside }) =>
        isOutside ? { range, newText, annotationId: OUTSIDE } : { range, newText },
      ),
    })),
    changeAnnotations: {
      [OUTSIDE]: { label: warning, needsConfirmation: true, description: 'This is an error' },
    },
  }
}

/** The new paths of the imports in a document. */
function editsIn(
  views: readonly DocumentView[],
  document: LangiumDocument,
  files: readonly FileRename[],
): ImportEdit[] {
  const folder = UriUtils.dirname(moved(document.uri, files))
  const roots = views
    .filter(({ definition }) => definition.hasProject)
    .map(({ definition }) => UriUtils.dirname(moved(definition.main.uri, files)).path)
  return parseResultOf(document).value.imports.flatMap((node) => {
    const span = propertySpan(node, 'path')
    const before = importedUri(document.uri, writtenPath(node))
    if (span === undefined || before === undefined) return []
    const target = moved(before, files).path
    const path = posix.relative(folder.path, target)
    if (path === posix.normalize(writtenPath(node))) return []
    const isOutside = roots.some((root) => !isBelow(posix.relative(root, target)))
    return [{ range: rangeOf(document, span), newText: JSON.stringify(path), isOutside }]
  })
}

/** The new URI of a file. */
function moved(uri: URI, files: readonly FileRename[]): URI {
  const key = uri.toString()
  for (const { oldUri, newUri } of files) {
    const old = URI.parse(oldUri).toString()
    if (key === old) return URI.parse(newUri)
    if (key.startsWith(`${old}/`)) return URI.parse(URI.parse(newUri).toString() + key.slice(old.length))
  }
  return uri
}
