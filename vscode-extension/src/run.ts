import path from 'node:path'
import * as vscode from 'vscode'
import type { CommandLine, Program } from './command-line.ts'
import { chooseDefinition, savedOnDisk } from './definitions.ts'
import type { Ending } from './platform-terminal.ts'
import type { Platform, Platforms } from './platforms.ts'
import { commandLineFor } from './surroundings.ts'
import { execution, TASK_TYPE } from './tasks.ts'
import { isTrusted } from './trust.ts'

/** `Generate`: a terminal with `portico generate`, which may ask questions there. */
export async function generate(given: unknown, extension: vscode.Uri): Promise<void> {
  const found = await programFor(given, 'Generating', extension)
  if (found === undefined) return
  const { file, commandLine } = found
  const name = path.basename(file.fsPath)
  const task = new vscode.Task(
    { type: TASK_TYPE, command: 'generate', file: name },
    vscode.workspace.getWorkspaceFolder(file) ?? vscode.TaskScope.Workspace,
    `generate ${name}`,
    TASK_TYPE,
    execution(commandLine.program, ['generate', name, ...outputOf(file)], path.dirname(file.fsPath)),
    ['$portico'],
  )
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true }
  await vscode.tasks.executeTask(task)
}

/** `Run Platform`: a terminal with `portico dev`. One that runs already is shown. */
export async function run(given: unknown, platforms: Platforms, extension: vscode.Uri): Promise<void> {
  const found = await programFor(given, 'Running a platform', extension)
  if (found === undefined) return
  const { file, commandLine } = found
  const running = platforms.of(file)
  if (running !== undefined) return running.show()
  if (commandLine.origin === 'bundled') return await offerToInstall(file)
  start(file, commandLine.program, platforms, [])
}

/** `Stop Platform`: the one that runs, or those that the user picks. */
export async function stop(platforms: Platforms): Promise<void> {
  for (const platform of await choosePlatforms(platforms)) platform.stop()
}

function start(file: vscode.Uri, program: Program, platforms: Platforms, further: readonly string[]): void {
  const port = vscode.workspace.getConfiguration('portico', file).get('run.port', 8080)
  const own = ['--color', 'always', '--port', String(port), ...outputOf(file), ...further]
  const args = [...program.args, 'dev', path.basename(file.fsPath), ...own]
  platforms.run(file, { ...program, args }, (ending) => {
    void sayHowItEnded(ending, () => start(file, program, platforms, [...further, '--fresh']))
  })
}

async function sayHowItEnded(ending: Ending, startAfresh: () => void): Promise<void> {
  if (ending.status === 0 || ending.wasStopped) return
  const show = 'Show Terminal'
  const empty = 'Empty the Database and Run'
  // The command line can ask on a terminal alone; without one it says which option is the answer.
  const actions = /`--fresh`/.test(ending.lastLines) ? [empty, show] : [show]
  const answer = await vscode.window.showErrorMessage(
    'The platform has ended. Its terminal says why.',
    ...actions,
  )
  if (answer === show) ending.show()
  else if (answer === empty) startAfresh()
}

interface Found {
  readonly file: vscode.Uri
  readonly commandLine: CommandLine
}

async function programFor(
  given: unknown,
  purpose: string,
  extension: vscode.Uri,
): Promise<Found | undefined> {
  if (!(await isTrusted(purpose))) return undefined
  const uri = await chooseDefinition(given)
  const file = uri && (await savedOnDisk(uri, purpose))
  if (file === undefined) return undefined
  const commandLine = await commandLineFor(file, extension)
  if (commandLine !== undefined) return { file, commandLine }
  const open = 'Open Setting'
  const answer = await vscode.window.showErrorMessage(
    'The setting portico.commandLine.path names a file that is not there. Correct it, or empty it to have the command line looked for.',
    open,
  )
  if (answer === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'portico.commandLine.path')
  return undefined
}

async function offerToInstall(definition: vscode.Uri): Promise<void> {
  const install = 'Install in This Folder'
  const setting = 'Open Setting'
  const answer = await vscode.window.showWarningMessage(
    'Running a platform needs Portico from npm, with its database. It is neither in node_modules nor on the PATH.',
    install,
    setting,
  )
  if (answer === setting)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'portico.commandLine.path')
  if (answer !== install) return
  const folder = vscode.workspace.getWorkspaceFolder(definition)?.uri ?? vscode.Uri.joinPath(definition, '..')
  const terminal = vscode.window.createTerminal({ name: 'Install Portico', cwd: folder })
  terminal.show()
  // The user reads it and presses Enter: nothing is installed without that.
  terminal.sendText('npm install --save-dev portico', false)
}

function outputOf(file: vscode.Uri): string[] {
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
    placeHolder: 'Which platforms are to be stopped?',
    canPickMany: true,
  })
  return (picked ?? []).map(({ platform }) => platform)
}
