import './set-immediate.ts'
import { EmptyFileSystem } from 'langium'
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser'
import { serve } from '../../src/lsp/start.ts'

// The language server of `portico lsp`, in a page. The page opens every file of its definition, so that the server finds
// none elsewhere, and gets the diagram from the compiler.

// The types of this folder are those of pages.
const scope = self as unknown as Worker
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope))
serve(connection, {
  fileSystemProvider: EmptyFileSystem.fileSystemProvider,
  folderOf: () => ({ read: () => ({ reason: 'no such file or directory' }) }),
  isSymlinkOutside: () => false,
  draw: () => Promise.reject(new Error('The page draws the diagram')),
  stop: () => {},
})
