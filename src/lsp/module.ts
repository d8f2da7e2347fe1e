import type { LangiumSharedServices } from 'langium/lsp'
import type { CancellationToken, Connection } from 'vscode-languageserver'
import type { URI } from 'vscode-uri'
import { abilitiesOf } from '../language/editor/client.ts'
import { Definitions } from './definitions.ts'
import { explanations } from './explanations.ts'
import { features } from './features.ts'
import { stillWanted } from './freshness.ts'
import { PorticoLanguageServer } from './server.ts'
import { Settings } from './settings.ts'
import { Workspace } from './workspace.ts'

/** The parts of a server that belong together. */
export interface Composition {
  readonly definitions: Definitions
  /** What Langium's request handlers ask for. */
  readonly services: LangiumSharedServices
  readonly server: PorticoLanguageServer
  readonly settings: Settings
  readonly workspace: Workspace
}

/**
 * Composes the server for a connection. Langium's protocol layer is used as it is, with its provider
 * interfaces; its documents and builds are not: a definition is read and checked as a whole, in one go, by the
 * functions that the command line uses, so there are no phases to wait for and nothing to index.
 */
export function compose(connection: Connection): Composition {
  const definitions = new Definitions()
  const settings = new Settings(connection)
  const workspace = new Workspace(connection, definitions)
  const client = { abilities: abilitiesOf() }
  const language = {
    lsp: features({ settings: () => settings.current, abilities: () => client.abilities }),
  }
  const services = {
    ServiceRegistry: { all: [language], hasServices: () => true, getServices: () => language },
    lsp: {
      Connection: connection,
      DocumentUpdateHandler: {},
      TextDocumentContentProvider: explanations,
      WorkspaceSymbolProvider: workspace.symbols,
    },
    workspace: {
      DocumentBuilder: {
        waitUntil: (_state: number, uri?: URI | CancellationToken, token?: CancellationToken) =>
          uri !== undefined && 'scheme' in uri
            ? stillWanted(definitions, uri.toString(), token)
            : stillWanted(definitions, undefined, uri),
      },
      LangiumDocuments: { getOrCreateDocument: (uri: URI) => definitions.find(uri.toString()) },
      WorkspaceLock: { read: async <T>(action: () => T | Promise<T>) => action() },
      WorkspaceManager: { ready: Promise.resolve() },
    },
  } as unknown as LangiumSharedServices
  const server = new PorticoLanguageServer(services, client)
  return { definitions, services, server, settings, workspace }
}
