import * as vscode from 'vscode'
import manifest from '../package.json' with { type: 'json' }
import { runLenses, showEndpoints, showReferences } from './code-lenses.ts'
import { LANGUAGE_ID } from './definitions.ts'
import { DIAGRAM_VIEW, Diagrams } from './diagram/diagrams.ts'
import { endDocumentationComments } from './documentation-comments.ts'
import { commandLineFor, type ExtensionDirectories } from './find-command-line.ts'
import { showMenu } from './menu.ts'
import { newDefinition } from './new-definition.ts'
import { generate, openApiExplorer, run, stop } from './platform-commands.ts'
import { Platforms } from './platforms.ts'
import { Server } from './server.ts'
import { StatusBar } from './status-bar.ts'
import { PorticoTasks, TASK_TYPE } from './tasks.ts'
import { validate } from './validate.ts'

/** VS Code calls this once, when one of the extension's contributions is first used. */
export function activate({ extensionUri, globalStorageUri, subscriptions }: vscode.ExtensionContext): void {
  const directories: ExtensionDirectories = {
    extension: extensionUri,
    installation: vscode.Uri.joinPath(globalStorageUri, `portico-${manifest.version}`),
  }
  const log = vscode.window.createOutputChannel('Portico', { log: true })
  const platforms = new Platforms()
  const server = new Server({
    module: vscode.Uri.joinPath(extensionUri, 'portico', 'dist', 'lsp.mjs'),
    log,
    middleware: runLenses(platforms),
  })
  const diagrams = new Diagrams({ extension: extensionUri, server, log })
  const commands: Readonly<Record<string, (...args: never[]) => unknown>> = {
    newDefinition,
    validate: (argument: unknown) => validate(argument, server),
    generate: (argument: unknown) => generate(argument, directories, server),
    run: (argument: unknown) => run(argument, platforms, directories, server),
    stop: (argument: unknown) => stop(argument, platforms),
    openApiExplorer: () => openApiExplorer(platforms),
    showDiagram: (argument: unknown) => diagrams.show(argument),
    exportDiagram: (argument: unknown) => diagrams.export(argument),
    restartServer: () => server.restart(),
    showOutput: () => log.show(),
    showMenu: () => showMenu(platforms),
    showReferences,
    showEndpoints,
  }
  subscriptions.push(
    log,
    server,
    platforms,
    platforms.onDidChange(() => void server.refreshCodeLenses()),
    new StatusBar(platforms),
    vscode.window.registerWebviewPanelSerializer(DIAGRAM_VIEW, diagrams),
    vscode.tasks.registerTaskProvider(
      TASK_TYPE,
      new PorticoTasks((definition) => commandLineFor(definition, directories)),
    ),
    ...Object.entries(commands).map(([name, command]) =>
      vscode.commands.registerCommand(`portico.${name}`, command),
    ),
    endDocumentationComments(),
    startWithFirstDefinition(server, log),
  )
}

/** Starts the server when a definition is opened. Activation does not wait for it. */
function startWithFirstDefinition(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const startFor = ({ languageId }: vscode.TextDocument): void => {
    if (languageId !== LANGUAGE_ID) return
    server
      .start()
      .catch((error: unknown) => log.error(`Could not start the language server: ${String(error)}`))
  }
  const afterActivation = setImmediate(() => {
    for (const document of vscode.workspace.textDocuments) startFor(document)
  })
  const listener = vscode.workspace.onDidOpenTextDocument(startFor)
  return new vscode.Disposable(() => {
    clearImmediate(afterActivation)
    listener.dispose()
  })
}
