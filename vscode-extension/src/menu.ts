import * as vscode from 'vscode'
import { activeDefinition } from './definitions.ts'
import type { Platforms } from './platforms.ts'

interface MenuItem extends vscode.QuickPickItem {
  readonly action?: () => unknown
}

/** Shows the menu of the status bar item. */
export async function showMenu(platforms: Platforms): Promise<void> {
  const items = [...platforms.all.flatMap(platformItems), ...definitionItems(platforms)]
  const picked = await vscode.window.showQuickPick(items, { title: 'Portico' })
  await picked?.action?.()
}

function platformItems({ name, address, show, stop }: Platforms['all'][number]): MenuItem[] {
  const whenReady: MenuItem[] =
    address === undefined
      ? []
      : [
          { label: '$(globe) Open API Explorer', action: command('portico.openApiExplorer') },
          {
            label: '$(copy) Copy Address',
            description: `http://${address}`,
            action: () => vscode.env.clipboard.writeText(`http://${address}`),
          },
        ]
  return [
    { label: name, kind: vscode.QuickPickItemKind.Separator },
    ...whenReady,
    { label: '$(terminal) Show Terminal', action: show },
    { label: '$(debug-stop) Stop Platform', action: stop },
  ]
}

function definitionItems(platforms: Platforms): MenuItem[] {
  const definition = activeDefinition()
  const canRun = vscode.workspace.isTrusted && definition !== undefined
  const isRunning = definition !== undefined && platforms.of(definition.uri) !== undefined
  return [
    { label: 'Definition', kind: vscode.QuickPickItemKind.Separator },
    ...(definition === undefined
      ? []
      : [
          { label: '$(warning) Show Problems', action: command('workbench.actions.view.problems') },
          { label: '$(type-hierarchy-sub) Show Diagram', action: command('portico.showDiagram') },
        ]),
    ...(canRun && !isRunning ? [{ label: '$(play) Run Platform', action: command('portico.run') }] : []),
    ...(canRun ? [{ label: '$(package) Generate', action: command('portico.generate') }] : []),
    { label: '$(new-file) New Definition', action: command('portico.newDefinition') },
    { label: '$(output) Show Output', action: command('portico.showOutput') },
    { label: '$(refresh) Restart Language Server', action: command('portico.restartServer') },
  ]
}

function command(name: string): () => Thenable<unknown> {
  return () => vscode.commands.executeCommand(name)
}
