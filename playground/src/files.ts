import { LSPPlugin, type LSPClient, Workspace, type WorkspaceFile } from '@codemirror/lsp-client'
import { ChangeSet, Text, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Definition } from './definition.ts'

const ROOT = 'file:///'

/** The URI of a file, by its path. */
export const uriOf = (path: string): string => ROOT + encodeURI(path)

/** The path of a file, by its URI. */
export const pathOf = (uri: string): string => decodeURI(uri.slice(ROOT.length))

interface OpenFile extends WorkspaceFile {
  view: EditorView | undefined
}

/** How the page shows and keeps the text of a file. */
export interface FileHost {
  /** Shows a file, and returns its editor. */
  readonly show: (path: string) => EditorView
  /** Changes a file that is not shown. */
  readonly changed: (path: string, text: string) => void
}

/** The files of a definition, all of which are open in the language server while one is shown. */
export class Files extends Workspace {
  files: OpenFile[]
  readonly #host: FileHost
  /** Changes of files that are not shown. */
  readonly #changes = new Map<string, ChangeSet>()

  constructor(client: LSPClient, definition: Definition, host: FileHost) {
    super(client)
    this.#host = host
    this.files = definition.map(({ path, text }) => newFile(path, text))
  }

  /** Replaces the definition. */
  replace(definition: Definition): void {
    for (const { uri } of this.files) this.client.didClose(uri)
    this.files = definition.map(({ path, text }) => newFile(path, text))
    for (const file of this.files) this.client.didOpen(file)
  }

  syncFiles(): { file: OpenFile; prevDoc: Text; changes: ChangeSet }[] {
    return this.files.flatMap((file) => {
      const plugin = file.view === undefined ? null : LSPPlugin.get(file.view)
      const shown = plugin?.uri === file.uri ? plugin : undefined
      const changes = shown?.unsyncedChanges ?? this.#changes.get(file.uri)
      if (changes === undefined || changes.empty) return []
      const prevDoc = file.doc
      file.doc = changes.apply(prevDoc)
      file.version++
      shown?.clear()
      this.#changes.delete(file.uri)
      return [{ file, prevDoc, changes }]
    })
  }

  openFile(uri: string, _language: string, view: EditorView): void {
    const file = this.#file(uri)
    if (file !== undefined) file.view = view
  }

  /** The file stays open in the server. */
  closeFile(uri: string): void {
    const file = this.#file(uri)
    if (file !== undefined) file.view = undefined
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const file = this.#file(uri)
    if (file === undefined) return
    if (file.view !== undefined) return file.view.dispatch(update)
    const { changes = [] } = update
    const before = this.#changes.get(uri)
    const doc = before?.apply(file.doc) ?? file.doc
    const set = changes instanceof ChangeSet ? changes : ChangeSet.of(changes, doc.length)
    this.#changes.set(uri, before?.compose(set) ?? set)
    this.#host.changed(pathOf(uri), set.apply(doc).toString())
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return Promise.resolve(this.#file(uri) === undefined ? null : this.#host.show(pathOf(uri)))
  }

  #file(uri: string): OpenFile | undefined {
    return this.files.find((file) => file.uri === uri)
  }
}

function newFile(path: string, text: string): OpenFile {
  const file: OpenFile = {
    uri: uriOf(path),
    languageId: 'portico',
    version: 0,
    doc: Text.of(text.split(/\r?\n/)),
    view: undefined,
    getView: () => file.view ?? null,
  }
  return file
}
