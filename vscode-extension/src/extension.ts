import * as vscode from 'vscode'
import { LANGUAGE_ID } from './language.ts'
import { DIAGRAM_VIEW, Diagrams } from './diagram/diagrams.ts'
import { openApiExplorer } from './explorer.ts'
import { Server } from './server.ts'
import { showEndpoints, showReferences } from './lenses.ts'
import { showMenu } from './menu.ts'
import { newDefinition } from './new-definition.ts'
import { Platforms } from './platforms.ts'
import { generate, run, stop } from './run.ts'
import { StatusBar } from './status-bar.ts'
import { commandLineFor } from './surroundings.ts'
import { PorticoTasks, TASK_TYPE } from './tasks.ts'
import { validate } from './validate.ts'

/** Called by VS Code, once, when something that the manifest declares is first used. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Portico', { log: true })
  const server = new Server(vscode.Uri.joinPath(extensionUri, 'portico', 'dist', 'lsp.mjs'), log)
  const platforms = new Platforms()
  const diagrams = new Diagrams({ extension: extensionUri, server, log })
  const commands: Readonly<Record<string, (...given: never[]) => unknown>> = {
    newDefinition,
    validate: (given: unknown) => validate(given, server),
    generate: (given: unknown) => generate(given, extensionUri),
    run: (given: unknown) => run(given, platforms, extensionUri),
    stop: () => stop(platforms),
    openApiExplorer: () => openApiExplorer(platforms),
    showDiagram: (given: unknown) => diagrams.show(given),
    exportDiagram: (given: unknown) => diagrams.export(given),
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
    new StatusBar(platforms),
    vscode.window.registerWebviewPanelSerializer(DIAGRAM_VIEW, diagrams),
    vscode.tasks.registerTaskProvider(
      TASK_TYPE,
      new PorticoTasks((definition) => commandLineFor(definition, extensionUri)),
    ),
    ...Object.entries(commands).map(([name, command]) =>
      vscode.commands.registerCommand(`portico.${name}`, command),
    ),
    startWithFirstDefinition(server, log),
  )
}

/** A window without a definition needs no server. Nothing waits for it to start. */
function startWithFirstDefinition(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const look = ({ languageId }: vscode.TextDocument): void => {
    if (languageId !== LANGUAGE_ID) return
    server.start().catch((error: unknown) => log.error(`The language server did not start: ${String(error)}`))
  }
  const first = setImmediate(() => {
    for (const document of vscode.workspace.textDocuments) look(document)
  })
  const later = vscode.workspace.onDidOpenTextDocument(look)
  return new vscode.Disposable(() => {
    clearImmediate(first)
    later.dispose()
  })
}
