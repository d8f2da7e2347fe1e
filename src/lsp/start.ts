import {
  addCodeActionHandler,
  addCodeLensHandler,
  addCompletionHandler,
  addDocumentHighlightHandler,
  addDocumentLinkHandler,
  addDocumentSymbolHandler,
  addFindReferencesHandler,
  addFoldingRangeHandler,
  addFormattingHandler,
  addGoToTypeDefinitionHandler,
  addGotoDefinitionHandler,
  addHoverHandler,
  addInlayHintHandler,
  addRenameHandler,
  addSemanticTokenHandler,
  addSignatureHelpHandler,
  addTextDocumentContentRequestHandler,
  addWorkspaceSymbolHandler,
} from 'langium/lsp'
import { DocumentState } from 'langium'
import type { Connection } from 'vscode-languageserver'
import { selectionRanges } from '../language/editor/selection.ts'
import { answerDiagram } from './diagram.ts'
import { stillWanted } from './freshness.ts'
import { compose } from './module.ts'
import { Publisher } from './publisher.ts'

/** Serves a connection until its other end closes it. */
export function serve(connection: Connection): void {
  const { definitions, server, services, settings, workspace } = compose(connection)
  const publisher = new Publisher(connection, definitions)
  definitions.onChange = (snapshot) => publisher.changed(snapshot)
  definitions.onClose = (uri) => {
    publisher.closed(uri)
    void workspace.closed(uri)
  }
  connection.onDidOpenTextDocument((params) => definitions.open(params))
  connection.onDidChangeTextDocument((params) => definitions.change(params))
  connection.onDidCloseTextDocument((params) => definitions.close(params))
  // With a state of a document, requests say whose text has to be the same when they are answered.
  for (const add of HANDLERS) add(connection, services, DocumentState.Validated)
  connection.onSelectionRanges(async ({ textDocument: { uri }, positions }, token) => {
    await stillWanted(definitions, uri, token)
    return selectionRanges(await definitions.find(uri), positions)
  })
  answerDiagram(connection, definitions)
  addWorkspaceSymbolHandler(connection, services)
  connection.onDidChangeWatchedFiles((params) => workspace.filesChanged(params))
  connection.onInitialize((params) => {
    settings.initialize(params)
    workspace.initialize(params)
    return server.initialize(params)
  })
  connection.onInitialized(async () => {
    await settings.initialized()
    await workspace.initialized()
  })
  connection.onShutdown(() => publisher.stop())
  connection.onDidChangeConfiguration((params) => settings.changed(params))
  connection.listen()
}

/** Langium's handlers of requests: each asks the provider of its feature. */
const HANDLERS = [
  addCodeActionHandler,
  addCodeLensHandler,
  addCompletionHandler,
  addDocumentHighlightHandler,
  addDocumentLinkHandler,
  addDocumentSymbolHandler,
  addFindReferencesHandler,
  addFoldingRangeHandler,
  addFormattingHandler,
  addGoToTypeDefinitionHandler,
  addGotoDefinitionHandler,
  addHoverHandler,
  addInlayHintHandler,
  addRenameHandler,
  addSemanticTokenHandler,
  addSignatureHelpHandler,
  addTextDocumentContentRequestHandler,
] as const
