import path from 'node:path'
import * as vscode from 'vscode'
import { kebabCase } from '../../src/model/names.ts'
import { projectNameFor, type StarterContent, starterDefinition } from '../../src/starter.ts'
import { LANGUAGE_ID } from './language.ts'

/** Opens a first definition to start from, as an untitled document: where it goes is asked when it is saved. */
export async function newDefinition(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]
  const name = await vscode.window.showInputBox({
    title: 'New Definition (1 of 3)',
    prompt: 'What is the platform called?',
    value: projectNameFor(folder?.name ?? ''),
    validateInput: (text) =>
      /^[A-Z][A-Za-z0-9]{0,39}$/.test(text)
        ? undefined
        : 'At most 40 letters and digits, the first a capital letter: BookShop.',
  })
  if (name === undefined) return
  const content = await pick<StarterContent>('New Definition (2 of 3)', 'What should it begin with?', [
    ['An example', 'Services, a reference and a struct to learn from', 'example'],
    ['One small service', '', 'minimal'],
  ])
  if (content === undefined) return
  const authentication = await pick('New Definition (3 of 3)', 'Do users log in?', [
    ['Yes', 'What a user creates is theirs', true],
    ['No', 'Everything is open to everybody', false],
  ])
  if (authentication === undefined) return
  const text = starterDefinition({ name, content, authentication })
  const file = `${kebabCase(name)}.portico`
  await vscode.window.showTextDocument(await untitled(folder?.uri, file, text))
}

/** With a name to be saved under where it has a folder and no such file is there. */
async function untitled(
  folder: vscode.Uri | undefined,
  file: string,
  text: string,
): Promise<vscode.TextDocument> {
  if (folder?.scheme !== 'file' || (await exists(vscode.Uri.joinPath(folder, file))))
    return await vscode.workspace.openTextDocument({ language: LANGUAGE_ID, content: text })
  const uri = vscode.Uri.from({ scheme: 'untitled', path: path.posix.join(folder.path, file) })
  const edit = new vscode.WorkspaceEdit()
  edit.insert(uri, new vscode.Position(0, 0), text)
  await vscode.workspace.applyEdit(edit)
  return await vscode.workspace.openTextDocument(uri)
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  )
}

async function pick<Value>(
  title: string,
  placeHolder: string,
  choices: readonly (readonly [label: string, detail: string, value: Value])[],
): Promise<Value | undefined> {
  const items = choices.map(([label, detail, value]) => ({ label, description: detail, value }))
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.value
}
