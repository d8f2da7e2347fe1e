import posix from 'path-browserify'
import { type LangiumDocument, URI, UriUtils } from 'langium'
import type { LangiumSharedServices } from 'langium/lsp'
import type { DefinitionFolder, ImportFailure } from '../language/imports.ts'
import type { PorticoServices } from '../language/module.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { Definition, DocumentView, hasProject, uriIn } from './definition-view.ts'
import type { ServerHost } from './host.ts'
import { parseResultOf } from './parsed-document.ts'
import { isBelow } from './importable.ts'

/** Langium's services for all languages, and the definitions. */
export type PorticoSharedServices = LangiumSharedServices & {
  readonly workspace: { readonly Definitions: Definitions }
}

interface Composition {
  readonly definition: Definition
  /** What was read, by path. */
  readonly sources: ReadonlyMap<string, string | ImportFailure>
  /** The state of the texts in which it was last found to be current. */
  checkedAt: number
}

/**
 * Knows the definitions that documents belong to: the documents with a `project` block, and those that nobody imports.
 * A definition is composed once for each version of its texts.
 */
export class Definitions {
  readonly #services: LangiumSharedServices
  readonly #host: ServerHost
  /** Documents that import others. */
  readonly #importing = new Set<string>()
  readonly #byResult = new WeakMap<DefinitionParseResult, Definition>()
  /** By the URI of the main document. */
  readonly #composed = new Map<string, Composition>()
  /** Texts of files that are not documents. */
  readonly #disk = new Map<string, string | ImportFailure>()
  /** Whether a file is a link out of the folder of a definition. */
  readonly #links = new Map<string, boolean>()
  /** Counts changes of any text. */
  #state = 0
  #all: { readonly state: number; readonly definitions: readonly Definition[] } | undefined

  constructor(services: LangiumSharedServices, host: ServerHost) {
    this.#services = services
    this.#host = host
    const { TextDocuments } = services.workspace
    const changed = (): unknown => this.#state++
    TextDocuments.onDidOpen(changed)
    TextDocuments.onDidChangeContent(changed)
    TextDocuments.onDidClose(changed)
  }

  /** A document was parsed. */
  parsed(uri: URI, { value }: DefinitionParseResult): void {
    this.#state++
    if (value.imports.length > 0) this.#importing.add(uri.toString())
    else {
      this.#importing.delete(uri.toString())
      this.#composed.delete(uri.toString())
    }
  }

  /** Documents have changed, on the disk too. */
  changed(uris: readonly URI[]): void {
    this.#state++
    this.#disk.clear()
    if (uris.some((uri) => this.#services.workspace.TextDocuments.get(uri) === undefined)) this.#links.clear()
  }

  /** The document in the definitions that it belongs to; at least one. */
  views(document: LangiumDocument): readonly DocumentView[] {
    return this.#of(document).map((definition) => new DocumentView(document, definition))
  }

  /** The document in the first one of these. */
  view(document: LangiumDocument): DocumentView {
    const [first = this.#single(document)] = this.#of(document)
    return new DocumentView(document, first)
  }

  /**
   * The URIs of all documents in a definition with one of these documents or folders, as far as it was composed before.
   */
  companionsBefore(uris: Iterable<string>): ReadonlySet<string> {
    const changed = [...uris]
    return this.#companions(
      [...this.#composed.values()].map(({ definition }) => definition),
      (uri) => changed.some((one) => uri === one || uri.startsWith(`${one}/`)),
    )
  }

  /** The URIs of all documents in a definition with one of these documents now. */
  companions(uris: ReadonlySet<string>): ReadonlySet<string> {
    return this.#companions(this.#importingDefinitions(), (uri) => uris.has(uri))
  }

  #companions(definitions: readonly Definition[], isChanged: (uri: string) => boolean): ReadonlySet<string> {
    const found = new Set<string>()
    for (const definition of definitions) {
      const { imports } = definition.result
      const failed = imports.flatMap(({ path, failure }) => (path === undefined || !failure ? [] : [path]))
      const own = [...definition.uris]
      const all = [...own, ...failed.map((path) => uriIn(definition.main, path).toString())]
      if (all.some(isChanged)) for (const uri of own) found.add(uri)
    }
    return found
  }

  #of(document: LangiumDocument): readonly Definition[] {
    const uri = document.uri.toString()
    const importing = this.#importingDefinitions().filter(
      (definition) => definition.fileOf(uri) !== undefined,
    )
    const isImporting = this.#importing.has(uri)
    const definitions = [
      ...(!isImporting && hasProject(document) ? [this.#single(document)] : []),
      ...importing.filter((definition) => definition.hasProject),
    ]
    const found = definitions.length > 0 ? definitions : importing
    if (found.length === 0) return [isImporting ? this.#compose(document) : this.#single(document)]
    // Its own definition comes first.
    return found.toSorted((a, b) => Number(b.main === document) - Number(a.main === document))
  }

  /** The definitions of documents with imports: those with a project, and others that nobody else imports. */
  #importingDefinitions(): readonly Definition[] {
    if (this.#importing.size === 0) return []
    if (this.#all?.state === this.#state) return this.#all.definitions
    const { LangiumDocuments } = this.#services.workspace
    const documents = [...this.#importing].toSorted().flatMap((uri) => {
      const document = LangiumDocuments.getDocument(URI.parse(uri))
      return document?.parseResult instanceof DefinitionParseResult ? [document] : []
    })
    const withProject = documents.filter(hasProject).map((document) => this.#compose(document))
    const others = documents
      .filter((document) => !hasProject(document))
      .filter(({ uri }) => withProject.every((definition) => definition.fileOf(uri.toString()) === undefined))
      .map((document) => this.#compose(document))
    const first = others.filter(
      (one) => !others.some((other) => includes(other, one) && !includes(one, other)),
    )
    const definitions = [...withProject, ...first]
    this.#all = { state: this.#state, definitions }
    return definitions
  }

  #single(document: LangiumDocument): Definition {
    const result = parseResultOf(document)
    let definition = this.#byResult.get(result)
    if (definition === undefined)
      this.#byResult.set(result, (definition = new Definition(document, result, () => undefined)))
    return definition
  }

  #compose(main: LangiumDocument): Definition {
    const key = main.uri.toString()
    const known = this.#composed.get(key)
    if (known?.definition.main === main && this.#isCurrent(known)) return known.definition
    const sources = new Map<string, string | ImportFailure>()
    const folder: DefinitionFolder = {
      name: UriUtils.basename(main.uri),
      read: (path) => {
        const source = this.#read(main, path)
        sources.set(path, source)
        return source
      },
      files: () => this.#filesBeside(main),
    }
    const { parser } = this.#services.ServiceRegistry.getServices(main.uri) as PorticoServices
    const result = parser.DefinitionParser.reparse(
      main.textDocument.getText(),
      known?.definition.result.segments ?? [],
      folder,
    )
    const definition = new Definition(main, result, (uri) => this.#document(URI.parse(uri)))
    this.#composed.set(key, { definition, sources, checkedAt: this.#state })
    return definition
  }

  /** The paths of the documents in the folder of a definition and below. */
  #filesBeside({ uri }: LangiumDocument): string[] {
    const folder = UriUtils.dirname(uri).path
    return this.#services.workspace.LangiumDocuments.all
      .map((document) => posix.relative(folder, document.uri.path))
      .filter((path) => isBelow(path) && path !== UriUtils.basename(uri))
      .toArray()
  }

  #isCurrent(known: Composition): boolean {
    if (known.checkedAt === this.#state) return true
    const { main, result } = known.definition
    const isCurrent =
      // A new file may be the one that was meant.
      result.imports.every(({ failure }) => failure === undefined) &&
      result.mainFile.text === main.textDocument.getText() &&
      [...known.sources].every(([path, source]) => isSame(source, this.#read(main, path)))
    if (isCurrent) known.checkedAt = this.#state
    return isCurrent
  }

  #document(uri: URI): LangiumDocument | undefined {
    const document = this.#services.workspace.LangiumDocuments.getDocument(uri)
    return document?.parseResult instanceof DefinitionParseResult ? document : undefined
  }

  /** The current text of an imported file: of its document, or on the disk. */
  #read(main: LangiumDocument, path: string): string | ImportFailure {
    const uri = uriIn(main, path)
    const document = this.#document(uri)
    if (document !== undefined)
      return this.#isLinkOut(main, uri) ? { reason: undefined } : document.textDocument.getText()
    if (main.uri.scheme !== 'file') return { reason: 'no such file or directory' }
    const key = uri.toString()
    let source = this.#disk.get(key)
    if (source === undefined) this.#disk.set(key, (source = this.#host.folderOf(main.uri.fsPath).read(path)))
    return source
  }

  #isLinkOut(main: LangiumDocument, uri: URI): boolean {
    if (uri.scheme !== 'file') return false
    const key = `${main.uri.fsPath}\n${uri.fsPath}`
    let isLink = this.#links.get(key)
    if (isLink === undefined) {
      try {
        isLink = this.#host.isSymlinkOutside(UriUtils.dirname(main.uri).fsPath, uri.fsPath)
      } catch {
        // It is not saved yet.
        isLink = false
      }
      this.#links.set(key, isLink)
    }
    return isLink
  }
}

/** Whether a definition contains the main document of another one. */
function includes(one: Definition, other: Definition): boolean {
  return one.fileOf(other.main.uri.toString()) !== undefined
}

function isSame(a: string | ImportFailure, b: string | ImportFailure): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return a.reason === b.reason
}
