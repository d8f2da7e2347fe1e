import { type Diagnostic, hasErrors, severityOf } from '../diagnostics/diagnostic.ts'
import { checkDefinition } from './checks/all.ts'
import type { CheckMemory } from './checks/memory.ts'
import type { Definition } from './generated/ast.ts'
import type { Lines } from './syntax/lines.ts'
import { type Read, read } from './syntax/read.ts'
import type { Finding } from './syntax/tree.ts'

/** A definition that has been read and checked. */
export interface CheckedDefinition {
  /** The syntax tree. Where `valid` is false it holds what could be read. */
  readonly ast: Definition
  /** All of them (of each severity the first 10,000 that are found), in the order of the text. */
  readonly diagnostics: readonly Diagnostic[]
  /** No diagnostic is an error: the tree is complete and every check has passed. */
  readonly valid: boolean
}

/** Longer texts, in UTF-16 code units, are not read: several thousand services fit. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024

/**
 * The whole way from a text to a syntax tree and every diagnostic there is about it: what hosts call.
 * Synchronous, total (no text makes it throw), in time linear in the text, without a file system. Names of
 * other definitions are never seen.
 */
export function checkText(text: string): CheckedDefinition {
  return checkRead(readText(text))
}

/** The first half of `checkText`, for what needs a tree and no diagnostics yet. */
export function readText(text: string): Read {
  if (text.length <= MAX_TEXT_LENGTH) return read(text)
  const nothing = read('')
  nothing.findings.add(TOO_LARGE)
  return nothing
}

/**
 * The second half. To be called once for what was read: checks add to its findings.
 *
 * @param memory of earlier states of the same definition, which saves checking what has not changed
 */
export function checkRead(result: Read, memory?: CheckMemory): CheckedDefinition {
  if (result.findings.last !== TOO_LARGE) checkDefinition(result, memory)
  const diagnostics = result.findings
    .inOrder(result.tree.text.length)
    .map((finding) => toDiagnostic(finding, result.tree.lines))
  return { ast: result.definition, diagnostics, valid: !hasErrors(diagnostics) }
}

const TOO_LARGE: Finding = {
  code: 'definition-too-large',
  start: 0,
  end: 0,
  message:
    'This text is larger than any definition (4 Mi characters) and was not read. Check that it is the right file.',
}

function toDiagnostic({ code, start, end, message, related = [], data }: Finding, lines: Lines): Diagnostic {
  return {
    code,
    severity: severityOf(code),
    range: lines.rangeOf(start, end),
    message,
    related: related.map((place) => ({
      range: lines.rangeOf(place.start, place.end),
      message: place.message,
    })),
    data,
  }
}
