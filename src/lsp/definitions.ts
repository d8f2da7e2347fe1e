import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type {
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { URI } from 'vscode-uri'
import { DefinitionSnapshot } from './snapshot.ts'

/** A definition that an editor has open: its text belongs to the client. */
interface Open {
  /** Takes the changes. */
  readonly text: TextDocument
  snapshot: DefinitionSnapshot
}

/**
 * The definitions that are open, each a world of its own. Addresses are compared in one spelling, and answered
 * in the one that the client opened the document with.
 */
export class Definitions {
  readonly #open = new Map<string, Open>()
  /** Called when the text of an open definition is another one. */
  onChange: (snapshot: DefinitionSnapshot) => void = () => {}
  /** Called with the address of a definition that is no longer open. */
  onClose: (uri: string) => void = () => {}

  /** Those that are open. */
  get all(): readonly DefinitionSnapshot[] {
    return [...this.#open.values()].map(({ snapshot }) => snapshot)
  }

  /** The newest state of an open definition. */
  get(uri: string): DefinitionSnapshot | undefined {
    return this.#open.get(normal(uri))?.snapshot
  }

  /** The newest state of a definition; from the disk where it is not open, and empty where it is nowhere. */
  async find(uri: string): Promise<DefinitionSnapshot> {
    return this.get(uri) ?? new DefinitionSnapshot(uri, 'portico', 0, (await textOnDisk(uri)) ?? '')
  }

  open({ textDocument: { uri, languageId, version, text } }: DidOpenTextDocumentParams): void {
    const document = TextDocument.create(uri, languageId, version, text)
    const snapshot = new DefinitionSnapshot(uri, languageId, version, text)
    this.#open.set(normal(uri), { text: document, snapshot })
    this.onChange(snapshot)
  }

  change({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void {
    const open = this.#open.get(normal(uri))
    if (open === undefined) return
    const { text } = open
    TextDocument.update(text, contentChanges, version)
    const { snapshot: before } = open
    open.snapshot = new DefinitionSnapshot(text.uri, text.languageId, version, text.getText(), before)
    this.onChange(open.snapshot)
  }

  close({ textDocument: { uri } }: DidCloseTextDocumentParams): void {
    const key = normal(uri)
    const open = this.#open.get(key)
    if (open === undefined) return
    this.#open.delete(key)
    this.onClose(open.text.uri)
  }
}

/** One spelling for the same address: clients differ in what they escape. */
export function normal(uri: string): string {
  return URI.parse(uri).toString()
}

/** `undefined` where there is no such file, or it cannot be read. Without the byte order mark, as editors have it. */
export async function textOnDisk(uri: string): Promise<string | undefined> {
  if (URI.parse(uri).scheme !== 'file') return undefined
  try {
    return (await readFile(fileURLToPath(normal(uri)), 'utf8')).replace(/^\ufeff/, '')
  } catch {
    return undefined
  }
}
