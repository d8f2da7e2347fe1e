import type { RenameProvider } from 'langium/lsp'
import { LSPErrorCodes, ResponseError, type TextEdit } from 'vscode-languageserver'
import { severityOf } from '../../diagnostics/diagnostic.ts'
import { checkText } from '../parse.ts'
import { nameSpan } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { scan } from '../syntax/scanner.ts'
import { NAME } from '../syntax/tokens.ts'
import type { Span } from '../syntax/tree.ts'
import { type EditorDocument, editorDocument } from './document.ts'
import { rangeOf } from './ranges.ts'
import { nameAt, referencesTo } from './symbols.ts'

/** Renames blocks and attributes with everything that refers to them. Comments stay as they are. */
export const rename: RenameProvider = {
  prepareRename: (document, { position }) => {
    const { read, textDocument } = editorDocument(document)
    const found = nameAt(read, textDocument.offsetAt(position))
    if (found === undefined)
      throw refusal('Only the names of services, structs, attributes and the project can be changed.')
    return rangeOf(editorDocument(document), found.span)
  },
  rename: (document, { position, newName }) => {
    const { read, textDocument } = editorDocument(document)
    const found = nameAt(read, textDocument.offsetAt(position))
    if (found === undefined) return undefined
    if (!isName(newName)) throw refusal(`${quote(newName)} is no name.`)
    const spans = [nameSpan(found.declaration), ...referencesTo(read, found.declaration)]
    spans.sort((a, b) => a.start - b.start)
    refuseMistakes(editorDocument(document), spans, newName)
    const edits: TextEdit[] = spans.map((span) => ({
      range: rangeOf(editorDocument(document), span),
      newText: newName,
    }))
    return { changes: { [textDocument.uri]: edits } }
  },
}

/** One word: what it has to look like beyond that, checks know. */
function isName(text: string): boolean {
  const { tokens, comments, problems } = scan(text)
  const isWhole = tokens.start(0) === 0 && tokens.end(0) === text.length
  return tokens.length === 1 && tokens.kind(0) === NAME && isWhole && comments.length + problems.length === 0
}

/** Checks the text with the new name in it: an error that was not there before is a reason against the name. */
function refuseMistakes({ read, checked }: EditorDocument, spans: readonly Span[], newName: string): void {
  const { text } = read.tree
  const place = shift(spans, newName.length)
  const known = new Set(checked.diagnostics.map(({ code, range }) => `${code} ${place(range.start.offset)}`))
  const mistake = checkText(replaced(text, spans, newName)).diagnostics.find(
    ({ code, range }) => severityOf(code) === 'error' && !known.has(`${code} ${range.start.offset}`),
  )
  if (mistake !== undefined) throw refusal(mistake.message)
}

function replaced(text: string, spans: readonly Span[], newName: string): string {
  let at = 0
  const parts: string[] = []
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), newName)
    at = end
  }
  return parts.join('') + text.slice(at)
}

/** Where an offset is when every span, in the order of the text, has another length. */
function shift(spans: readonly Span[], length: number): (offset: number) => number {
  return (offset) => {
    let moved = offset
    for (const { start, end } of spans) {
      if (start >= offset) break
      moved += length - (Math.min(end, offset) - start)
    }
    return moved
  }
}

function refusal(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message)
}
