import { diffArrays } from 'diff'
import type { Formatter } from 'langium/lsp'
import type { Range, TextEdit } from 'vscode-languageserver'
import { formatText } from '../formatter.ts'
import { type EditorDocument, editorDocument } from './document.ts'
import { ancestry, nodeAtToken } from './place.ts'

/** Where more lines than this differ, they are replaced as one: comparing them would take too long. */
const MOST_DIFFERENCES = 400

/** The standard layout of `portico format`; a text with syntax errors stays as it is. */
export const formatting: Formatter = {
  formatDocument: (document) => edits(editorDocument(document)),
  formatDocumentRange: (document, { range }) => editsWithin(editorDocument(document), range),
  formatDocumentOnType: (document, { position, ch }) => {
    const edited = editorDocument(document)
    const { line } = position
    if (ch !== '}')
      return editsWithin(edited, { start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
    const range = closedBlock(edited, edited.textDocument.offsetAt(position))
    return range === undefined ? [] : editsWithin(edited, range)
  },
  formatOnTypeOptions: { firstTriggerCharacter: ';', moreTriggerCharacter: ['}'] },
}

/** Edits of whole lines, as few as there are differences, so that cursors and folds stay where they are. */
function edits({ textDocument }: EditorDocument): TextEdit[] {
  const text = textDocument.getText()
  const formatted = formatText(text).text
  if (formatted === undefined || formatted === text) return []
  const before = linesOf(text)
  const after = linesOf(formatted)
  const parts = diffArrays(before, after, { maxEditLength: MOST_DIFFERENCES })
  if (parts === undefined)
    return [
      {
        range: { start: { line: 0, character: 0 }, end: textDocument.positionAt(text.length) },
        newText: formatted,
      },
    ]
  const found: TextEdit[] = []
  let line = 0
  let open: { start: number; end: number; lines: string[] } | undefined
  const close = (): void => {
    if (open === undefined) return
    const { start, end, lines } = open
    // As many lines as before are those lines, each for itself.
    if (lines.length === end - start)
      found.push(
        ...lines.map((newText, index) => ({ range: lineRange(start + index, start + index + 1), newText })),
      )
    else found.push({ range: lineRange(start, end), newText: lines.join('') })
    open = undefined
  }
  for (const { added, removed, value, count } of parts) {
    if (!added && !removed) {
      close()
      line += count
      continue
    }
    open ??= { start: line, end: line, lines: [] }
    if (added) open.lines.push(...value)
    else open.end = line += count
  }
  close()
  return found
}

/** The edits that touch a range. */
function editsWithin(document: EditorDocument, { start, end }: Range): TextEdit[] {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  return edits(document).filter(({ range }) => {
    const lastOfEdit = Math.max(range.start.line, range.end.line - 1)
    return range.start.line <= last && lastOfEdit >= start.line
  })
}

/** The block that the `}` before an offset closes. */
function closedBlock({ read, textDocument }: EditorDocument, offset: number): Range | undefined {
  const { tokens } = read.tree
  const token = tokens.firstFrom(offset) - 1
  if (token < 0 || tokens.textOf(token) !== '}') return undefined
  for (const node of ancestry(nodeAtToken(read.definition, token))) {
    if (node.$type === 'Block' && node.$last === token)
      return {
        start: textDocument.positionAt(tokens.start(node.$first)),
        end: textDocument.positionAt(tokens.end(token)),
      }
  }
  return undefined
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/)
}

function lineRange(start: number, end: number): Range {
  return { start: { line: start, character: 0 }, end: { line: end, character: 0 } }
}
