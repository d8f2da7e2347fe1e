import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type ProtocolRequestType,
  type PublishDiagnosticsParams,
  type Range,
  type RegistrationParams,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceFolder,
} from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { bundleServer } from '../../scripts/bundle-server.mjs'
import { type ServerProcess, serveInProcess } from './in-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What is waited for comes within this, however busy the machine is; in milliseconds. */
const TIMEOUT_MS = 30_000

let bundle: Promise<string> | undefined

/** The built server: one file, made once for each file of tests. */
export function builtServer(): Promise<string> {
  bundle ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portico-lsp-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    await bundleServer(ROOT, directory)
    return join(directory, 'lsp.mjs')
  })()
  return bundle
}

/** How a server is started. */
export interface Start {
  /** Arguments of Node; the built server without them. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A process of its own, also where coverage is measured. */
  readonly isProcess?: boolean
  readonly folders?: readonly WorkspaceFolder[]
  /** The root of a client without folders. */
  readonly root?: string
  readonly capabilities?: ClientCapabilities
  readonly initializationOptions?: unknown
  /** Answers `workspace/configuration`: the settings of a section. */
  readonly settings?: unknown
  /** Told of the server's own requests, which are answered with nothing. */
  readonly onRequest?: (method: string) => void
}

/**
 * Starts the built server as a process of its own and shakes hands with it. Stop it with `stop`. Where coverage is
 * measured (vitest.config.ts), the source is served in the process of the test.
 */
export async function startServer(start: Start = {}): Promise<Client> {
  const isSeen = process.env['PORTICO_COVERAGE'] === '1' && start.isProcess !== true
  const child = isSeen && start.command === undefined ? await serveInProcess() : await spawnServer(start)
  const client = new Client(child)
  if (start.onRequest !== undefined) client.onRequest = start.onRequest
  await client.initialize(start)
  return client
}

async function spawnServer(start: Start) {
  const command = start.command ?? [await builtServer(), '--stdio']
  return spawn(process.execPath, [...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...start.env },
  })
}

/** Requests of servers that are answered with nothing. */
const OF_THE_SERVER = [
  'client/registerCapability',
  'window/workDoneProgress/create',
  'workspace/codeLens/refresh',
  'workspace/diagnostic/refresh',
  'workspace/inlayHint/refresh',
  'workspace/semanticTokens/refresh',
] as const

/** An editor, as far as a server can tell: it speaks the protocol, and keeps the texts that it has open. */
export class Client {
  readonly connection: ProtocolConnection
  readonly child: ServerProcess
  /** What the server printed or logged; nothing, where all is well. */
  readonly complaints: string[] = []
  /** Every publication in the order of arrival. */
  readonly published: PublishDiagnosticsParams[] = []
  /** What the server registered after its start. */
  readonly registrations: RegistrationParams[] = []
  readonly #texts = new Map<string, TextDocument>()
  #waiting: (() => void)[] = []
  #untitled = 0
  initialized: InitializeResult | undefined
  onRequest: (method: string) => void = () => {}

  constructor(child: ServerProcess) {
    this.child = child
    const { stdin, stdout, stderr } = child
    this.connection = createProtocolConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    )
    stderr.setEncoding('utf8')
    stderr.on('data', (text: string) => this.complaints.push(text))
    this.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.complaints.push(message)
    })
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.push(params)
      for (const wake of this.#waiting.splice(0)) wake()
    })
    for (const method of OF_THE_SERVER)
      this.connection.onRequest(method, (params: unknown) => {
        this.onRequest(method)
        if (method === 'client/registerCapability') this.registrations.push(params as RegistrationParams)
        return null
      })
    child.once('exit', () => this.connection.dispose())
    this.connection.listen()
  }

  async initialize({
    folders,
    root,
    capabilities = {},
    initializationOptions,
    settings,
  }: Start): Promise<void> {
    this.connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) =>
      items.map(() => settings ?? null),
    )
    this.initialized = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: root ?? null,
      capabilities,
      workspaceFolders: folders ?? null,
      initializationOptions,
    })
    await this.connection.sendNotification('initialized', {})
  }

  /** Opens a text, in an untitled buffer where no address is given. Gives its address. */
  async open(text: string, uri = `untitled:Untitled-${++this.#untitled}`): Promise<string> {
    this.#texts.set(uri, TextDocument.create(uri, 'portico', 1, text))
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'portico', version: 1, text },
    })
    return uri
  }

  /** Replaces a range of offsets; the whole text without one. Gives the version that this made. */
  async edit(uri: string, text: string, start?: number, end?: number): Promise<number> {
    const document = this.document(uri)
    const version = document.version + 1
    const change =
      start === undefined
        ? { text }
        : { range: { start: document.positionAt(start), end: document.positionAt(end ?? start) }, text }
    this.#texts.set(uri, TextDocument.update(document, [change], version))
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [change],
    })
    return version
  }

  async close(uri: string): Promise<void> {
    this.#texts.delete(uri)
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } })
  }

  /** The text that is open under an address. */
  document(uri: string): TextDocument {
    const document = this.#texts.get(uri)
    if (document === undefined) throw new Error(`${uri} is not open`)
    return document
  }

  /** The position of an offset, for requests. */
  at(uri: string, offset: number): { textDocument: { uri: string }; position: Position } {
    return { textDocument: { uri }, position: this.document(uri).positionAt(offset) }
  }

  /** The diagnostics of the text as it is now. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    const { version } = this.document(uri)
    const found = await this.publication((params) => params.uri === uri && params.version === version)
    return found.diagnostics
  }

  /** The newest publication that fits, which may be still to come. */
  async publication(fits: (params: PublishDiagnosticsParams) => boolean): Promise<PublishDiagnosticsParams> {
    const deadline = AbortSignal.timeout(TIMEOUT_MS)
    for (;;) {
      const found = this.published.findLast(fits)
      if (found !== undefined) return found
      if (deadline.aborted) throw new Error(`No such diagnostics came. ${this.complaints.join('')}`)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        deadline.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  /** Asks with a type of the protocol's library: `HoverRequest.type`. */
  request<P, R, PR, E, RO>(type: ProtocolRequestType<P, R, PR, E, RO>, params: NoInfer<P>): Promise<R> {
    return this.connection.sendRequest<R>(type.method, params)
  }

  /** Has the server find everything that is sent meanwhile at once. */
  async atOnce<T>(send: () => Promise<T>): Promise<T> {
    this.child.kill('SIGSTOP')
    try {
      return await send()
    } finally {
      this.child.kill('SIGCONT')
    }
  }

  /** The text between the ends of a range. */
  textAt(uri: string, range: Range): string {
    return this.document(uri).getText(range)
  }

  /** The text of a document after edits, which are not sent to the server. */
  applied(uri: string, edits: readonly TextEdit[]): string {
    return TextDocument.applyEdits(this.document(uri), [...edits])
  }

  /** Ends the server with the protocol's requests. Returns the exit status of its process. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => {
      this.child.once('exit', (status) => resolve(status))
    })
    await this.connection.sendRequest('shutdown')
    if (this.child.end === undefined) await this.connection.sendNotification('exit')
    else this.child.end()
    return await ended
  }
}

/** A text with `‸` where the cursor is: the text without it, and the offsets of the marks. */
export function unmarked(marked: string): { readonly text: string; readonly offsets: readonly number[] } {
  const parts = marked.split('‸')
  const offsets: number[] = []
  let offset = 0
  for (const part of parts.slice(0, -1)) offsets.push((offset += part.length))
  return { text: parts.join(''), offsets }
}

/** The one offset of a text with one mark. */
export function cursorIn(marked: string): { readonly text: string; readonly offset: number } {
  const { text, offsets } = unmarked(marked)
  const [offset] = offsets
  if (offset === undefined || offsets.length > 1) throw new Error('One cursor is expected')
  return { text, offset }
}
