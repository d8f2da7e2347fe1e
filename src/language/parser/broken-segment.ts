import { metadataNamed } from '../builtins.ts'
import type { Import, Metadata } from '../generated/ast.ts'
import { BlockHeadRecovery } from './block-head-recovery.ts'
import { DeclarationRecovery } from './declaration-recovery.ts'
import { cstOf } from './open-blocks.ts'
import { foreignStatement } from './foreign-statement.ts'
import { docstring } from './messages/declarations.ts'
import { RecoveryContext, type RuleReader } from './recovery-context.ts'
import type { Segment } from './segment.ts'
import * as errors from './syntax-errors.ts'
import type { ILexingError } from './token.ts'

/** The grammar rule of metadata with this name. */
function metadataRule(name: string | undefined): Metadata['$type'] {
  if (name === 'uses') return 'Uses'
  if (name === 'returns') return 'Returns'
  if (name !== undefined && metadataNamed(name)?.parameter?.kind === 'text') return 'Quoted'
  return name === 'enumerable' || name === 'unique' ? 'Selection' : 'Setting'
}

/** What other languages call imports. */
const IMPORT = /^(?:import|include|require|use|using|from)$/

/** After this many syntax errors, the rest of a segment is not parsed. More errors would not help the reader. */
const MAX_SYNTAX_ERRORS = 10_000

/**
 * Parses a segment with syntax errors one declaration at a time. The balance of braces, line starts and indentation
 * decide which tokens belong to a declaration. They are parsed with its grammar rule, and the first token that the
 * rule rejects becomes the diagnostic, so no error extends past its declaration. Only the grammar defines the syntax
 * of declarations.
 */
export class BrokenSegment {
  readonly #recovery: RecoveryContext
  readonly #heads: BlockHeadRecovery
  readonly #declarations: DeclarationRecovery
  readonly #imports: Import[] = []

  constructor(segment: Segment, lexicalErrors: readonly ILexingError[], reader: RuleReader) {
    this.#recovery = new RecoveryContext(segment, lexicalErrors, reader)
    this.#heads = new BlockHeadRecovery(this.#recovery)
    this.#declarations = new DeclarationRecovery(this.#recovery, this.#heads)
  }

  /** Parses the whole segment and stores the result in it. */
  read(): void {
    const { cursor, diagnostics, lexicalErrors, hasUnterminatedComment, open, segment } = this.#recovery
    const count = cursor.tokens.length
    while (cursor.index < count && diagnostics.length <= MAX_SYNTAX_ERRORS) {
      const before = cursor.index
      this.#statement(before)
      if (cursor.index === before) cursor.index++
    }
    if (cursor.index < count) {
      // Text that is not parsed may declare any name.
      segment.hasUnparsedName = true
      this.#finish()
      return
    }
    const left = lexicalErrors.next()
    if (left !== undefined) diagnostics.push(left)
    // Only the innermost block that is still open at the end of the text is reported.
    if (!hasUnterminatedComment) open.reportUnclosed(count)
    this.#finish()
  }

  /** Stores the result in the segment. */
  #finish(): void {
    const { open, segment, diagnostics } = this.#recovery
    open.markOpen()
    segment.imports = this.#imports
    segment.members = open.members
    segment.cst = open.cst
    segment.syntaxErrors = diagnostics
  }

  #statement(at: number): void {
    const { cursor, braces, open, bounds } = this.#recovery
    if (braces.missing > 0 && open.depth > 1 && cursor.image(at) !== '}') open.closeByIndentation(at)
    if (cursor.image(at) === ';' || cursor.beginsLine(at)) this.#reportSeparate(at)
    if (this.#import(at) || this.#docstring(at) || this.#foreignStatement(at)) return
    switch (cursor.image(at)) {
      case ';':
        open.addToken(at)
        cursor.index++
        return
      case '}':
        open.closeBrace(at)
        cursor.index++
        return
      case ')':
      case ']':
        if (this.#closeByMistake(at)) return
        break
      case '{':
        if (braces.missing <= 0) break
        braces.missing--
        this.#recovery.report(at, errors.surplusToken(cursor, at))
        cursor.index++
        return
      case '#':
        this.#declarations.read(at, bounds.endOf(at), metadataRule(cursor.image(at + 1)))
        return
      default:
        if (!cursor.isWord(at) && !(cursor.isName(at) && cursor.image(at + 1) === ':')) break
        if (this.#heads.read(at)) return
        if (bounds.isReversed(at)) this.#declarations.readReversed(at)
        else this.#declarations.read(at, bounds.endOf(at), 'Declaration')
        return
    }
    // No declaration begins with this token.
    const end = bounds.endOf(at)
    this.#recovery.report(at, errors.unexpectedStart(cursor, at, open.depth === 0))
    cursor.index = end
    if (cursor.image(end) === '{') this.#heads.open({ brace: end })
  }

  /** Reads an import, or reports what was meant as one. Returns false for anything else. */
  #import(at: number): boolean {
    const { cursor, open, reader, lexicalErrors, diagnostics, segment } = this.#recovery
    const isTopLevel = open.depth === 0
    const word = isTopLevel && /^[#@]$/.test(cursor.image(at)) ? at + 1 : at
    const next = cursor.image(word + 1)
    const isCall =
      isTopLevel && /^(?:const|let|var)$/.test(cursor.image(at)) && cursor.image(at + 3) === 'require'
    if (next === ':' || !(isCall || IMPORT.test(cursor.image(word).toLowerCase()))) return false
    const hasPath = next.startsWith('"')
    const isOther = isCall || word > at || (IMPORT.test(cursor.image(word)) && /^[\w(]/.test(next))
    if (!hasPath && !(isTopLevel && (cursor.image(at) === 'import' || isOther))) return false
    let end = hasPath ? word + 2 : this.#afterImportedNames(word + 1)
    while (end < cursor.tokens.length && !cursor.beginsLine(end) && cursor.image(end - 1) !== ';') end++
    const { node } = isTopLevel
      ? reader.read<Import>('Import', cursor.tokens.slice(at, end))
      : { node: undefined }
    lexicalErrors.takeBefore(end)
    cursor.index = end
    if (node === undefined) {
      diagnostics.push(errors.invalidImport(cursor, at, end, isTopLevel))
      segment.hasUnparsedImport = true
    } else {
      this.#imports.push(node)
      open.cst.push(cstOf(node))
    }
    return true
  }

  /** Reports `"""documentation"""`, and skips it. */
  #docstring(at: number): boolean {
    const { cursor, lexicalErrors, diagnostics, segment } = this.#recovery
    const start = cursor.image(at) === '""' ? cursor.start(at) : -1
    if (start < 0 || !segment.text.startsWith('"""', start)) return false
    const close = segment.text.indexOf('"""', start + 3)
    const end = close < 0 ? start + 3 : close + 3
    while (cursor.index < cursor.tokens.length && cursor.start(cursor.index) < end) cursor.index++
    lexicalErrors.takeBefore(cursor.index)
    diagnostics.push({ ...docstring(segment.text.slice(start, end)), start, end })
    return true
  }

  /** Reports a declaration of another language, and skips it. */
  #foreignStatement(at: number): boolean {
    const { cursor, open, lexicalErrors, segment } = this.#recovery
    const isTopLevel = open.depth === 0
    // `export Home: service {`
    const isExport = isTopLevel && cursor.image(at) === 'export' && cursor.image(at + 2) === ':'
    const found = foreignStatement(cursor, at, isTopLevel)
    if (found === undefined) return false
    this.#recovery.report(at, errors.foreignStatement(cursor, at, found.help, isExport))
    cursor.index = isExport ? at + 1 : found.end
    if (isExport) return true
    lexicalErrors.takeBefore(found.end)
    // It may declare what others refer to.
    segment.hasUnparsedName = true
    return true
  }

  /** The index after the brackets of `import { Home } from "home.portico"`, which may be on several lines. */
  #afterImportedNames(from: number): number {
    const { cursor } = this.#recovery
    if (!/^[{([]$/.test(cursor.image(from))) return from
    let end = from + 1
    while (cursor.isWord(end) || /^[,"]/.test(cursor.image(end))) end++
    return /^[})\]]$/.test(cursor.image(end)) ? end + 1 : from
  }

  /** Treats a `)` or `]` on its own line as the missing `}`. Returns false if it is something else. */
  #closeByMistake(at: number): boolean {
    const { cursor, braces, open } = this.#recovery
    const isAlone = cursor.beginsLine(at) && (cursor.image(at + 1) === ';' || cursor.beginsLine(at + 1))
    if (braces.missing <= 0 || open.depth === 0 || !isAlone) return false
    this.#recovery.report(at, errors.bracketForClosingBrace(cursor, at))
    braces.missing--
    cursor.index++
    open.close()
    return true
  }

  /** Reports characters between two declarations that belong to neither. */
  #reportSeparate(at: number): void {
    const { lexicalErrors, diagnostics } = this.#recovery
    const lexical = lexicalErrors.takeSeparate(at)
    if (lexical !== undefined) diagnostics.push(lexical)
  }
}
