import type { CompletionProvider } from 'langium/lsp'
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  InsertTextFormat,
  InsertTextMode,
  type Range,
  type TextEdit,
} from 'vscode-languageserver-protocol'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Span } from '../syntax/tree.ts'
import { type EditorAbilities, markup } from './client.ts'
import { type Offer, type OfferKind, plainText } from './completion/offer.ts'
import { offersAt } from './completion/offers.ts'
import type { Spot } from './completion/spot.ts'
import { editorDocument } from './document.ts'

/** What can be written at a place, in the form of the protocol. */
export function completion(abilities: () => EditorAbilities): CompletionProvider {
  return {
    completionOptions: { triggerCharacters: ['#', '@', ':', '(', '[', ',', ' '] },
    getCompletion(document, params) {
      const { read } = editorDocument(document)
      const { textDocument } = document
      const { spots, offers } = offersAt(read, textDocument.offsetAt(params.position))
      if (!isWanted(params, spots)) return undefined
      return listOf(offers, textDocument, abilities())
    },
  }
}

/** A space asks for what stands behind a colon or a comma alone, and not at each step of writing. */
function isWanted({ context }: CompletionParams, spots: readonly Spot[]): boolean {
  if (context?.triggerCharacter !== ' ') return true
  return spots.some(({ kind }) => kind === 'type' || kind === 'argument')
}

function listOf(
  offers: readonly Offer[],
  document: TextDocument,
  abilities: EditorAbilities,
): CompletionList {
  const width = String(offers.length).length
  const rangeOf = remembered((span: Span) => ({
    start: document.positionAt(span.start),
    end: document.positionAt(span.end),
  }))
  const items = offers.map((offer, index) => {
    const sortText = `${String(offer.rank).padStart(2, '0')}${String(index).padStart(width, '0')}`
    return itemOf(offer, sortText, rangeOf(offer.span), document, abilities)
  })
  return { isIncomplete: false, items }
}

/** Offers of one place share their span: its range is worked out once. */
function remembered(rangeOf: (span: Span) => Range): (span: Span) => Range {
  const known = new Map<Span, Range>()
  return (span) => {
    const range = known.get(span) ?? rangeOf(span)
    known.set(span, range)
    return range
  }
}

function itemOf(
  offer: Offer,
  sortText: string,
  range: Range,
  document: TextDocument,
  abilities: EditorAbilities,
): CompletionItem {
  const { label, kind, detail, documentation, snippet, span, filter, commit, further = [] } = offer
  const isSnippet = abilities.snippets && snippet.includes('$')
  const text = abilities.snippets ? snippet : plainText(snippet)
  const hasLines = text.includes('\n')
  const newText = hasLines && !abilities.adjustsIndentation ? indented(text, span.start, document) : text
  return {
    label,
    kind: KINDS[kind],
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined
      ? {}
      : { documentation: markup(documentation, abilities.completionMarkdown) }),
    sortText,
    ...(filter === undefined || filter === label ? {} : { filterText: filter }),
    textEdit: { range, newText },
    ...(isSnippet ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(hasLines && abilities.adjustsIndentation ? { insertTextMode: InsertTextMode.adjustIndentation } : {}),
    ...(further.length === 0 ? {} : { additionalTextEdits: further.map((edit) => editOf(edit, document)) }),
    ...(commit === undefined || !abilities.commitCharacters ? {} : { commitCharacters: [...commit] }),
  }
}

function editOf(
  { at, end = at, text }: NonNullable<Offer['further']>[number],
  document: TextDocument,
): TextEdit {
  return { range: { start: document.positionAt(at), end: document.positionAt(end) }, newText: text }
}

/** The text with the further lines as far to the right as the line that it goes into. */
function indented(text: string, at: number, document: TextDocument): string {
  const { line } = document.positionAt(at)
  const lineText = document.getText({ start: { line, character: 0 }, end: { line, character: 200 } })
  const indentation = /^[ \t]*/.exec(lineText)?.[0] ?? ''
  return text.replaceAll('\n', `\n${indentation}`)
}

const KINDS: Readonly<Record<OfferKind, CompletionItemKind>> = {
  project: CompletionItemKind.Module,
  service: CompletionItemKind.Class,
  struct: CompletionItemKind.Struct,
  type: CompletionItemKind.Keyword,
  annotation: CompletionItemKind.Property,
  metadata: CompletionItemKind.Property,
  parameter: CompletionItemKind.Variable,
  value: CompletionItemKind.EnumMember,
  snippet: CompletionItemKind.Snippet,
}
