import {
  type ConfigurationInitializedParams,
  type ConfigurationProvider,
  DefaultConfigurationProvider,
} from 'langium'
import type { Connection, InitializeParams } from 'vscode-languageserver'
import { DEFAULT_SETTINGS, type EditorSettings, settingsFrom } from './editor-settings.ts'

/** The server's section of the editor's settings. */
const SECTION = 'portico'

/** Registers for changes of the settings if the editor supports that. */
export class DefinitionConfigurationProvider extends DefaultConfigurationProvider {
  #canRegister = false

  override initialize(params: InitializeParams): void {
    super.initialize(params)
    this.#canRegister = params.capabilities.workspace?.didChangeConfiguration?.dynamicRegistration === true
  }

  override async initialized(params: ConfigurationInitializedParams): Promise<void> {
    const { register, ...rest } = params
    await super.initialized(this.#canRegister && register !== undefined ? { ...rest, register } : rest)
  }
}

/** The settings of the editor: requested if it supports that, otherwise those that it sent, last or in `initialize`. */
export class Settings {
  current: EditorSettings = DEFAULT_SETTINGS
  readonly #connection: Connection
  #canBeAsked = false
  /** Requests that make the editor refresh what depends on the settings. */
  #refreshes: readonly string[] = []

  constructor(connection: Connection, provider: ConfigurationProvider) {
    this.#connection = connection
    provider.onConfigurationSectionUpdate(({ section, configuration }) => {
      if (section === SECTION && !this.#canBeAsked) void this.#take(configuration)
    })
  }

  initialize({ capabilities: { workspace }, initializationOptions }: InitializeParams): void {
    this.#canBeAsked = workspace?.configuration === true
    this.#refreshes = [
      ...(workspace?.inlayHint?.refreshSupport === true ? ['workspace/inlayHint/refresh'] : []),
      ...(workspace?.codeLens?.refreshSupport === true ? ['workspace/codeLens/refresh'] : []),
    ]
    this.current = settingsFrom(initializationOptions)
  }

  /** The settings may have changed. The notification of the editor may not have all of them. */
  async update(): Promise<void> {
    if (this.#canBeAsked) await this.#take(await this.#connection.workspace.getConfiguration(SECTION))
  }

  async #take(given: unknown): Promise<void> {
    const before = JSON.stringify(this.current)
    this.current = settingsFrom(given)
    if (JSON.stringify(this.current) === before) return
    for (const request of this.#refreshes) await this.#connection.sendRequest(request)
  }
}
