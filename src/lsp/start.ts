import { DocumentState, isOperationCancelled, type LangiumDocument, URI } from 'langium'
import { startLanguageServer } from 'langium/lsp'
import {
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticReportKind,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver'
import { clientCapabilitiesFrom } from './client-capabilities.ts'
import { resolveCodeAction } from './code-actions.ts'
import { serveDefinitions } from './definitions-request.ts'
import { serveDiagrams } from './diagram.ts'
import { linkedEditingRanges } from './rename.ts'
import { diagnosticsDelayFrom } from './editor-settings.ts'
import type { ServerHost } from './host.ts'
import { createLanguageServices } from './module.ts'
import { DiagnosticsPublisher } from './publisher.ts'
import { selectionRanges } from './selection.ts'
import type { DefinitionUpdates } from './workspace.ts'
import type { DocumentView } from './definition-view.ts'

/** Langium throws a symbol, which the protocol's library would report as an internal error. */
const REQUEST_CANCELLED = new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled')

/**
 * Serves a connection until the client closes it.
 *
 * @param host where the server runs
 */
export function serve(client: Connection, host: ServerHost): void {
  const { connection, publisherFor } = withPublisher(client)
  const { shared, portico, editor } = createLanguageServices(connection, host)
  const { LanguageServer } = shared.lsp
  const { Definitions, LangiumDocuments, TextDocuments, DocumentBuilder } = shared.workspace
  const updates = shared.lsp.DocumentUpdateHandler as DefinitionUpdates
  const publisher = publisherFor(new DiagnosticsPublisher(client, TextDocuments))
  publisher.companionsOf = (uri) => Definitions.companions(new Set([URI.parse(uri).toString()]))
  const viewOf = (uri: string): DocumentView | undefined => {
    const document = LangiumDocuments.getDocument(URI.parse(uri))
    return document && Definitions.view(document)
  }
  /** The document of a request, in the version that the request refers to. */
  const documentOf = async (
    uri: string,
    state: DocumentState,
    token?: Parameters<typeof DocumentBuilder.waitUntil>[2],
  ): Promise<LangiumDocument> => {
    const parsed = URI.parse(uri)
    await DocumentBuilder.waitUntil(state, parsed, token).catch((error: unknown) => {
      throw isOperationCancelled(error) ? REQUEST_CANCELLED : error
    })
    return LangiumDocuments.getOrCreateDocument(parsed)
  }
  /** The same, after the files of its definitions that have changed on the disk were read again. */
  const freshDocumentOf = async (
    uri: string,
    token: Parameters<typeof DocumentBuilder.waitUntil>[2],
  ): Promise<LangiumDocument> => {
    const views = Definitions.views(await documentOf(uri, DocumentState.Parsed, token))
    await updates.readChanged(views.flatMap(({ definition }) => [...definition.uris]))
    return documentOf(uri, DocumentState.Validated, token)
  }

  LanguageServer.onInitialize((params) => {
    editor.capabilities = clientCapabilitiesFrom(params.capabilities)
    editor.settings.initialize(params)
    const delay = diagnosticsDelayFrom(params.initializationOptions)
    if (delay !== undefined) publisher.delay = publisher.lineDelay = delay
    publisher.isPulled = params.capabilities.textDocument?.diagnostic !== undefined
    publisher.canRefresh = params.capabilities.workspace?.diagnostics?.refreshSupport === true
  })
  LanguageServer.onInitialized(() => {
    void editor.settings.update()
    connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) =>
      updates.changeFolders(event),
    )
  })
  TextDocuments.onDidOpen(({ document }) => publisher.opened(document.uri))
  connection.onCompletionResolve((item) =>
    portico.lsp.CompletionProvider.resolve(item, (uri) => viewOf(uri)?.result.value),
  )
  connection.onCodeActionResolve((action) => resolveCodeAction(action, viewOf))
  connection.languages.diagnostics.on(async ({ textDocument: { uri } }, token) => {
    let wait = publisher.pauseIn(uri)
    while (wait > 0 && !token.isCancellationRequested) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      // Typing may have gone on.
      wait = publisher.pauseIn(uri)
    }
    const items = await publisher.pulled(uri, async () => {
      const { diagnostics = [] } = await documentOf(uri, DocumentState.Validated, token)
      return diagnostics
    })
    return { kind: DocumentDiagnosticReportKind.Full, items: [...items] }
  })
  connection.onSelectionRanges(async ({ textDocument: { uri }, positions }, token) =>
    selectionRanges(await documentOf(uri, DocumentState.Parsed, token), positions),
  )
  connection.languages.onLinkedEditingRange(async ({ textDocument: { uri }, position }, token) =>
    linkedEditingRanges(Definitions.view(await documentOf(uri, DocumentState.Linked, token)), position),
  )
  serveDefinitions(connection, Definitions, documentOf)
  serveDiagrams(connection, host, Definitions, documentOf)
  connection.onShutdown(() => {
    publisher.stop()
    host.stop()
  })
  startLanguageServer(shared)
  // Editors do not ask again while a word is typed. A request that typing has overtaken is answered in the new text,
  // as incomplete, so that they ask again with the new position.
  connection.onCompletion(async (params, token) => {
    for (let isIncomplete = false; ; isIncomplete = true) {
      try {
        const document = await documentOf(params.textDocument.uri, DocumentState.Linked, token)
        const list = await portico.lsp.CompletionProvider.getCompletion(document, params)
        return list && { ...list, isIncomplete }
      } catch (error) {
        if (!(error instanceof ResponseError) || error.code !== LSPErrorCodes.ContentModified) throw error
      }
    }
  })
  // The edits of both may be in closed files, whose text on the disk they must fit.
  connection.onRenameRequest(async (params, token) =>
    portico.lsp.RenameProvider?.rename(await freshDocumentOf(params.textDocument.uri, token), params, token),
  )
  connection.onCodeAction(async (params, token) =>
    portico.lsp.CodeActionProvider?.getCodeActions(
      await freshDocumentOf(params.textDocument.uri, token),
      params,
      token,
    ),
  )
  // Langium uses the settings in the notification, but a client that supports requests may not send all of them.
  connection.onDidChangeConfiguration((params) => {
    shared.workspace.ConfigurationProvider.updateConfiguration(params)
    void editor.settings.update()
  })
}

/** The connection for Langium. Its published diagnostics and notifications of edits go through a publisher. */
function withPublisher(client: Connection): {
  readonly connection: Connection
  readonly publisherFor: (publisher: DiagnosticsPublisher) => DiagnosticsPublisher
} {
  let publisher: DiagnosticsPublisher | undefined
  const overrides: Pick<Connection, 'sendDiagnostics' | 'onDidChangeTextDocument'> = {
    sendDiagnostics: async (params) => publisher?.publish(params),
    onDidChangeTextDocument: (handler) =>
      client.onDidChangeTextDocument((params) => {
        const last = params.contentChanges.at(-1)
        const line =
          last !== undefined && 'range' in last
            ? last.range.start.line + last.text.split(/\r\n|\n|\r/).length - 1
            : undefined
        publisher?.edited(params.textDocument.uri, line)
        return handler(params)
      }),
  }
  return {
    connection: Object.assign(Object.create(client) as Connection, overrides),
    publisherFor: (made) => (publisher = made),
  }
}
