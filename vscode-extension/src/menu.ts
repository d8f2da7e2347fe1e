import * as vscode from 'vscode'
import { activeDefinition } from './definitions.ts'
import type { Platforms } from './platforms.ts'

interface Entry extends vscode.QuickPickItem {
  readonly action?: () => unknown
}

/** What can be done, from the status bar item. */
export async function showMenu(platforms: Platforms): Promise<void> {
  const entries = [...platforms.all.flatMap((platform) => entriesOf(platform)), ...always(platforms)]
  const picked = await vscode.window.showQuickPick(entries, { title: 'Portico' })
  await picked?.action?.()
}

function entriesOf({ name, address, show, stop }: Platforms['all'][number]): Entry[] {
  const copy: Entry[] =
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
    ...copy,
    { label: '$(terminal) Show Terminal', action: show },
    { label: '$(debug-stop) Stop Platform', action: stop },
  ]
}

function always(platforms: Platforms): Entry[] {
  const runs = platforms.all.length > 0
  const trusted = vscode.workspace.isTrusted
  const onDefinition: Entry[] =
    activeDefinition() === undefined
      ? []
      : [
          { label: '$(warning) Show Problems', action: command('workbench.actions.view.problems') },
          { label: '$(type-hierarchy-sub) Show Diagram', action: command('portico.showDiagram') },
          ...(trusted && !runs ? [{ label: '$(play) Run Platform', action: command('portico.run') }] : []),
          ...(trusted ? [{ label: '$(package) Generate', action: command('portico.generate') }] : []),
        ]
  return [
    { label: 'Definition', kind: vscode.QuickPickItemKind.Separator },
    ...onDefinition,
    { label: '$(new-file) New Definition', action: command('portico.newDefinition') },
    { label: '$(output) Show Output', action: command('portico.showOutput') },
    { label: '$(refresh) Restart Language Server', action: command('portico.restartServer') },
  ]
}

function command(name: string): () => Thenable<unknown> {
  return () => vscode.commands.executeCommand(name)
}
