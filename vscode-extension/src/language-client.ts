import type * as vscode from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'
import { LANGUAGE_ID } from './language.ts'

/**
 * The connection to the language server, which is not started yet. This file is a bundle of its own, since it is
 * most of the extension's code and nothing waits for it.
 *
 * @param module the server's script
 */
export function createClient(module: vscode.Uri, output: vscode.LogOutputChannel): LanguageClient {
  return new LanguageClient(
    LANGUAGE_ID,
    'Portico',
    { module: module.fsPath, transport: TransportKind.stdio },
    // Whatever its address is: a document in a virtual workspace or an untitled one is as good as a file.
    { documentSelector: [{ language: LANGUAGE_ID }], outputChannel: output },
  )
}
