import { DefaultLanguageServer } from 'langium/lsp'
import type { InitializeParams, InitializeResult } from 'vscode-languageserver'
import manifest from '../../package.json' with { type: 'json' }
import { CODE_ACTION_KINDS } from './code-actions.ts'

/** Tells the client what the server can do. */
export class PorticoLanguageServer extends DefaultLanguageServer {
  protected override buildInitializeResult(params: InitializeParams): InitializeResult {
    const { capabilities } = super.buildInitializeResult(params)
    return {
      capabilities: {
        ...capabilities,
        codeActionProvider: { codeActionKinds: [...CODE_ACTION_KINDS], resolveProvider: true },
        completionProvider: { ...capabilities.completionProvider, resolveProvider: true },
        diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
        linkedEditingRangeProvider: true,
        selectionRangeProvider: true,
        workspace: {
          ...capabilities.workspace,
          workspaceFolders: { supported: true, changeNotifications: true },
        },
      },
      serverInfo: { name: 'portico', version: manifest.version },
    }
  }
}
