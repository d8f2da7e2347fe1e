import * as vscode from 'vscode'
import { bundledPackage, type ExtensionDirectories, findNpm } from './find-command-line.ts'
import { execution, TASK_TYPE } from './tasks.ts'

/**
 * Offers to install what running platforms requires: Postgres, and the packages that generated services use. The
 * command line itself is in the extension, so that only its dependencies are downloaded. They are installed once, for
 * all workspaces.
 *
 * @returns whether Portico is now installed
 */
export async function offerInstallation(directories: ExtensionDirectories): Promise<boolean> {
  const openSetting = 'Open Setting'
  const npm = findNpm()
  if (npm === undefined) {
    const choice = await vscode.window.showWarningMessage(
      'Running a platform requires npm, to install Postgres and the packages that the services use. Install Node.js 26.1 or later, which includes npm, or set portico.commandLine.path.',
      openSetting,
    )
    if (choice === openSetting) await openCommandLineSetting()
    return false
  }
  const install = 'Install'
  const choice = await vscode.window.showInformationMessage(
    'Running a platform requires Postgres and the packages that the services use. Install them with npm, once for all workspaces?',
    install,
    openSetting,
  )
  if (choice === openSetting) await openCommandLineSetting()
  return choice === install && (await runInstallation(npm, directories))
}

async function openCommandLineSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'portico.commandLine.path')
}

/** Installs the package in the extension, as a copy, into the installation directory. */
async function runInstallation(npm: string, directories: ExtensionDirectories): Promise<boolean> {
  const directory = directories.installation
  await vscode.workspace.fs.createDirectory(directory)
  const args = ['install', '--prefix', directory.fsPath, '--install-links', '--ignore-scripts']
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier']
  const task = new vscode.Task(
    { type: TASK_TYPE, command: 'install' },
    vscode.TaskScope.Workspace,
    'install Portico',
    TASK_TYPE,
    execution(
      { command: npm, args: [], env: {} },
      [...args, ...quiet, bundledPackage(directories).fsPath],
      directory.fsPath,
    ),
    [],
  )
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true }
  const started = await vscode.tasks.executeTask(task)
  const status = await new Promise<number | undefined>((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution: ended, exitCode }) => {
      if (ended !== started) return
      listener.dispose()
      resolve(exitCode)
    })
  })
  if (status === 0) return true
  void vscode.window.showErrorMessage('Could not install Portico. See the terminal for details.')
  return false
}
