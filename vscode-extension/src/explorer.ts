import * as vscode from 'vscode'
import type { Platforms } from './platforms.ts'

/** Where `portico dev` serves it, at the gateway. */
const EXPLORER = '/'

/** Opens the explorer of the platform that runs in a browser; offers to run one where none does. */
export async function openApiExplorer(platforms: Platforms): Promise<void> {
  const address = await addressToExplore(platforms)
  if (address === undefined) return
  // In a window on another machine this is an address that the browser here can reach.
  const url = await vscode.env.asExternalUri(vscode.Uri.parse(`http://${address}${EXPLORER}`))
  await vscode.env.openExternal(url)
}

async function addressToExplore({ all }: Platforms): Promise<string | undefined> {
  const addresses = all.flatMap(({ address, name }) =>
    address === undefined ? [] : [{ label: name, address }],
  )
  if (addresses.length > 1) {
    const items = addresses.map((one) => ({ ...one, description: one.address }))
    return (await vscode.window.showQuickPick(items, { placeHolder: 'Which platform?' }))?.address
  }
  if (addresses[0] !== undefined) return addresses[0].address
  const message =
    all.length > 0
      ? 'The platform is starting. The status bar shows its address when it answers.'
      : 'The explorer needs a platform that runs.'
  const run = 'Run Platform'
  const answer = await vscode.window.showInformationMessage(message, ...(all.length > 0 ? [] : [run]))
  if (answer === run) await vscode.commands.executeCommand('portico.run')
  return undefined
}
