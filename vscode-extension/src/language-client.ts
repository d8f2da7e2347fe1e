import type * as vscode from 'vscode'
import type { Middleware } from 'vscode-languageclient'
import { CodeLensRequest, LanguageClient, TransportKind } from 'vscode-languageclient/node'
import { LANGUAGE_ID } from './definitions.ts'

/** Without limits, Node lets the garbage of a definition of a thousand services grow to twice the memory. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=768']

/** What a client is created with. */
export interface ClientOptions {
  /** The script of the language server. */
  readonly module: vscode.Uri
  readonly log: vscode.LogOutputChannel
  readonly middleware: Middleware
}

/**
 * Creates a client of the language server, without starting it. This file is a separate bundle, because it is most of
 * the extension's code and activation does not need it.
 */
export function createClient({ module, log, middleware }: ClientOptions): LanguageClient {
  return new LanguageClient(
    LANGUAGE_ID,
    'Portico',
    { module: module.fsPath, transport: TransportKind.stdio, options: { execArgv: NODE_FLAGS } },
    // Any scheme: untitled documents and virtual workspaces work as well as files.
    { documentSelector: [{ language: LANGUAGE_ID }], outputChannel: log, middleware },
  )
}

/** Requests the code lenses of a document again. */
export function refreshCodeLenses(client: LanguageClient, document: vscode.TextDocument): void {
  client.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire()
}
