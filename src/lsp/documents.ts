import {
  type AstNode,
  type AstNodeDescription,
  type BuildOptions,
  Cancellation,
  DefaultDocumentBuilder,
  DefaultLangiumDocumentFactory,
  DocumentState,
  type LangiumDocument,
  type LocalSymbols,
  OperationCancelled,
  type ParseResult,
  type ReferenceDescription,
  EMPTY_STREAM,
  type ScopeComputation,
  URI,
} from 'langium'
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import type { PorticoServices } from '../language/module.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import type { PorticoSharedServices } from './definitions.ts'
import type { DefinitionWorkspace } from './workspace.ts'

/** After an edit, editors send their requests about the new text within this time, in milliseconds. */
const VALIDATION_PAUSE = 12
/** The validation of a longer text, in characters, would delay these requests noticeably. */
const LONG_TEXT = 100_000

/** Passes the segments of a document's last version to the parser, so that only changed segments are parsed again. */
export class DefinitionDocumentFactory extends DefaultLangiumDocumentFactory {
  readonly #services: PorticoSharedServices

  constructor(services: PorticoSharedServices) {
    super(services)
    this.#services = services
  }

  protected override async parseAsync<Node extends AstNode>(
    uri: URI,
    text: string,
  ): Promise<ParseResult<Node>> {
    const { parser } = this.#services.ServiceRegistry.getServices(uri) as PorticoServices
    const before = this.#services.workspace.LangiumDocuments.getDocument(uri)?.parseResult
    const segments = before instanceof DefinitionParseResult ? before.segments : []
    const result = parser.DefinitionParser.reparse(text, segments)
    this.#services.workspace.Definitions.parsed(uri, result)
    return result as unknown as ParseResult<Node>
  }
}

/**
 * Rejects a request whose text has changed while it waited (`ContentModified` in the protocol), and reads the file
 * of a request if it is not known yet. After a change of a file, validates the other files of its definitions again.
 */
export class DefinitionDocumentBuilder extends DefaultDocumentBuilder {
  readonly #services: PorticoSharedServices
  /** Unchanged documents that are validated again. */
  readonly #companions = new Set<string>()

  constructor(services: PorticoSharedServices) {
    super(services)
    this.#services = services
  }

  override async update(
    changed: URI[],
    deleted: URI[],
    cancelToken?: Cancellation.CancellationToken,
  ): Promise<void> {
    const { Definitions } = this.#services.workspace
    const uris = [...changed, ...deleted]
    const keys = new Set(uris.map(String))
    this.#validateAgain(Definitions.companionsBefore(keys), keys)
    Definitions.changed(uris)
    await super.update(changed, deleted, cancelToken)
  }

  /** New files and folders that are not open are read if the search of the workspace finds them. */
  protected override async findChangedUris(changed: URI): Promise<URI[]> {
    const workspace = this.#services.workspace.WorkspaceManager as DefinitionWorkspace
    const isKnown = this.langiumDocuments.hasDocument(changed) || this.textDocuments?.get(changed)
    return isKnown || workspace.contains(changed) ? await super.findChangedUris(changed) : []
  }

  /** Documents refer to each other only in definitions, which `Definitions` composes. */
  protected override shouldRelink(): boolean {
    return false
  }

  /** Changed documents come first, then those that are open. */
  protected override sortDocuments(documents: LangiumDocument[]): LangiumDocument[] {
    const ranked = documents.map((document) => {
      const isCompanion = this.#companions.has(document.uri.toString())
      const isClosed = this.textDocuments?.get(document.uri) === undefined
      return { document, rank: (isCompanion ? 2 : 0) + (isClosed ? 1 : 0) }
    })
    return ranked.sort((a, b) => a.rank - b.rank).map(({ document }) => document)
  }

  protected override async buildDocuments(
    documents: LangiumDocument[],
    options: BuildOptions,
    cancelToken: Cancellation.CancellationToken,
  ): Promise<void> {
    const changed = new Set(
      documents.flatMap(({ state, uri }) => (state < DocumentState.IndexedContent ? [uri.toString()] : [])),
    )
    for (const uri of changed) this.#companions.delete(uri)
    // The first phase, after which it is known what the changed documents import.
    await this.runCancelable(documents, DocumentState.Parsed, cancelToken, (document) =>
      this.langiumDocumentFactory.update(document, cancelToken),
    )
    const known = new Set(documents.map(({ uri }) => uri.toString()))
    const others = this.#validateAgain(this.#services.workspace.Definitions.companions(changed), known)
    await super.buildDocuments([...documents, ...others], options, cancelToken)
  }

  /** Resets documents, except some, so that they are validated again. Returns them. */
  #validateAgain(uris: ReadonlySet<string>, except: ReadonlySet<string>): LangiumDocument[] {
    return [...uris].flatMap((uri) => {
      const document = except.has(uri) ? undefined : this.langiumDocuments.getDocument(URI.parse(uri))
      if (document === undefined) return []
      this.#companions.add(uri)
      this.resetToState(document, DocumentState.IndexedReferences)
      return [document]
    })
  }

  protected override async awaitDocumentState(
    state: DocumentState,
    uri: URI,
    cancelToken: Cancellation.CancellationToken,
  ): Promise<URI> {
    const { LangiumDocuments, TextDocuments } = this.#services.workspace
    const version = TextDocuments.get(uri)?.version
    await this.#changesApplied()
    if (!LangiumDocuments.hasDocument(uri)) await this.build([await this.#load(uri)], { validation: true })
    const reached = await super.awaitDocumentState(state, uri, cancelToken)
    if (cancelToken.isCancellationRequested) throw OperationCancelled
    if (TextDocuments.get(uri)?.version !== version)
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed since the request')
    return reached
  }

  protected override async awaitBuilderState(
    state: DocumentState,
    cancelToken: Cancellation.CancellationToken,
  ): Promise<void> {
    await this.#changesApplied()
    await super.awaitBuilderState(state, cancelToken)
  }

  /** Changes that arrived together with a request are applied before the response. */
  async #changesApplied(): Promise<void> {
    await this.#services.workspace.WorkspaceManager.ready
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
  }

  /** Validates a document after the requests that wait for its text have been served. */
  protected override async validate(
    document: LangiumDocument,
    cancelToken: Cancellation.CancellationToken,
  ): Promise<void> {
    const isCompanion = this.#companions.has(document.uri.toString())
    if (!isCompanion) await this.#pause(document, cancelToken)
    if (cancelToken.isCancellationRequested) throw OperationCancelled
    await super.validate(document, cancelToken)
    this.#companions.delete(document.uri.toString())
  }

  async #pause(document: LangiumDocument, cancelToken: Cancellation.CancellationToken): Promise<void> {
    const { text } = this.#services.workspace.Definitions.view(document).result
    await new Promise<void>((resolve) => {
      setTimeout(resolve, text.length > LONG_TEXT ? VALIDATION_PAUSE : 0)
      // The next edit does not wait.
      cancelToken.onCancellationRequested(() => resolve())
    })
  }

  /**
   * Notifies of a state even when the build is cancelled at that moment, usually by an edit of another document. The
   * next build does not reach the state again, so that the diagnostics would never be published, and requests that
   * wait for the state would never be answered.
   */
  protected override async notifyDocumentPhase(
    document: LangiumDocument,
    state: DocumentState,
  ): Promise<void> {
    await super.notifyDocumentPhase(document, state, Cancellation.CancellationToken.None)
  }

  /** A file that the client has not opened; empty if it does not exist. */
  async #load(uri: URI): Promise<LangiumDocument> {
    const { LangiumDocuments } = this.#services.workspace
    try {
      return await LangiumDocuments.getOrCreateDocument(uri)
    } catch {
      return LangiumDocuments.createDocument(uri, '')
    }
  }
}

const EMPTY_SYMBOLS: LocalSymbols = { has: () => false, getStream: () => EMPTY_STREAM }

/** Definitions do not see each other, and references link themselves: there is nothing to index. */
export const NO_SYMBOLS: ScopeComputation = {
  collectExportedSymbols: async (): Promise<AstNodeDescription[]> => [],
  collectLocalSymbols: async () => EMPTY_SYMBOLS,
}

/** The same of references between files. */
export const NO_REFERENCES = { createDescriptions: async (): Promise<ReferenceDescription[]> => [] }
