import * as vscode from 'vscode'
import type { FileEvent, LanguageClient } from 'vscode-languageclient/node'
import type { ClientOptions } from './language-client.ts'
import { LANGUAGE_ID } from './definitions.ts'
import { watchFolders } from './folder-watcher.ts'

/** The language server in the extension. It starts when it is first needed. */
export class Server implements vscode.Disposable {
  readonly #options: ClientOptions
  #client: Promise<LanguageClient> | undefined
  #watcher: vscode.Disposable | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Starts the server if it is not running, and waits until it is ready. */
  async start(): Promise<void> {
    this.#client ??= this.#start()
    await this.#client
  }

  /** Stops the server if it is running, and starts it again. */
  async restart(): Promise<void> {
    // A server that failed to start is started like a new one.
    const client = await this.#client?.catch(() => undefined)
    if (client === undefined) {
      this.#client = undefined
      await this.start()
    } else await client.restart()
  }

  /**
   * Sends a request.
   *
   * @throws the error in the response, also if the request was cancelled
   */
  async request<Result>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<Result> {
    this.#client ??= this.#start()
    const client = await this.#client
    return await client.sendRequest<Result>(method, params, token)
  }

  /** Requests the code lenses of the visible definitions again. */
  async refreshCodeLenses(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    if (client === undefined) return
    const { refreshCodeLenses } = await import('./language-client.ts')
    const document = vscode.window.visibleTextEditors
      .map((editor) => editor.document)
      .find(({ languageId }) => languageId === LANGUAGE_ID)
    if (document !== undefined) refreshCodeLenses(client, document)
  }

  dispose(): void {
    this.#watcher?.dispose()
    void this.#client?.then((client) => client.dispose())
  }

  async #start(): Promise<LanguageClient> {
    const { createClient } = await import('./language-client.ts')
    const client = createClient(this.#options)
    await client.start()
    this.#watcher ??= watchFolders((changes: FileEvent[]) => {
      if (client.isRunning()) void client.sendNotification('workspace/didChangeWatchedFiles', { changes })
    })
    return client
  }
}
