import type { AstNode } from 'langium'
import type { Block, Import, Member, Metadata } from '../generated/ast.ts'
import { isBlockKind } from '../builtins.ts'
import type { RawDiagnostic } from '../raw-diagnostic.ts'
import { appendCst, TokenNode } from './cst.ts'
import { BraceBalance, DeclarationBounds } from './declaration-bounds.ts'
import { LexicalErrors } from './lexical-errors.ts'
import { UNTERMINATED_COMMENT } from './lexer.ts'
import { MAX_DEPTH, nestingOf } from './nesting.ts'
import { markParseError } from './parse-errors.ts'
import { cstOf, OpenBlocks } from './open-blocks.ts'
import type { RuleResult } from './rule-parser.ts'
import type { Segment } from './segment.ts'
import * as errors from './syntax-errors.ts'
import { TokenCursor } from './token-cursor.ts'
import type { ILexingError, IToken, TokenType } from './token.ts'

/** Parses tokens with a grammar rule, and knows the token types of the grammar. */
export interface RuleReader {
  readonly tokenTypes: Record<string, TokenType>
  readonly read: <Node extends AstNode>(rule: string, tokens: IToken[]) => RuleResult<Node>
}

/** The grammar rule of metadata with this name. */
function metadataRule(name: string | undefined): Metadata['$type'] {
  if (name === 'uses') return 'Uses'
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
  readonly #segment: Segment
  readonly #cursor: TokenCursor
  readonly #reader: RuleReader
  readonly #lexicalErrors: LexicalErrors
  readonly #isCutOff: boolean
  readonly #errors: RawDiagnostic[] = []
  readonly #imports: Import[] = []
  readonly #braces: BraceBalance
  readonly #open: OpenBlocks
  readonly #bounds: DeclarationBounds

  constructor(segment: Segment, lexicalErrors: readonly ILexingError[], reader: RuleReader) {
    this.#segment = segment
    this.#cursor = new TokenCursor(segment.tokens)
    this.#reader = reader
    this.#lexicalErrors = new LexicalErrors(segment.text, this.#cursor, lexicalErrors)
    const unterminated = lexicalErrors.find(({ message }) => message === UNTERMINATED_COMMENT)
    this.#isCutOff = unterminated !== undefined
    if (unterminated !== undefined) this.#errors.push(errors.unterminatedComment(unterminated.offset))
    this.#braces = new BraceBalance(segment.tokens)
    this.#open = new OpenBlocks(segment, this.#cursor, this.#braces, this.#errors)
    this.#bounds = new DeclarationBounds(this.#cursor, this.#braces)
  }

  /** Parses the whole segment and stores the result in it. */
  read(): void {
    const cursor = this.#cursor
    const count = cursor.tokens.length
    while (cursor.index < count && this.#errors.length <= MAX_SYNTAX_ERRORS) {
      const before = cursor.index
      this.#statement(before)
      if (cursor.index === before) cursor.index++
    }
    if (cursor.index < count) {
      this.#finish(true)
      return
    }
    const left = this.#lexicalErrors.next()
    if (left !== undefined) this.#errors.push(left)
    // Only the innermost block that is still open at the end of the text is reported.
    if (!this.#isCutOff) this.#open.reportUnclosed(count)
    this.#finish(false)
  }

  /** Stores the result in the segment. Text that was not parsed may declare any name. */
  #finish(isCutShort: boolean): void {
    this.#open.markOpen()
    if (isCutShort) this.#segment.hasLostName = true
    this.#segment.imports = this.#imports
    this.#segment.members = this.#open.members
    this.#segment.cst = this.#open.cst
    this.#segment.syntaxErrors = this.#errors
  }

  #statement(at: number): void {
    const cursor = this.#cursor
    if (this.#braces.missing > 0 && this.#open.depth > 1 && cursor.image(at) !== '}')
      this.#open.closeByIndentation(at)
    if (cursor.image(at) === ';' || cursor.beginsLine(at)) this.#reportSeparate(at)
    if (this.#import(at)) return
    switch (cursor.image(at)) {
      case ';':
        this.#open.addToken(at)
        cursor.index++
        return
      case '}':
        this.#open.closeBrace(at)
        cursor.index++
        return
      case ')':
      case ']':
        if (this.#closeByMistake(at)) return
        break
      case '{':
        if (this.#braces.missing <= 0) break
        this.#braces.missing--
        this.#report(at, errors.surplusToken(cursor, at))
        cursor.index++
        return
      case '#':
        this.#declaration(at, this.#bounds.endOf(at), metadataRule(cursor.image(at + 1)))
        return
      default:
        if (!cursor.isWord(at) && !(cursor.isName(at) && cursor.image(at + 1) === ':')) break
        if (this.#head(at)) return
        if (this.#bounds.isReversed(at)) this.#reversedAttribute(at)
        else this.#declaration(at, this.#bounds.endOf(at), 'Declaration')
        return
    }
    // No declaration begins with this token.
    const end = this.#bounds.endOf(at)
    this.#report(at, errors.unexpectedStart(cursor, at, this.#open.depth === 0))
    cursor.index = end
    if (cursor.image(end) === '{') this.#openBlock({ brace: end })
  }

  /** Reads an import, or reports what was meant as one. Returns false for anything else. */
  #import(at: number): boolean {
    const cursor = this.#cursor
    const isTopLevel = this.#open.depth === 0
    const hasPath = cursor.image(at + 1).startsWith('"')
    const isMeant = hasPath ? IMPORT.test(cursor.image(at)) : isTopLevel && cursor.image(at) === 'import'
    if (!isMeant || cursor.image(at + 1) === ':') return false
    let end = hasPath ? at + 2 : at + 1
    while (end < cursor.tokens.length && !cursor.beginsLine(end) && cursor.image(end - 1) !== ';') end++
    const { node } = isTopLevel
      ? this.#reader.read<Import>('Import', cursor.tokens.slice(at, end))
      : { node: undefined }
    this.#lexicalErrors.takeBefore(end)
    cursor.index = end
    if (node === undefined) {
      this.#errors.push(errors.invalidImport(cursor, at, end, isTopLevel))
      this.#segment.hasLostImport = true
    } else {
      this.#imports.push(node)
      this.#open.cst.push(cstOf(node))
    }
    return true
  }

  /** Parses one declaration with a grammar rule, or reports the first token that the rule rejects. */
  #declaration(from: number, to: number, rule: 'Declaration' | Metadata['$type']): void {
    const cursor = this.#cursor
    const slice = cursor.tokens.slice(from, to)
    cursor.index = to
    const depth = this.#open.depth
    const tooDeep = depth + nestingOf(slice) > MAX_DEPTH
    const result: RuleResult<Member> = tooDeep
      ? { node: undefined, errorIndex: 0, expected: undefined }
      : this.#reader.read<Member>(rule, slice)
    const lexical = this.#lexicalErrors.takeBefore(to)
    if (result.node !== undefined) {
      if (lexical !== undefined) {
        this.#errors.push(lexical)
        markParseError(result.node)
      } else if (this.#open.isClosedTooEarly) markParseError(result.node)
      this.#open.add(result.node)
      return
    }
    const errorIndex = from + result.errorIndex
    if (tooDeep) this.#errors.push(this.#tooDeep(from, depth))
    else if (lexical !== undefined && (errorIndex >= to || lexical.start < cursor.start(errorIndex)))
      this.#errors.push(lexical)
    // At the end of the text, the error about the unclosed block is sufficient.
    else if (errorIndex < cursor.tokens.length || this.#open.depth === 0)
      this.#errors.push(
        errors.unexpectedToken(cursor, {
          index: errorIndex,
          from,
          expected: result.expected,
          likelyKind: this.#open.likelyKind,
        }),
      )
    if (rule === 'Declaration') this.#keepAttribute(from, to, errorIndex)
    if (cursor.image(to) === '{') this.#openBlock({ brace: to })
  }

  /** Opens a block whose head, which may be invalid, is at `at`. Returns false if there is none. */
  #head(at: number): boolean {
    const cursor = this.#cursor
    const hasColon = cursor.image(at + 1) === ':'
    const isMistyped = !hasColon && this.#bounds.isColonMistyped(at)
    if (hasColon && cursor.beginsLine(at + 2) && cursor.image(at + 3) === ':') return false
    if (!hasColon && this.#reversedHead(at)) return true
    const kindAt = hasColon || isMistyped ? at + 2 : at + 1
    const hasKind = cursor.isWord(kindAt)
    const kind = hasKind ? cursor.image(kindAt) : this.#open.likelyKind
    const isKnownKind = hasKind && isBlockKind(kind)
    const next = hasKind ? kindAt + 1 : kindAt
    const brace = cursor.image(next) === '{' ? next : isKnownKind ? this.#bounds.braceNear(next) : undefined
    if (brace === undefined)
      return isKnownKind && (hasColon || isMistyped) && this.#headWithoutBrace(at, next)
    if (!hasColon && !isMistyped && hasKind && !cursor.isWord(at + 1)) return false
    if (hasColon && kind === 'enum' && brace === next) {
      this.#enumInBraces(brace)
      return true
    }
    if (this.#braces.missing > 0) this.#open.closeForgotten(at, kind)
    const lexical = this.#lexicalErrors.takeBefore(brace)
    if (lexical !== undefined) this.#errors.push(lexical)
    else if (isMistyped) this.#report(at + 1, errors.signForColon(cursor, at + 1))
    else if (!hasColon)
      this.#errors.push(errors.missingColon(cursor, at, hasKind ? undefined : this.#open.likelyKind))
    else if (!hasKind) this.#errors.push(errors.missingKind(cursor, at, this.#open.likelyKind))
    else if (brace > next) this.#errors.push(errors.wordsBeforeBrace(cursor, next))
    this.#openBlock({ name: at, kind: hasKind ? kindAt : undefined, brace })
    return true
  }

  /** `service Home {`, as in other languages. */
  #reversedHead(at: number): boolean {
    const cursor = this.#cursor
    const brace = this.#bounds.isReversed(at) ? this.#bounds.braceNear(at + 1) : undefined
    if (brace === undefined) return false
    const word = cursor.image(at)
    const kind = isBlockKind(word) ? word : this.#open.likelyKind
    if (this.#braces.missing > 0) this.#open.closeForgotten(at, kind)
    this.#errors.push(errors.nameAfterType(cursor, at, kind))
    this.#lexicalErrors.takeBefore(brace)
    this.#openBlock({ name: at + 1, ...(isBlockKind(word) ? { kind: at } : {}), brace })
    return true
  }

  /** `Home: service` with another bracket, or none, instead of its `{`. */
  #headWithoutBrace(at: number, next: number): boolean {
    const cursor = this.#cursor
    const image = cursor.image(next)
    const isOtherBracket = image === '(' || image === '['
    const isMember = cursor.image(next + 1) === '#' || cursor.image(next + 2) === ':'
    if (isOtherBracket && this.#braces.missing < 0 && (cursor.beginsLine(next + 1) || isMember)) {
      this.#braces.missing++
      this.#report(next, errors.bracketForBrace(cursor, at, next))
      this.#openBlock({ name: at, kind: next - 1, brace: next })
      return true
    }
    // In a block, a name that starts with a lowercase letter may be the name of an attribute.
    if (this.#open.depth > 0 && !/^\p{Lu}/u.test(cursor.image(at))) return false
    if (image === '@' || image === '(') return false
    const hasMembers =
      image === '#' || image === '}'
        ? this.#braces.missing < 0
        : cursor.isWord(next) &&
          cursor.image(next + 1) === ':' &&
          (cursor.image(next + 3) !== '{' || cursor.image(next + 2) === 'struct')
    this.#errors.push(errors.missingBrace(cursor, at, next, hasMembers))
    this.#cursor.index = next
    this.#openBlock({ name: at, kind: next - 1 })
    if (hasMembers) this.#braces.missing++
    else this.#open.closeBroken()
    return true
  }

  #reversedAttribute(at: number): void {
    const cursor = this.#cursor
    const end = this.#bounds.endOf(at)
    this.#errors.push(errors.nameAfterType(cursor, at, cursor.image(at)))
    this.#lexicalErrors.takeBefore(end)
    this.#keepAttribute(at + 1, at + 2, at + 2)
    cursor.index = end
  }

  /**
   * Keeps the name and type of an invalid attribute, or of what may be one, because checks need to know that it
   * exists and what it refers to. `errorIndex` is the token that the grammar rejected.
   */
  #keepAttribute(from: number, to: number, errorIndex: number): void {
    const cursor = this.#cursor
    const name = cursor.at(from)
    const hasColon = cursor.image(from + 1) === ':'
    const typeAt = hasColon || cursor.image(from + 1) === '=' ? from + 2 : from + 1
    const isTypeRead = typeAt < to && cursor.isWord(typeAt) && (typeAt < errorIndex || !hasColon)
    const { node } = this.#reader.read<Member>('Declaration', [
      name,
      hasColon ? cursor.at(from + 1) : this.#synthetic(':', name),
      isTypeRead ? cursor.at(typeAt) : this.#synthetic('', name, 'ID'),
    ])
    if (node === undefined) return
    markParseError(node)
    this.#open.add(node)
    // The following tokens belong to the attribute, but not to any of its properties.
    const rest = isTypeRead ? typeAt + 1 : typeAt
    for (let at = rest; at < to; at++) appendCst(cstOf(node), new TokenNode(cursor.at(at), this.#segment))
  }

  /** Opens a block with the existing tokens of its head. */
  #openBlock({ name, kind, brace }: { name?: number; kind?: number | undefined; brace?: number }): void {
    const cursor = this.#cursor
    const near = cursor.at(brace ?? cursor.index - 1)
    const kindImage = kind === undefined ? this.#open.likelyKind : cursor.image(kind)
    const { node } = this.#reader.read<Block>('Declaration', [
      name === undefined ? this.#synthetic('', near, 'ID') : cursor.at(name),
      this.#synthetic(':', near),
      kind === undefined ? this.#synthetic(kindImage, near) : cursor.at(kind),
      brace === undefined || cursor.image(brace) !== '{' ? this.#synthetic('{', near) : cursor.at(brace),
      this.#synthetic('}', near),
    ])
    if (node === undefined) return
    if (name === undefined) this.#segment.hasLostName = true
    // Nothing in a block is misplaced if its kind is only guessed.
    const isUncertain = name === undefined || kind === undefined
    if (isUncertain || (this.#open.isClosedTooEarly && kindImage === 'struct')) markParseError(node)
    if (brace !== undefined) cursor.index = brace + 1
    if (this.#open.depth >= MAX_DEPTH) {
      this.#errors.push(this.#tooDeep(brace ?? cursor.index, MAX_DEPTH))
      this.#skipBlock()
      return
    }
    this.#open.open({
      node,
      kind: kindImage,
      name,
      indentation: name === undefined ? undefined : cursor.indentation(name),
    })
  }

  /** `status: enum { open, closed }` */
  #enumInBraces(brace: number): void {
    const cursor = this.#cursor
    this.#report(brace, errors.enumInBraces(cursor, brace))
    // Attributes may have its name as their type.
    if (this.#open.depth === 0) this.#segment.hasLostName = true
    cursor.index = brace + 1
    this.#skipBlock()
    this.#lexicalErrors.takeBefore(cursor.index)
    if (cursor.image(cursor.index) === ';') cursor.index++
  }

  /** Skips to after the `}` of the block whose `{` was the last token. */
  #skipBlock(): void {
    const cursor = this.#cursor
    for (let depth = 1; depth > 0 && cursor.index < cursor.tokens.length; cursor.index++) {
      if (cursor.image(cursor.index) === '{') depth++
      else if (cursor.image(cursor.index) === '}') depth--
    }
  }

  /** Treats a `)` or `]` on its own line as the missing `}`. Returns false if it is something else. */
  #closeByMistake(at: number): boolean {
    const cursor = this.#cursor
    const isAlone = cursor.beginsLine(at) && (cursor.image(at + 1) === ';' || cursor.beginsLine(at + 1))
    if (this.#braces.missing <= 0 || this.#open.depth === 0 || !isAlone) return false
    this.#report(at, errors.bracketForClosingBrace(cursor, at))
    this.#braces.missing--
    cursor.index++
    this.#open.close()
    return true
  }

  /** Reports characters between two declarations that belong to neither. */
  #reportSeparate(at: number): void {
    const lexical = this.#lexicalErrors.takeSeparate(at)
    if (lexical !== undefined) this.#errors.push(lexical)
  }

  /** Reports an error at a token, unless characters before it that belong to no token are the mistake. */
  #report(at: number, error: RawDiagnostic): void {
    const lexical = this.#lexicalErrors.takeBefore(at)
    this.#errors.push(lexical ?? error)
  }

  /** The first bracket of a declaration that is nested too deeply, where `depth` are open around it. */
  #tooDeep(from: number, depth: number): RawDiagnostic {
    const cursor = this.#cursor
    let at = from
    for (let open = depth; at < cursor.tokens.length; at++) {
      if (/^[([{]$/.test(cursor.image(at)) && ++open > MAX_DEPTH) break
      if (/^[)\]}]$/.test(cursor.image(at))) open--
    }
    return errors.tooDeep(cursor, at, MAX_DEPTH)
  }

  /** A token that is not in the text. */
  #synthetic(image: string, near: IToken, type = image): IToken {
    const tokenType = this.#reader.tokenTypes[type] as TokenType
    return {
      ...near,
      image,
      tokenType,
      tokenTypeIdx: tokenType.tokenTypeIdx ?? 0,
      isInsertedInRecovery: true,
    }
  }
}
