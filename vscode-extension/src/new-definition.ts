import path from 'node:path'
import * as vscode from 'vscode'
import { DEFAULT_LANGUAGE, type Language, LANGUAGE_CHOICES } from '../../src/language/builtins.ts'
import { kebabCase } from '../../src/naming.ts'
import {
  projectNameFor,
  type StarterAnswers,
  type StarterContent,
  starterDefinition,
} from '../../src/starter.ts'
import { LANGUAGE_ID } from './definitions.ts'

/** Questions stay open if another part of the window takes the focus. */
const KEEP_OPEN = { ignoreFocusOut: true } as const

/**
 * *New Definition*: opens a definition to start from, as an untitled document. The walkthrough passes `example` and gets
 * the example without questions, because it would take the focus from them.
 */
export async function newDefinition(argument?: unknown): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]
  const answers =
    argument === 'example'
      ? ({
          name: projectNameFor(folder?.name ?? ''),
          content: 'example',
          authentication: true,
          language: DEFAULT_LANGUAGE,
        } as const)
      : await ask(folder)
  if (answers === undefined) return
  const file = `${kebabCase(answers.name)}.portico`
  const document = await untitledDocument(folder?.uri, file, starterDefinition(answers))
  await vscode.window.showTextDocument(document, { preview: false })
}

async function ask(folder: vscode.WorkspaceFolder | undefined): Promise<StarterAnswers | undefined> {
  const name = await vscode.window.showInputBox({
    ...KEEP_OPEN,
    title: 'New Definition (1 of 4)',
    prompt: 'Name of the platform',
    value: projectNameFor(folder?.name ?? ''),
    validateInput: (text) =>
      /^[A-Z][A-Za-z0-9]{0,39}$/.test(text)
        ? undefined
        : 'Use at most 40 letters and digits, starting with an uppercase letter, for example BookShop.',
  })
  if (name === undefined) return undefined
  const content = await pick<StarterContent>(
    'New Definition (2 of 4)',
    'Select what the definition starts with',
    [
      ['Example', 'Services with a reference and a struct', 'example'],
      ['Minimal', 'One small service', 'minimal'],
    ],
  )
  if (content === undefined) return undefined
  const authentication = await pick('New Definition (3 of 4)', 'Do users log in?', [
    ['Yes', 'Users own the entities that they create', true],
    ['No', 'Anyone can read and change everything', false],
  ])
  if (authentication === undefined) return undefined
  const language = await pick<Language>(
    'New Definition (4 of 4)',
    'In which language do you write your own code?',
    LANGUAGE_CHOICES.map(({ name: title, description, value }) => [title, description, value]),
  )
  return language === undefined ? undefined : { name, content, authentication, language }
}

/** The document is saved under the file name, unless the workspace has no folder or the file exists. */
async function untitledDocument(
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
  choices: readonly (readonly [label: string, description: string, value: Value])[],
): Promise<Value | undefined> {
  const items = choices.map(([label, description, value]) => ({ label, description, value }))
  return (await vscode.window.showQuickPick(items, { ...KEEP_OPEN, title, placeHolder }))?.value
}
