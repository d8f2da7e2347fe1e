import { diffArrays } from 'diff'
import { AstUtils, type LangiumDocument } from 'langium'
import type { Formatter, LangiumSharedServices } from 'langium/lsp'
import { MessageType, type Range, ShowMessageNotification, type TextEdit } from 'vscode-languageserver'
import { formatParsed } from '../language/formatter.ts'
import { isBlock } from '../language/generated/ast.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import type { Segment } from '../language/parser/segment.ts'
import { printable } from '../language/quote.ts'
import { listed } from '../naming.ts'
import { parseResultOf, rangeOf } from './parsed-document.ts'
import { leafAt } from './leaf-at.ts'

/** If more lines differ, they are replaced in one edit, because comparing them would take too long. */
const MAX_DIFFERENCES = 400
/** The same in the blocks of a range, outside of which nothing must change. */
const MAX_DIFFERENCES_OF_RANGE = 5000

/**
 * The standard layout of `portico format`; blocks with syntax errors stay as they are. A client that requests the
 * layout of a whole document is told about them, once.
 */
export function formatting({ lsp: { Connection } }: LangiumSharedServices): Formatter {
  /** The last message about each document. */
  const messages = new WeakMap<LangiumDocument, string | undefined>()
  return {
    formatDocument: (document) => {
      const message = skippedMessage(parseResultOf(document))
      if (message !== undefined && message !== messages.get(document))
        void Connection?.sendNotification(ShowMessageNotification.type, {
          type: MessageType.Warning,
          message,
        })
      messages.set(document, message)
      return edits(document)
    },
    formatDocumentRange: (document, { range }) => editsWithin(document, range),
    formatDocumentOnType: (document, { position, ch }) => {
      const { line } = position
      if (ch !== '}')
        return editsWithin(document, { start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
      const range = closedBlock(document, document.textDocument.offsetAt(position))
      return range === undefined ? [] : editsWithin(document, range)
    },
    formatOnTypeOptions: { firstTriggerCharacter: ';', moreTriggerCharacter: ['}'] },
  }
}

/** Names the blocks that are not formatted. */
function skippedMessage({ segments }: DefinitionParseResult): string | undefined {
  const skipped = segments.filter(({ syntaxErrors }) => syntaxErrors.length > 0)
  if (skipped.length === 0) return undefined
  const names = skipped.flatMap(({ members }) => members.filter(isBlock).map(({ name }) => printable(name)))
  if (names.length === 0) return 'Text with a syntax error was not formatted'
  const verbs = names.length === 1 ? ['has a syntax error', 'was'] : ['have syntax errors', 'were']
  return `${listed(names, 'and')} ${verbs.join(' and ')} not formatted`
}

/**
 * Edits of whole lines, only where the texts differ, so that cursors and folds keep their positions. `isWanted` says
 * which segments are formatted.
 */
function edits(document: LangiumDocument, isWanted?: (segment: Segment) => boolean): TextEdit[] {
  const { textDocument } = document
  const result = parseResultOf(document)
  const { text } = result
  const formatted = formatParsed(result, isWanted)
  if (formatted === text) return []
  const before = linesOf(text)
  const after = linesOf(formatted)
  const parts = diffArrays(before, after, {
    maxEditLength: isWanted === undefined ? MAX_DIFFERENCES : MAX_DIFFERENCES_OF_RANGE,
  })
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
    // If the number of lines is the same, each line is replaced separately.
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

/** The edits that touch a range, together with those that move text to or from their lines. */
function editsWithin(document: LangiumDocument, { start, end }: Range): TextEdit[] {
  const [from, to] = [document.textDocument.offsetAt(start), document.textDocument.offsetAt(end)]
  const isInRange = ({ offset, text }: Segment): boolean => offset <= to && from <= offset + text.length
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const found: TextEdit[] = []
  let group: TextEdit[] = []
  /** How much text the group adds to its lines. */
  let surplus = 0
  const close = (): void => {
    const isTouched = group.some(({ range }) => {
      const lastOfEdit = Math.max(range.start.line, range.end.line - 1)
      return range.start.line <= last && lastOfEdit >= start.line
    })
    if (isTouched) found.push(...group)
    group = []
  }
  for (const edit of edits(document, isInRange)) {
    group.push(edit)
    surplus += sizeOf(edit.newText) - sizeOf(document.textDocument.getText(edit.range))
    if (surplus === 0) close()
  }
  close()
  return found
}

/** The length of a text without what the layout adds and removes. */
function sizeOf(text: string): number {
  return text.replace(/[\s;,]/g, '').length
}

/** The block that the `}` before an offset closes. */
function closedBlock(document: LangiumDocument, offset: number): Range | undefined {
  const leaf = leafAt(parseResultOf(document), offset - 1)
  if (leaf?.token.image !== '}') return undefined
  const cst = AstUtils.getContainerOfType(leaf.astNode, isBlock)?.$cstNode
  return cst && rangeOf(document, { start: cst.offset, end: cst.end })
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/)
}

function lineRange(start: number, end: number): Range {
  return { start: { line: start, character: 0 }, end: { line: end, character: 0 } }
}
