import { DefaultLanguageServer } from 'langium/lsp'
import type { InitializeParams, InitializeResult } from 'vscode-languageserver'
import manifest from '../../package.json' with { type: 'json' }

/** Says what the server can do. */
export class PorticoLanguageServer extends DefaultLanguageServer {
  override async initialize(params: InitializeParams): Promise<InitializeResult> {
    const { capabilities } = this.buildInitializeResult(params)
    return {
      capabilities: {
        ...capabilities,
        workspace: {
          ...capabilities.workspace,
          workspaceFolders: { supported: true, changeNotifications: true },
        },
      },
      serverInfo: { name: 'portico', version: manifest.version },
    }
  }
}
