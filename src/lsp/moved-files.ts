import { posix } from 'node:path'
import { DocumentState, type LangiumDocument, URI, UriUtils } from 'langium'
import type { FileOperationHandler } from 'langium/lsp'
import type { FileRename, RenameFilesParams, TextEdit, WorkspaceEdit } from 'vscode-languageserver'
import { writtenPath } from '../language/imports.ts'
import { propertySpan } from '../language/nodes.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { importedUri } from './definition-view.ts'
import type { PorticoSharedServices } from './definitions.ts'
import { parseResultOf, rangeOf } from './documents.ts'
import type { DefinitionUpdates } from './workspace.ts'

/** Updates imports when files, or the folders that contain them, are moved or renamed. */
export function movedFiles({ lsp, workspace }: PorticoSharedServices): FileOperationHandler {
  return {
    fileOperationOptions: {
      willRename: {
        filters: [
          {
            scheme: 'file',
            pattern: { glob: '**/{*.portico,*.temple,*.templefile,templefile}', matches: 'file' },
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
      const changes: Record<string, TextEdit[]> = {}
      for (const document of workspace.LangiumDocuments.all) {
        if (!(document.parseResult instanceof DefinitionParseResult)) continue
        const edits = editsIn(document, files)
        if (edits.length > 0) changes[document.textDocument.uri] = edits
      }
      return Object.keys(changes).length === 0 ? null : { changes }
    },
  }
}

/** The new paths of the imports in a document. */
function editsIn(document: LangiumDocument, files: readonly FileRename[]): TextEdit[] {
  const folder = UriUtils.dirname(moved(document.uri, files))
  return parseResultOf(document).value.imports.flatMap((node) => {
    const span = propertySpan(node, 'path')
    const before = importedUri(document.uri, writtenPath(node))
    if (span === undefined || before === undefined) return []
    const path = posix.relative(folder.path, moved(before, files).path)
    if (path === posix.normalize(writtenPath(node))) return []
    return [{ range: rangeOf(document, span), newText: JSON.stringify(path) }]
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
