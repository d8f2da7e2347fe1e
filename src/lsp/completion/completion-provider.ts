import type { LangiumDocument } from 'langium'
import type { CompletionProvider } from 'langium/lsp'
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  InsertTextFormat,
  InsertTextMode,
  type Range,
} from 'vscode-languageserver-protocol'
import type { Definition } from '../../language/generated/ast.ts'
import type { PorticoServices } from '../../language/module.ts'
import type { Span } from '../../language/raw-diagnostic.ts'
import { type ClientCapabilities, markup } from '../client-capabilities.ts'
import type { DocumentView } from '../definition-view.ts'
import type { Definitions } from '../definitions.ts'
import { addingImport, importableServices } from '../importable.ts'
import { type CandidateKind, type CompletionCandidate, plainText } from './candidate.ts'
import { completionAt } from './candidates.ts'
import type { CompletionContext } from './context.ts'
import { importPathCandidates } from './import-paths.ts'
import { notImportedCandidates } from './types.ts'
import { type DocumentationKey, documentationFor, isDocumentationKey } from './documentation.ts'

/** The data of an item until the editor requests its documentation. */
interface ItemData {
  readonly uri: string
  readonly documentation: DocumentationKey
}

/** Completion items in the protocol's form. */
export class DefinitionCompletionProvider implements CompletionProvider {
  readonly completionOptions = { triggerCharacters: ['#', '@', ':', '(', '[', ',', ' ', '"'] }
  readonly #services: PorticoServices
  readonly #definitions: Definitions
  readonly #clientCapabilities: () => ClientCapabilities

  constructor(
    services: PorticoServices,
    definitions: Definitions,
    clientCapabilities: () => ClientCapabilities,
  ) {
    this.#services = services
    this.#definitions = definitions
    this.#clientCapabilities = clientCapabilities
  }

  getCompletion(document: LangiumDocument, params: CompletionParams): CompletionList | undefined {
    const view = this.#definitions.view(document)
    const offset = view.offsetAt(params.position)
    const paths = importPathCandidates(view, offset, this.#services)
    if (paths !== undefined) return listOf(paths, view, this.#clientCapabilities())
    const { contexts, candidates } = completionAt(view.result, offset, this.#services)
    if (!isWanted(params, contexts)) return undefined
    const others = importableServices(view, this.#services.shared.workspace.LangiumDocuments)
    const notImported = contexts.flatMap((context) =>
      notImportedCandidates(context, others, (path) => addingImport(view, path)),
    )
    // An item can change only the file that it is inserted into.
    const possible = [...candidates, ...notImported].filter(({ additionalEdits = [] }) =>
      additionalEdits.every((edit) => view.contains(edit)),
    )
    return listOf(possible, view, this.#clientCapabilities())
  }

  /**
   * Adds the documentation to an item.
   *
   * @param definitionOf returns the definition with a URI if it is still open
   */
  resolve(item: CompletionItem, definitionOf: (uri: string) => Definition | undefined): CompletionItem {
    const data: unknown = item.data
    if (!isItemData(data)) return item
    const markdown = documentationFor(data.documentation, definitionOf(data.uri))
    if (markdown === '') return item
    return { ...item, documentation: markup(markdown, this.#clientCapabilities().completionMarkdown) }
  }
}

function isItemData(data: unknown): data is ItemData {
  return (
    typeof data === 'object' &&
    data !== null &&
    'uri' in data &&
    typeof data.uri === 'string' &&
    'documentation' in data &&
    isDocumentationKey(data.documentation)
  )
}

/** A space triggers completion only after a colon or a comma. */
function isWanted({ context }: CompletionParams, contexts: readonly CompletionContext[]): boolean {
  if (context?.triggerCharacter !== ' ') return true
  return contexts.some(
    ({ kind }) => kind === 'type' || kind === 'kind' || kind === 'argument' || kind === 'item',
  )
}

function listOf(
  candidates: readonly CompletionCandidate[],
  view: DocumentView,
  capabilities: ClientCapabilities,
): CompletionList {
  const width = String(candidates.length).length
  // All candidates of a context have the same span.
  const ranges = new Map<Span, Range>()
  const rangeOf = (span: Span): Range => {
    let range = ranges.get(span)
    if (range === undefined) ranges.set(span, (range = view.rangeOf(span)))
    return range
  }
  const items = candidates.map((candidate, index) => {
    const sortText = `${String(candidate.rank).padStart(2, '0')}${String(index).padStart(width, '0')}`
    return {
      ...itemOf(candidate, sortText, rangeOf(candidate.span), view, capabilities),
      ...documented(candidate, view.document.textDocument.uri, view.result.value, capabilities),
    }
  })
  return { isIncomplete: false, items }
}

function itemOf(
  candidate: CompletionCandidate,
  sortText: string,
  range: Range,
  view: DocumentView,
  capabilities: ClientCapabilities,
): CompletionItem {
  const { label, kind, detail, snippet, filter, additionalEdits = [] } = candidate
  const isSnippet = capabilities.snippets && snippet.includes('$')
  const text = capabilities.snippets ? snippet : plainText(snippet)
  const hasLines = text.includes('\n')
  const newText = hasLines && !capabilities.adjustsIndentation ? indented(text, range, view) : text
  return {
    label,
    kind: KINDS[kind],
    ...(detail === undefined ? {} : { detail }),
    sortText,
    ...(filter === undefined || filter === label ? {} : { filterText: filter }),
    textEdit: { range, newText },
    ...(isSnippet ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(hasLines && capabilities.adjustsIndentation
      ? { insertTextMode: InsertTextMode.adjustIndentation }
      : {}),
    ...(additionalEdits.length === 0
      ? {}
      : {
          additionalTextEdits: additionalEdits.map((edit) => ({
            range: view.rangeOf(edit),
            newText: edit.text,
          })),
        }),
  }
}

/** The documentation, or the key with which the editor requests it later. */
function documented(
  { documentation }: CompletionCandidate,
  uri: string,
  definition: Definition,
  { completionMarkdown, resolvesDocumentation }: ClientCapabilities,
): Pick<CompletionItem, 'documentation' | 'data'> {
  if (documentation === undefined) return {}
  if (resolvesDocumentation) return { data: { uri, documentation } satisfies ItemData }
  const markdown = documentationFor(documentation, definition)
  return markdown === '' ? {} : { documentation: markup(markdown, completionMarkdown) }
}

/** The text with its following lines indented like the line that it is inserted into. */
function indented(text: string, { start: { line } }: Range, { document }: DocumentView): string {
  const lineText = document.textDocument.getText({
    start: { line, character: 0 },
    end: { line, character: 200 },
  })
  const indentation = /^[ \t]*/.exec(lineText)?.[0] ?? ''
  return text.replaceAll('\n', `\n${indentation}`)
}

// None of them is `Snippet`: editors can be told to hide snippets.
const KINDS: Readonly<Record<CandidateKind, CompletionItemKind>> = {
  import: CompletionItemKind.Keyword,
  file: CompletionItemKind.File,
  project: CompletionItemKind.Module,
  service: CompletionItemKind.Class,
  struct: CompletionItemKind.Struct,
  endpoint: CompletionItemKind.Function,
  job: CompletionItemKind.Function,
  attribute: CompletionItemKind.Field,
  reference: CompletionItemKind.Reference,
  type: CompletionItemKind.Keyword,
  annotation: CompletionItemKind.Property,
  metadata: CompletionItemKind.Property,
  parameter: CompletionItemKind.Variable,
  value: CompletionItemKind.EnumMember,
}
