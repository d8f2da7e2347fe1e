import { type DeepPartial, inject, type LangiumSharedCoreServices, type Module } from 'langium'
import {
  createDefaultModule,
  createDefaultSharedModule,
  type LangiumServices,
  type PartialLangiumServices,
} from 'langium/lsp'
import type { Connection } from 'vscode-languageserver'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from '../language/generated/module.ts'
import { PorticoModule, type PorticoServices } from '../language/module.ts'
import { CHECKS } from '../language/validation/checks.ts'
import { type ClientCapabilities, clientCapabilitiesFrom } from './client-capabilities.ts'
import { codeActions } from './code-actions.ts'
import { codeLenses } from './code-lenses.ts'
import { DefinitionCompletionProvider } from './completion/completion-provider.ts'
import { Definitions, type PorticoSharedServices } from './definitions.ts'
import { LspDefinitionValidator } from './diagnostics.ts'
import {
  DefinitionDocumentBuilder,
  DefinitionDocumentFactory,
  NO_REFERENCES,
  NO_SYMBOLS,
} from './documents.ts'
import { explanationProvider } from './explanations.ts'
import { folding } from './folding.ts'
import { formatting } from './formatting.ts'
import type { ServerHost } from './host.ts'
import { hover } from './hover.ts'
import { inlayHints } from './inlay-hints.ts'
import { movedFiles } from './moved-files.ts'
import { definition, documentHighlight, documentLinks, references, typeDefinition } from './navigation.ts'
import { documentSymbols, workspaceSymbols } from './outline.ts'
import { rename } from './rename.ts'
import { DefinitionSemanticTokenProvider } from './semantic-tokens.ts'
import { PorticoLanguageServer } from './server.ts'
import { DefinitionConfigurationProvider, Settings } from './settings.ts'
import { DefinitionSignatureHelp } from './signature-help.ts'
import { DefinitionUpdates, DefinitionWorkspace } from './workspace.ts'

/** What features know about the editor. */
export interface Editor {
  /** Its capabilities, which are known after `initialize`. */
  capabilities: ClientCapabilities
  /** The current settings. */
  readonly settings: Settings
}

interface AddedServices {
  readonly lsp: { readonly CompletionProvider: DefinitionCompletionProvider }
}

/** Langium's and Portico's services of the language. */
export type PorticoLanguageServices = LangiumServices &
  PorticoServices &
  AddedServices & { readonly shared: PorticoSharedServices }

/** The services of a language server on a connection: Langium's and Portico's. */
export function createLanguageServices(
  connection: Connection,
  host: ServerHost,
): {
  readonly shared: PorticoSharedServices
  readonly portico: PorticoLanguageServices
  readonly editor: Editor
} {
  const shared = inject(
    createDefaultSharedModule({ connection, fileSystemProvider: host.fileSystemProvider }),
    PorticoGeneratedSharedModule,
    sharedModule(host, () => editor.capabilities),
  )
  const editor: Editor = {
    capabilities: clientCapabilitiesFrom(),
    settings: new Settings(connection, shared.workspace.ConfigurationProvider),
  }
  const portico = inject(
    createDefaultModule({ shared }),
    PorticoGeneratedModule,
    PorticoModule,
    languageModule(editor),
  )
  shared.ServiceRegistry.register(portico)
  portico.validation.ValidationRegistry.register(CHECKS)
  return { shared, portico, editor }
}

function sharedModule(
  host: ServerHost,
  capabilities: () => ClientCapabilities,
): Module<PorticoSharedServices, DeepPartial<PorticoSharedServices>> {
  return {
    lsp: {
      FileOperationHandler: (services) => movedFiles(services, capabilities),
      DocumentUpdateHandler: (services) => new DefinitionUpdates(services),
      LanguageServer: (services) => new PorticoLanguageServer(services),
      TextDocumentContentProvider: () => explanationProvider,
      WorkspaceSymbolProvider: (services) => workspaceSymbols(services),
    },
    workspace: {
      ConfigurationProvider: (services) => new DefinitionConfigurationProvider(services),
      Definitions: (services) => new Definitions(services, host),
      DocumentBuilder: (services) => new DefinitionDocumentBuilder(services),
      LangiumDocumentFactory: (services) => new DefinitionDocumentFactory(services),
      WorkspaceManager: (services: LangiumSharedCoreServices) => new DefinitionWorkspace(services),
    },
  }
}

/**
 * The features of the server. Each provider is a file in this folder. Providers that are not registered here are not
 * announced to the client.
 */
function languageModule(
  editor: Editor,
): Module<PorticoLanguageServices, PartialLangiumServices & AddedServices> {
  const capabilities = (): ClientCapabilities => editor.capabilities
  const settings = () => editor.settings.current
  const definitionsIn = ({ shared }: PorticoLanguageServices): Definitions => shared.workspace.Definitions
  return {
    references: { ScopeComputation: () => NO_SYMBOLS },
    workspace: { ReferenceDescriptionProvider: () => NO_REFERENCES },
    validation: {
      DocumentValidator: (services: PorticoLanguageServices) =>
        new LspDefinitionValidator(services, definitionsIn(services)),
    },
    lsp: {
      CodeActionProvider: (services: PorticoLanguageServices) =>
        codeActions(definitionsIn(services), services.shared.workspace.LangiumDocuments, capabilities),
      CodeLensProvider: (services: PorticoLanguageServices) => codeLenses(definitionsIn(services), settings),
      CompletionProvider: (services: PorticoLanguageServices) =>
        new DefinitionCompletionProvider(services, definitionsIn(services), capabilities),
      DefinitionProvider: (services: PorticoLanguageServices) => definition(definitionsIn(services)),
      DocumentHighlightProvider: (services: PorticoLanguageServices) =>
        documentHighlight(definitionsIn(services)),
      DocumentLinkProvider: () => documentLinks,
      DocumentSymbolProvider: () => documentSymbols,
      FoldingRangeProvider: () => folding,
      Formatter: (services: PorticoLanguageServices) => formatting(services.shared),
      HoverProvider: (services: PorticoLanguageServices) => hover(definitionsIn(services), capabilities),
      InlayHintProvider: (services: PorticoLanguageServices) => inlayHints(definitionsIn(services), settings),
      ReferencesProvider: (services: PorticoLanguageServices) => references(definitionsIn(services)),
      RenameProvider: (services: PorticoLanguageServices) => rename(definitionsIn(services)),
      SemanticTokenProvider: (services: PorticoLanguageServices) =>
        new DefinitionSemanticTokenProvider(definitionsIn(services)),
      SignatureHelp: (services: PorticoLanguageServices) =>
        new DefinitionSignatureHelp(services, definitionsIn(services), capabilities),
      TypeProvider: (services: PorticoLanguageServices) => typeDefinition(definitionsIn(services)),
    },
  }
}
