import path from 'node:path'
import * as vscode from 'vscode'
import type { CommandLine, Program } from './command-line.ts'
import { definitionsInWorkspace } from './definitions.ts'

/** The type of the tasks that the manifest declares. */
export const TASK_TYPE = 'portico'

interface Definition extends vscode.TaskDefinition {
  readonly command?: unknown
  readonly file?: unknown
  readonly args?: unknown
}

const OFFERED = ['validate', 'generate', 'test'] as const

/** Tasks that run the command line on the definitions of the workspace. */
export class PorticoTasks implements vscode.TaskProvider {
  readonly #find: (definition: vscode.Uri) => Promise<CommandLine | undefined>

  constructor(find: (definition: vscode.Uri) => Promise<CommandLine | undefined>) {
    this.#find = find
  }

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return []
    const files = (await definitionsInWorkspace()).filter(({ scheme }) => scheme === 'file')
    const tasks = files.flatMap((uri) => {
      const folder = vscode.workspace.getWorkspaceFolder(uri)
      if (folder === undefined) return []
      const file = path.relative(folder.uri.fsPath, uri.fsPath).replaceAll('\\', '/')
      return OFFERED.map((command) => this.#task({ type: TASK_TYPE, command, file }, folder))
    })
    return (await Promise.all(tasks)).filter((task) => task !== undefined)
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const { scope } = task
    const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0]
    return folder === undefined ? undefined : await this.#task(task.definition, folder)
  }

  /** `undefined` where the definition in tasks.json says too little, or there is no command line. */
  async #task(definition: Definition, folder: vscode.WorkspaceFolder): Promise<vscode.Task | undefined> {
    const { command, file, args = [] } = definition
    if (typeof command !== 'string' || typeof file !== 'string') return undefined
    const found = await this.#find(vscode.Uri.joinPath(folder.uri, file))
    // The command line that the extension brings has no database to test with.
    if (found === undefined || (found.origin === 'bundled' && command === 'test')) return undefined
    const { program } = found
    const options = Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []
    const watches = options.includes('--watch')
    const task = new vscode.Task(
      definition,
      folder,
      `${command} ${file}`,
      TASK_TYPE,
      execution(program, [command, file, ...options], folder.uri.fsPath),
      [watches ? '$portico-watch' : '$portico'],
    )
    task.isBackground = watches
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true }
    if (command !== 'test') task.group = vscode.TaskGroup.Build
    else task.group = vscode.TaskGroup.Test
    return task
  }
}

/** A shell, since VS Code says of other programs that they failed to launch when they find something. */
export function execution(
  { command, args, env }: Program,
  further: readonly string[],
  directory: string,
): vscode.ShellExecution {
  return new vscode.ShellExecution(quoted(command), [...args, ...further].map(quoted), {
    cwd: directory,
    env: { ...env },
  })
}

function quoted(value: string): vscode.ShellQuotedString {
  return { value, quoting: vscode.ShellQuoting.Strong }
}
