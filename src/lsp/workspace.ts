import type { WorkspaceSymbolProvider } from 'langium/lsp'
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  type DidChangeWatchedFilesParams,
  FileChangeType,
  type InitializeParams,
  type WorkspaceFoldersChangeEvent,
  type WorkspaceSymbol,
} from 'vscode-languageserver'
import { matches, workspaceSymbols } from '../language/editor/workspace-symbols.ts'
import { DEFINITION_PATTERN, definitionFiles, isDefinitionFile } from './definition-files.ts'
import { type Definitions, normal, textOnDisk } from './definitions.ts'
import { isAsked } from './freshness.ts'
import { DefinitionSnapshot } from './snapshot.ts'

/** What is kept of a definition that is not open. */
interface Known {
  readonly uri: string
  readonly symbols: readonly WorkspaceSymbol[]
  readonly hasDiagnostics: boolean
}

/** More symbols than these are not answered: nobody reads on. */
const MOST_SYMBOLS = 1000

/**
 * The definitions in the folders of the workspace that are not open: their diagnostics are shown, and their
 * symbols found. Open ones belong to the editor, whatever is on the disk.
 */
export class Workspace {
  readonly #connection: Connection
  readonly #definitions: Definitions
  readonly #known = new Map<string, Known>()
  #folders: string[] = []
  /** Files are checked one behind the other, so that what was read later counts. */
  #last: Promise<void> = Promise.resolve()
  #canWatch = false

  constructor(connection: Connection, definitions: Definitions) {
    this.#connection = connection
    this.#definitions = definitions
  }

  initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): void {
    this.#canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    const root = rootUri === null ? [] : [rootUri]
    this.#folders = workspaceFolders?.map(({ uri }) => uri) ?? root
  }

  async initialized(): Promise<void> {
    this.#connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) =>
      this.#foldersChanged(event),
    )
    if (this.#canWatch)
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: DEFINITION_PATTERN }],
      })
    for (const folder of this.#folders) await this.#look(folder)
  }

  /** Folders were added to the workspace or taken from it. */
  async #foldersChanged({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
    for (const { uri } of removed) {
      this.#folders = this.#folders.filter((folder) => normal(folder) !== normal(uri))
      for (const known of this.#knownIn(uri)) if (!this.#isInFolder(known.uri)) this.#forget(known.uri)
    }
    for (const { uri } of added) {
      this.#folders.push(uri)
      await this.#look(uri)
    }
  }

  /** Files were made, changed or deleted, by whomever; a directory that is gone takes what was in it along. */
  async filesChanged({ changes }: DidChangeWatchedFilesParams): Promise<void> {
    for (const { uri, type } of changes) {
      if (type === FileChangeType.Deleted) for (const known of this.#knownIn(uri)) this.#forget(known.uri)
      else if (isDefinitionFile(uri)) await this.#check(uri)
    }
  }

  /** A definition is open no longer: what is on the disk counts again, in the workspace. */
  async closed(uri: string): Promise<void> {
    if (isDefinitionFile(uri) && this.#isInFolder(uri)) await this.#check(uri)
  }

  /** Symbols of open definitions and of those in the workspace. */
  readonly symbols: WorkspaceSymbolProvider = {
    getSymbols: ({ query }) => {
      const open = this.#definitions.all.flatMap((snapshot) => workspaceSymbols(snapshot))
      const others = [...this.#known.values()].filter(({ uri }) => this.#definitions.get(uri) === undefined)
      return [...open, ...others.flatMap(({ symbols }) => symbols)]
        .filter(({ name }) => matches(name, query))
        .slice(0, MOST_SYMBOLS)
    },
  }

  async #look(folder: string): Promise<void> {
    for await (const uri of definitionFiles(folder)) await this.#check(uri)
  }

  #check(uri: string): Promise<void> {
    this.#last = this.#last.then(() => this.#checkNow(uri))
    return this.#last
  }

  /** Reads and checks a file, unless it is open, and when nothing else is to be done. */
  async #checkNow(uri: string): Promise<void> {
    const text = await textOnDisk(uri)
    do await new Promise((resolve) => setImmediate(resolve))
    while (isAsked(this.#definitions))
    if (this.#definitions.get(uri) !== undefined) return
    if (text === undefined) {
      this.#forget(uri)
      return
    }
    const snapshot = new DefinitionSnapshot(uri, 'portico', 0, text)
    const { diagnostics } = snapshot
    const had = this.#known.get(normal(uri))?.hasDiagnostics === true
    this.#known.set(normal(uri), {
      uri,
      symbols: workspaceSymbols(snapshot),
      hasDiagnostics: diagnostics.length > 0,
    })
    if (had || diagnostics.length > 0) await this.#connection.sendDiagnostics({ uri, diagnostics })
  }

  #forget(uri: string): void {
    const known = this.#known.get(normal(uri))
    this.#known.delete(normal(uri))
    if (known?.hasDiagnostics !== true || this.#definitions.get(uri) !== undefined) return
    void this.#connection.sendDiagnostics({ uri: known.uri, diagnostics: [] })
  }

  /** What is at an address or below it. */
  #knownIn(uri: string): readonly Known[] {
    const at = normal(uri).replace(/\/$/, '')
    return [...this.#known].flatMap(([key, known]) => (key === at || key.startsWith(`${at}/`) ? [known] : []))
  }

  #isInFolder(uri: string): boolean {
    return this.#folders.some((folder) => normal(uri).startsWith(`${normal(folder).replace(/\/$/, '')}/`))
  }
}
