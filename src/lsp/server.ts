import { DefaultLanguageServer, type LangiumSharedServices } from 'langium/lsp'
import type { InitializeParams, InitializeResult } from 'vscode-languageserver'
import manifest from '../../package.json' with { type: 'json' }
import { CODE_ACTION_KINDS } from '../language/editor/code-actions.ts'
import { abilitiesOf, type EditorAbilities } from '../language/editor/client.ts'

/** Says what the server can do. */
export class PorticoLanguageServer extends DefaultLanguageServer {
  readonly #client: { abilities: EditorAbilities }

  /** @param client where what the client can take is written down */
  constructor(services: LangiumSharedServices, client: { abilities: EditorAbilities }) {
    super(services)
    this.#client = client
  }

  override async initialize(params: InitializeParams): Promise<InitializeResult> {
    this.#client.abilities = abilitiesOf(params.capabilities)
    const { capabilities } = this.buildInitializeResult(params)
    return {
      capabilities: {
        ...capabilities,
        codeActionProvider: { codeActionKinds: [...CODE_ACTION_KINDS] },
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
