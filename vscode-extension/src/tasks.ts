import path from 'node:path'
import * as vscode from 'vscode'
import type { CommandLine, Program } from './command-line.ts'
import { definitionsInWorkspace } from './definitions.ts'

/** The task type in the manifest. */
export const TASK_TYPE = 'portico'

interface PorticoTaskDefinition extends vscode.TaskDefinition {
  readonly command?: unknown
  readonly file?: unknown
  readonly args?: unknown
}

/** The commands that are offered for each definition. */
const COMMANDS = ['validate', 'generate', 'test'] as const

/** Provides tasks that run the command line for the definitions in the workspace. */
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
      return COMMANDS.map((command) => this.#task({ type: TASK_TYPE, command, file }, folder))
    })
    return (await Promise.all(tasks)).filter((task) => task !== undefined)
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const { scope } = task
    const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0]
    return folder === undefined ? undefined : await this.#task(task.definition, folder)
  }

  /** `undefined` if the entry in tasks.json is incomplete, or no command line is found. */
  async #task(
    definition: PorticoTaskDefinition,
    folder: vscode.WorkspaceFolder,
  ): Promise<vscode.Task | undefined> {
    const { command, file, args = [] } = definition
    if (typeof command !== 'string' || typeof file !== 'string') return undefined
    const commandLine = await this.#find(vscode.Uri.joinPath(folder.uri, file))
    // The command line in the extension cannot run the platforms that it would test.
    if (commandLine === undefined || (commandLine.origin === 'bundled' && command === 'test'))
      return undefined
    const { program } = commandLine
    const options = Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []
    const isBackground = options.includes('--watch')
    const task = new vscode.Task(
      definition,
      folder,
      `${command} ${file}`,
      TASK_TYPE,
      execution(program, [command, file, ...options], folder.uri.fsPath),
      [isBackground ? '$portico-watch' : '$portico'],
    )
    task.isBackground = isBackground
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true }
    task.group = command === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build
    return task
  }
}

/** A shell execution: VS Code reports a process that exits with an error status as one that failed to launch. */
export function execution(
  { command, args, env }: Program,
  extraArgs: readonly string[],
  directory: string,
): vscode.ShellExecution {
  return new vscode.ShellExecution(quoted(command), [...args, ...extraArgs].map(quoted), {
    cwd: directory,
    env: { ...env },
  })
}

function quoted(value: string): vscode.ShellQuotedString {
  return { value, quoting: vscode.ShellQuoting.Strong }
}
