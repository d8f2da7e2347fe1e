import * as vscode from 'vscode'
import type { FileEvent } from 'vscode-languageclient/node'
import { DEFINITION_FILES, EXCLUDED_FILES, isDefinitionFile } from './definitions.ts'

/** `FileChangeType` of the protocol; importing it would load the client. */
const CREATED = 1
const DELETED = 3

/** Events are collected for this many milliseconds. */
const DELAY_MS = 100

/**
 * Reports folders that were created, renamed, moved or deleted. VS Code reports only the folder, so that watchers for
 * definition files, which the server registers, do not notice. The definitions in a new folder are reported as created;
 * a folder that is gone is reported as deleted.
 */
export function watchFolders(report: (changes: FileEvent[]) => void): vscode.Disposable {
  const created = new Map<string, vscode.Uri>()
  const deleted = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const changes = [...deleted].map((uri): FileEvent => ({ uri, type: DELETED }))
    const folders = [...created.values()]
    deleted.clear()
    created.clear()
    for (const folder of folders)
      for (const file of await definitionsIn(folder)) changes.push({ uri: file.toString(), type: CREATED })
    if (changes.length > 0) report(changes)
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), DELAY_MS)
  }

  // Files of the other definitions change much more often than folders, and the server watches definitions itself.
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false)
  watcher.onDidCreate((uri) => {
    // Installing packages creates tens of thousands of files.
    if (isDefinitionFile(uri) || /\/(?:node_modules|\.git)\//.test(uri.path)) return
    created.set(uri.toString(), uri)
    schedule()
  })
  watcher.onDidDelete((uri) => {
    if (isDefinitionFile(uri)) return
    deleted.add(uri.toString())
    schedule()
  })
  return vscode.Disposable.from(watcher, new vscode.Disposable(() => clearTimeout(timer)))
}

async function definitionsIn(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const isFolder = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  )
  if (!isFolder) return []
  return await vscode.workspace.findFiles(new vscode.RelativePattern(uri, DEFINITION_FILES), EXCLUDED_FILES)
}
