import { LSPErrorCodes, type Position, type Range, ResponseError } from 'vscode-languageserver-protocol/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Client } from './harness.ts'

/** Requests that take a text and a place in it. */
const AT_PLACE = [
  'textDocument/completion',
  'textDocument/definition',
  'textDocument/documentHighlight',
  'textDocument/hover',
  'textDocument/linkedEditingRange',
  'textDocument/onTypeFormatting',
  'textDocument/prepareRename',
  'textDocument/references',
  'textDocument/rename',
  'textDocument/selectionRange',
  'textDocument/signatureHelp',
  'textDocument/typeDefinition',
] as const
/** Requests that take a text, or a range of it. */
const OF_TEXT = [
  'textDocument/codeAction',
  'textDocument/codeLens',
  'textDocument/documentLink',
  'textDocument/documentSymbol',
  'textDocument/foldingRange',
  'textDocument/formatting',
  'textDocument/inlayHint',
  'textDocument/rangeFormatting',
  'textDocument/semanticTokens/full',
  'textDocument/semanticTokens/range',
] as const

/** Every request about a text that the server answers. */
export const REQUESTS: readonly string[] = [...AT_PLACE, ...OF_TEXT]

/**
 * Sends a request about a place in an open text. Returns what is wrong with the ranges in the response. Throws if the
 * response is an error, other than that there is nothing to be renamed.
 *
 * @param range of the requests that take one
 */
export async function mistakesInResponse(
  client: Client,
  uri: string,
  method: string,
  offset: number,
  range: Range,
): Promise<readonly string[]> {
  const { textDocument, position } = client.at(uri, offset)
  const document = client.document(uri)
  const line = document.getText().slice(0, offset).split('\n').at(-1)
  const what = `${method} after \`${line}\` at ${position.line}:${position.character}`
  const response = await client.connection
    .sendRequest<unknown>(method, {
      textDocument,
      position,
      positions: [position],
      range,
      ch: ';',
      newName: 'newName',
      context: { diagnostics: [], includeDeclaration: true },
      options: { tabSize: 2, insertSpaces: true },
    })
    .catch((error: unknown) => {
      if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestFailed) return null
      throw new Error(what, { cause: error })
    })
  return mistakesIn(response, document).map((mistake) => `${what}: ${mistake}`)
}

interface Fields {
  readonly [name: string]: unknown
}

/** What is wrong with the ranges in a response; nothing in a valid one. */
function mistakesIn(response: unknown, document: TextDocument): string[] {
  const mistakes: string[] = []
  const expectIn = (outer: unknown, inner: unknown, what: string): void => {
    if (isRange(outer) && isRange(inner) && !(contains(outer, inner.start) && contains(outer, inner.end)))
      mistakes.push(`${what}: ${shown(inner)} is not in ${shown(outer)}`)
  }
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      if (name === 'data') mistakes.push(...invalidTokens(value as number[], document))
      else for (const item of value) visit(item, name)
      const edits = value.flatMap((item: Fields) =>
        typeof item === 'object' && 'newText' in item && isRange(item['range']) ? [item['range']] : [],
      )
      if (edits.toSorted(byStart).some(beginsInPrevious)) mistakes.push(`the edits of ${name} overlap`)
      return
    }
    if (typeof value !== 'object' || value === null) return
    if (isPosition(value) && !isIn(document, value)) mistakes.push(`${name} is not in the text`)
    if (isRange(value) && isBefore(value.end, value.start))
      mistakes.push(`${name}: ${shown(value)} ends before it starts`)
    const fields = value as Fields
    const { range, parent, children, startLine, endLine } = fields
    expectIn(range, fields['selectionRange'], 'selectionRange')
    expectIn(fields['targetRange'], fields['targetSelectionRange'], 'targetSelectionRange')
    if (typeof parent === 'object') expectIn((parent as Fields)['range'], range, 'parent')
    for (const child of Array.isArray(children) ? children : [])
      expectIn(range, (child as Fields)['range'], 'child')
    if (
      typeof startLine === 'number' &&
      !(startLine < Number(endLine) && Number(endLine) < document.lineCount)
    )
      mistakes.push(`lines ${startLine} to ${String(endLine)}`)
    for (const [inner, child] of Object.entries(fields)) visit(child, inner)
  }
  visit(response, 'response')
  return mistakes
}

/** Semantic tokens are in the text, on one line each, and do not overlap. */
function invalidTokens(data: readonly number[], document: TextDocument): string[] {
  const mistakes: string[] = []
  const end = { line: 0, character: 0 }
  let start = end
  for (let index = 0; index < data.length; index += 5) {
    const [lines = 0, characters = 0, length = 0] = data.slice(index, index + 3)
    start = { line: start.line + lines, character: (lines === 0 ? start.character : 0) + characters }
    if (isBefore(start, end)) mistakes.push(`token ${index / 5} overlaps`)
    Object.assign(end, { line: start.line, character: start.character + length })
    if (length <= 0 || !isIn(document, end)) mistakes.push(`token ${index / 5} is not in the text`)
  }
  return mistakes
}

function isPosition(value: unknown): value is Position {
  return typeof value === 'object' && value !== null && 'line' in value && 'character' in value
}

function isRange(value: unknown): value is Range {
  if (typeof value !== 'object' || value === null || !('start' in value && 'end' in value)) return false
  return isPosition(value.start) && isPosition(value.end)
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character)
}

function contains({ start, end }: Range, position: Position): boolean {
  return !isBefore(position, start) && !isBefore(end, position)
}

function isIn(document: TextDocument, { line, character }: Position): boolean {
  const { line: last } = document.positionAt(document.getText().length)
  // An end at the start of the line after the last one is the end of the text.
  if (line > last) return line === last + 1 && character === 0
  const at = document.positionAt(document.offsetAt({ line, character }))
  return at.line === line && at.character === character
}

function byStart({ start: a }: Range, { start: b }: Range): number {
  return a.line - b.line || a.character - b.character
}

function beginsInPrevious({ start }: Range, index: number, ranges: readonly Range[]): boolean {
  const previous = ranges[index - 1]
  return previous !== undefined && isBefore(start, previous.end)
}

function shown({ start, end }: Range): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`
}
