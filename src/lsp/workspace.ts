import { DefaultWorkspaceManager, type FileSystemNode, type LangiumDocument, URI, UriUtils } from 'langium'
import { DefaultDocumentUpdateHandler } from 'langium/lsp'
import {
  type DidChangeWatchedFilesParams,
  type FileSystemWatcher,
  FileChangeType,
  type InitializeParams,
  type TextDocumentChangeEvent,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { isSystemError } from '../system-error.ts'
import type { PorticoSharedServices } from './definitions.ts'

/** The glob pattern of definition files. */
export const DEFINITION_FILES = '**/{*.portico,*.temple,*.templefile,templefile}'
/** If a folder has more definitions, the others are read when they are opened. */
const MAX_FILES = 1000
/** The maximum depth of the search in a folder. */
const MAX_DEPTH = 12

/** Finds the definitions in the folders of the workspace, so that they are checked even if they are closed. */
export class DefinitionWorkspace extends DefaultWorkspaceManager {
  override initialBuildOptions = { validation: true }

  /** Clients without folders may have a root. */
  override initialize({ workspaceFolders, rootUri }: InitializeParams): void {
    this.folders = workspaceFolders ?? (rootUri ? [{ uri: rootUri, name: '' }] : [])
  }

  /** Whether a file or folder is in one of the folders, and not in one that they are searched without. */
  contains(uri: URI): boolean {
    return (this.folders ?? []).some((folder) => {
      const root = URI.parse(folder.uri)
      let at = uri
      while (isWithin(at, root) && !UriUtils.equals(at, root)) {
        if (!this.shouldIncludeEntry({ uri: at, isDirectory: true, isFile: false })) return false
        at = UriUtils.dirname(at)
      }
      return UriUtils.equals(at, root)
    })
  }

  /** Folders were added to the workspace or removed from it. */
  changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): void {
    const gone = new Set(removed.map(({ uri }) => URI.parse(uri).toString()))
    this.folders = [
      ...(this.folders ?? []).filter(({ uri }) => !gone.has(URI.parse(uri).toString())),
      ...added,
    ]
  }

  protected override async traverseFolder(folder: URI, uris: URI[], depth = 0): Promise<void> {
    let content: FileSystemNode[]
    try {
      content = await this.fileSystemProvider.readDirectory(folder)
    } catch {
      // It was removed, or is not readable.
      return
    }
    for (const entry of content) {
      if (uris.length >= MAX_FILES || !this.shouldIncludeEntry(entry)) continue
      if (entry.isFile) uris.push(entry.uri)
      else if (entry.isDirectory && depth < MAX_DEPTH) await this.traverseFolder(entry.uri, uris, depth + 1)
    }
  }

  /** Skips files that cannot be read. */
  protected override async loadWorkspaceDocuments(
    uris: Iterable<URI>,
    collector: (document: LangiumDocument) => void,
  ): Promise<void> {
    for (const uri of uris) {
      try {
        collector(await this.langiumDocuments.getOrCreateDocument(uri))
      } catch {
        continue
      }
    }
  }
}

/** Synchronizes the workspace with the editor and the disk. Open files belong to the editor. */
export class DefinitionUpdates extends DefaultDocumentUpdateHandler {
  readonly #services: PorticoSharedServices

  constructor(services: PorticoSharedServices) {
    super(services)
    this.#services = services
  }

  /**
   * An update fails if a file is deleted before it is read. The report of the deletion follows, and repeats what was not
   * done.
   */
  protected override fireDocumentUpdate(changed: URI[], deleted: URI[]): void {
    void this.workspaceManager.ready
      .then(() => this.workspaceLock.write((token) => this.documentBuilder.update(changed, deleted, token)))
      .catch((error: unknown) => {
        if (!isSystemError(error) || error.code !== 'ENOENT') throw error
      })
  }

  /** Only definitions, not every file. The VS Code extension reports folders, other editors each file in them. */
  protected override getWatchers(): FileSystemWatcher[] {
    return [{ globPattern: DEFINITION_FILES }]
  }

  /**
   * A closed file in the workspace has its content on the disk; elsewhere it is removed. Synchronous, because an update
   * that came later than the file's deletion would bring it back.
   */
  didCloseDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
    const uri = URI.parse(document.uri)
    const { FileSystemProvider } = this.#services.workspace
    const isKept = this.#workspace.contains(uri) && FileSystemProvider.existsSync(uri)
    this.fireDocumentUpdate(isKept ? [uri] : [], isKept ? [] : [uri])
  }

  /** Files and folders were created, changed or deleted. */
  override didChangeWatchedFiles({ changes }: DidChangeWatchedFilesParams): void {
    const { ServiceRegistry } = this.#services
    const changed: URI[] = []
    const deleted: URI[] = []
    for (const change of changes) {
      const uri = URI.parse(change.uri)
      if (this.#isOpen(uri)) continue
      if (change.type === FileChangeType.Deleted) {
        if (this.#documentsIn(uri).length > 0) deleted.push(uri)
        // A new entry that is not a definition may be a folder that contains some.
      } else if (ServiceRegistry.hasServices(uri) || change.type === FileChangeType.Created) changed.push(uri)
    }
    this.#update(changed, deleted)
  }

  /** Reads closed files again that are not as they were read: not every editor reports changes on the disk. */
  async readChanged(uris: Iterable<string>): Promise<void> {
    const { Definitions, FileSystemProvider, LangiumDocuments } = this.#services.workspace
    const changed = [...uris]
      .map((uri) => URI.parse(uri))
      .filter((uri) => {
        const known = LangiumDocuments.getDocument(uri)
        if (known === undefined || this.#isOpen(uri) || !FileSystemProvider.existsSync(uri)) return false
        return FileSystemProvider.readFileSync(uri) !== known.textDocument.getText()
      })
    Definitions.changed(changed)
    if (changed.length > 0)
      await this.workspaceLock.write((token) => this.documentBuilder.update(changed, [], token))
  }

  /** Looks for changes that the editor has not reported. */
  didSaveDocument(): void {
    void this.readChanged(this.#services.workspace.LangiumDocuments.all.map(({ uri }) => uri.toString()))
  }

  /** Folders were added to the workspace or removed from it. */
  changeFolders(event: WorkspaceFoldersChangeEvent): void {
    this.#workspace.changeFolders(event)
    const removed = event.removed.map(({ uri }) => URI.parse(uri))
    const kept = removed
      .flatMap((folder) => this.#documentsIn(folder))
      .filter((uri) => this.#workspace.contains(uri))
    this.#update([...kept, ...event.added.map(({ uri }) => URI.parse(uri))], removed)
  }

  /** Open files in a deleted folder stay. */
  #update(changed: readonly URI[], deleted: readonly URI[]): void {
    if (changed.length === 0 && deleted.length === 0) return
    const open = deleted.flatMap((uri) => this.#documentsIn(uri)).filter((uri) => this.#isOpen(uri))
    this.fireDocumentUpdate([...changed, ...open], [...deleted])
  }

  get #workspace(): DefinitionWorkspace {
    return this.#services.workspace.WorkspaceManager as DefinitionWorkspace
  }

  #isOpen(uri: URI): boolean {
    return this.#services.workspace.TextDocuments.get(uri) !== undefined
  }

  /** The documents at a URI or below it. */
  #documentsIn(uri: URI): URI[] {
    return this.#services.workspace.LangiumDocuments.all
      .map((document) => document.uri)
      .filter((document) => isWithin(document, uri))
      .toArray()
  }
}

function isWithin(uri: URI, folder: URI): boolean {
  return UriUtils.equals(uri, folder) || uri.toString().startsWith(`${folder.toString().replace(/\/$/, '')}/`)
}
