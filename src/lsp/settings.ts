import {
  type Connection,
  type DidChangeConfigurationParams,
  DidChangeConfigurationNotification,
  type InitializeParams,
} from 'vscode-languageserver'
import { DEFAULT_SETTINGS, type EditorSettings, settingsFrom } from '../language/editor/settings.ts'

/** The section of an editor's settings that is the server's. */
const SECTION = 'portico'

/** The settings of the editor: asked for where it can be asked, else what it sends or gave at the start. */
export class Settings {
  current: EditorSettings = DEFAULT_SETTINGS
  readonly #connection: Connection
  #canAsk = false
  #canRegister = false
  /** Requests that have the editor ask anew for what it shows because of the settings. */
  #refreshes: readonly string[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  initialize({ capabilities: { workspace }, initializationOptions }: InitializeParams): void {
    this.#canAsk = workspace?.configuration === true
    this.#canRegister = workspace?.didChangeConfiguration?.dynamicRegistration === true
    this.#refreshes = [
      ...(workspace?.inlayHint?.refreshSupport === true ? ['workspace/inlayHint/refresh'] : []),
      ...(workspace?.codeLens?.refreshSupport === true ? ['workspace/codeLens/refresh'] : []),
    ]
    this.current = settingsFrom(initializationOptions)
  }

  async initialized(): Promise<void> {
    if (this.#canRegister)
      await this.#connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION })
    if (this.#canAsk) await this.#ask()
  }

  async changed({ settings }: DidChangeConfigurationParams): Promise<void> {
    if (this.#canAsk) await this.#ask()
    else if (typeof settings === 'object' && settings !== null && SECTION in settings)
      await this.#take((settings as Record<string, unknown>)[SECTION])
  }

  async #ask(): Promise<void> {
    await this.#take(await this.#connection.workspace.getConfiguration(SECTION))
  }

  async #take(given: unknown): Promise<void> {
    const before = JSON.stringify(this.current)
    this.current = settingsFrom(given)
    if (JSON.stringify(this.current) === before) return
    for (const request of this.#refreshes) await this.#connection.sendRequest(request)
  }
}
