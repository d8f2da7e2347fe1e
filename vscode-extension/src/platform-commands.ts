import path from 'node:path'
import * as vscode from 'vscode'
import { freePort } from '../../src/free-port.ts'
import type { CommandLine, Program } from './command-line.ts'
import { chooseDefinition, savedOnDisk, uriOf } from './definitions.ts'
import { commandLineFor, type ExtensionDirectories } from './find-command-line.ts'
import { offerInstallation } from './installation.ts'
import type { PlatformExit } from './platform-terminal.ts'
import type { Platform, Platforms } from './platforms.ts'
import type { Server } from './server.ts'
import { execution, TASK_TYPE } from './tasks.ts'

/** The path of the API explorer on the gateway. */
const EXPLORER_PATH = '/'

/** *Generate*: runs `portico generate` in a terminal, where it can ask questions. */
export async function generate(
  argument: unknown,
  directories: ExtensionDirectories,
  server: Server,
): Promise<void> {
  const target = await resolveTarget(argument, 'Generating', directories, server)
  if (target === undefined) return
  const { file, commandLine } = target
  const name = path.basename(file.fsPath)
  const task = new vscode.Task(
    { type: TASK_TYPE, command: 'generate', file: name },
    vscode.workspace.getWorkspaceFolder(file) ?? vscode.TaskScope.Workspace,
    `generate ${name}`,
    TASK_TYPE,
    execution(commandLine.program, ['generate', name, ...outputOptions(file)], path.dirname(file.fsPath)),
    ['$portico'],
  )
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true }
  await vscode.tasks.executeTask(task)
}

/** *Run Platform*: runs `portico dev` in a terminal, or shows the terminal if the platform already runs. */
export async function run(
  argument: unknown,
  platforms: Platforms,
  directories: ExtensionDirectories,
  server: Server,
): Promise<void> {
  const target = await resolveTarget(argument, 'Running a platform', directories, server)
  if (target === undefined) return
  const { file, commandLine } = target
  const running = platforms.of(file)
  if (running !== undefined) return running.show()
  if (commandLine.origin !== 'bundled') return await start(file, commandLine.program, platforms, [])
  if (await offerInstallation(directories)) await run(file, platforms, directories, server)
}

/** *Stop Platform*: stops the platform of a definition, the only one, or those that the user picks. */
export async function stop(argument: unknown, platforms: Platforms): Promise<void> {
  const uri = uriOf(argument)
  const running = uri && platforms.of(uri)
  for (const platform of running === undefined ? await choosePlatforms(platforms) : [running]) platform.stop()
}

/** *Open API Explorer*: opens the explorer of a running platform in a browser, or offers to run one. */
export async function openApiExplorer(platforms: Platforms): Promise<void> {
  const address = await chooseAddress(platforms)
  if (address === undefined) return
  // In a remote window, this is an address that the local browser can open.
  const url = await vscode.env.asExternalUri(vscode.Uri.parse(`http://${address}${EXPLORER_PATH}`))
  await vscode.env.openExternal(url)
}

async function start(
  file: vscode.Uri,
  program: Program,
  platforms: Platforms,
  extraOptions: readonly string[],
): Promise<void> {
  // The host of a port in a browser contains its number, so a free port is chosen here.
  const port = vscode.workspace.getConfiguration('portico', file).get('run.port', 8080) || (await freePort())
  const options = ['--color', 'always', '--port', String(port), ...outputOptions(file), ...extraOptions]
  const args = [...program.args, 'dev', path.basename(file.fsPath), ...options]
  const env = { ...program.env, PORTICO_ALLOWED_HOSTS: await proxyHost(port) }
  platforms.run(file, { ...program, args, env }, (exit, show) => {
    void reportExit(exit, show, () => start(file, program, platforms, [...extraOptions, '--fresh']))
  })
}

/** The host at which an editor in a browser serves local ports, which the platform must accept; otherwise empty. */
async function proxyHost(port: number): Promise<string> {
  if (vscode.env.uiKind !== vscode.UIKind.Web) return ''
  const { authority } = await vscode.env.asExternalUri(vscode.Uri.parse(`http://localhost:${port}/`))
  return authority.replace(/:\d*$/, '')
}

async function reportExit(
  exit: PlatformExit,
  show: () => void,
  startFresh: () => Promise<void>,
): Promise<void> {
  if (exit.status === 0 || exit.wasStopped) return
  const showTerminal = 'Show Terminal'
  const emptyDatabase = 'Empty the Database and Run'
  // `portico dev` names the option if the definition does not fit the data and no answer helps.
  const actions = /`--fresh`/.test(exit.output) ? [emptyDatabase, showTerminal] : [showTerminal]
  const choice = await vscode.window.showErrorMessage(
    'The platform stopped because of an error. See its terminal for details.',
    ...actions,
  )
  if (choice === showTerminal) show()
  else if (choice === emptyDatabase) await startFresh()
}

interface Target {
  readonly file: vscode.Uri
  readonly commandLine: CommandLine
}

async function resolveTarget(
  argument: unknown,
  purpose: string,
  directories: ExtensionDirectories,
  server: Server,
): Promise<Target | undefined> {
  if (!(await isTrusted(purpose))) return undefined
  const uri = await chooseDefinition(argument, server)
  const file = uri && (await savedOnDisk(uri, purpose))
  if (file === undefined) return undefined
  const commandLine = await commandLineFor(file, directories)
  if (commandLine !== undefined) return { file, commandLine }
  const open = 'Open Setting'
  const choice = await vscode.window.showErrorMessage(
    'The file in the setting portico.commandLine.path does not exist. Correct the path, or clear the setting.',
    open,
  )
  if (choice === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'portico.commandLine.path')
  return undefined
}

/** Whether the extension may start programs in this workspace. Shows a message if not. */
async function isTrusted(purpose: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true
  const manage = 'Manage Workspace Trust'
  const choice = await vscode.window.showWarningMessage(`${purpose} requires a trusted workspace.`, manage)
  if (choice === manage) await vscode.commands.executeCommand('workbench.trust.manage')
  return false
}

function outputOptions(file: vscode.Uri): string[] {
  const output = vscode.workspace.getConfiguration('portico', file).get('output', '').trim()
  return output === '' ? [] : ['--output', output]
}

async function choosePlatforms({ all }: Platforms): Promise<readonly Platform[]> {
  if (all.length < 2) return all
  const items = all.map((platform) => ({
    label: platform.name,
    description: platform.address ?? 'starting',
    platform,
  }))
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: 'Select the platforms to stop',
    canPickMany: true,
  })
  return (picked ?? []).map(({ platform }) => platform)
}

async function chooseAddress({ all }: Platforms): Promise<string | undefined> {
  const ready = all.flatMap(({ address, name }) => (address === undefined ? [] : [{ label: name, address }]))
  if (ready.length > 1) {
    const items = ready.map((one) => ({ ...one, description: one.address }))
    return (await vscode.window.showQuickPick(items, { placeHolder: 'Select a platform' }))?.address
  }
  if (ready[0] !== undefined) return ready[0].address
  if (all.length > 0) {
    void vscode.window.showInformationMessage('The platform is still starting.')
    return undefined
  }
  const runPlatform = 'Run Platform'
  const choice = await vscode.window.showInformationMessage(
    'Start a platform to open the API explorer.',
    runPlatform,
  )
  if (choice === runPlatform) await vscode.commands.executeCommand('portico.run')
  return undefined
}
