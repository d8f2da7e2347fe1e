import type * as vscode from 'vscode'
import type { LanguageClient } from 'vscode-languageclient/node'

/** The language server that the extension brings. It starts when it is first needed. */
export class Server implements vscode.Disposable {
  readonly #module: vscode.Uri
  readonly #log: vscode.LogOutputChannel
  #client: Promise<LanguageClient> | undefined

  constructor(module: vscode.Uri, log: vscode.LogOutputChannel) {
    this.#module = module
    this.#log = log
  }

  /** Starts it, unless it was started; the promise is kept once it answers. */
  async start(): Promise<void> {
    this.#client ??= this.#start()
    await this.#client
  }

  /** Ends the process, if it still runs, and starts a new one. */
  async restart(): Promise<void> {
    // One that never started is no reason not to try again.
    const running = await this.#client?.catch(() => undefined)
    if (running === undefined) {
      this.#client = undefined
      await this.start()
    } else await running.restart()
  }

  /**
   * Asks the server.
   *
   * @throws what the server answers instead, cancellation included.
   */
  async ask<Answer>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<Answer> {
    this.#client ??= this.#start()
    const client = await this.#client
    return await client.sendRequest<Answer>(method, params, token)
  }

  dispose(): void {
    void this.#client?.then((client) => client.dispose())
  }

  async #start(): Promise<LanguageClient> {
    const { createClient } = await import('./language-client.ts')
    const client = createClient(this.#module, this.#log)
    await client.start()
    return client
  }
}
