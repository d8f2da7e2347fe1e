import type * as vscode from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'
import { LANGUAGE_ID } from './definitions.ts'

/** The language server that the extension brings, and the connection to it. */
export class Server implements vscode.Disposable {
  readonly #client: LanguageClient
  #started: Promise<void> | undefined

  constructor(module: vscode.Uri, output: vscode.LogOutputChannel) {
    this.#client = new LanguageClient(
      LANGUAGE_ID,
      'Portico',
      // Every part of the address counts: a document in a virtual workspace or an untitled one is as good as a file.
      { module: module.fsPath, transport: TransportKind.stdio },
      { documentSelector: [{ language: LANGUAGE_ID }], outputChannel: output },
    )
  }

  /** Starts it; the promise is kept once it answers. Further calls start nothing. */
  async start(): Promise<void> {
    this.#started ??= this.#client.start()
    await this.#started
  }

  /** Ends the process, if it still runs, and starts a new one. */
  async restart(): Promise<void> {
    if (this.#started === undefined) await this.start()
    else await this.#client.restart()
  }

  /**
   * Asks the server.
   *
   * @throws what the server answers instead, cancellation included.
   */
  async ask<Answer>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<Answer> {
    await this.start()
    return await this.#client.sendRequest<Answer>(method, params, token)
  }

  /** The address of a document as the server knows it. */
  addressOf(uri: vscode.Uri): string {
    return this.#client.code2ProtocolConverter.asUri(uri)
  }

  /** A range of the server as the editor has it. */
  rangeOf(
    range: Parameters<LanguageClient['protocol2CodeConverter']['asRange']>[0],
  ): vscode.Range | undefined {
    return this.#client.protocol2CodeConverter.asRange(range) ?? undefined
  }

  dispose(): void {
    if (this.#started !== undefined) void this.#client.dispose()
  }
}
