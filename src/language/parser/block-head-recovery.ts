import { isBlockKind, isInnerKind } from '../builtins.ts'
import type { Block } from '../generated/ast.ts'
import { MAX_DEPTH } from './nesting.ts'
import { markParseError } from './parse-errors.ts'
import type { RecoveryContext } from './recovery-context.ts'
import * as errors from './syntax-errors.ts'

/** Opens blocks whose heads may be invalid: with a missing or mistyped colon, kind or brace, or words in another order. */
export class BlockHeadRecovery {
  readonly #recovery: RecoveryContext

  constructor(recovery: RecoveryContext) {
    this.#recovery = recovery
  }

  /** Opens a block whose head, which may be invalid, is at `at`. Returns false if there is none. */
  read(at: number): boolean {
    const { cursor, bounds, open, braces, lexicalErrors, diagnostics } = this.#recovery
    const hasColon = cursor.image(at + 1) === ':'
    const isMistyped = !hasColon && bounds.isColonMistyped(at)
    if (hasColon && cursor.beginsLine(at + 2) && cursor.image(at + 3) === ':') return false
    if (!hasColon && this.#reversedHead(at)) return true
    const kindAt = hasColon || isMistyped ? at + 2 : at + 1
    const hasKind = cursor.isWord(kindAt)
    const kind = hasKind ? cursor.image(kindAt) : open.likelyKind
    const isKnownKind = hasKind && isBlockKind(kind)
    const next = hasKind ? kindAt + 1 : kindAt
    const brace = cursor.image(next) === '{' ? next : isKnownKind ? bounds.braceNear(next) : undefined
    if (brace === undefined)
      return isKnownKind && (hasColon || isMistyped) && this.#headWithoutBrace(at, next)
    if (!hasColon && !isMistyped && hasKind && !cursor.isWord(at + 1)) return false
    if (!hasColon && !isMistyped && brace === next && this.#headOfOtherLanguage(at, brace)) return true
    const isType = kind === 'enum' || (cursor.isPrimitive(kindAt) && bounds.closingBrace(brace) !== undefined)
    if (hasColon && isType && brace === next) {
      this.#argumentsInBraces(kind, brace)
      return true
    }
    if (braces.missing > 0) open.closeForgotten(at, kind)
    const lexical = lexicalErrors.takeBefore(brace)
    if (lexical !== undefined) diagnostics.push(lexical)
    else if (isMistyped) this.#recovery.report(at + 1, errors.signForColon(cursor, at + 1))
    else if (!hasColon)
      diagnostics.push(errors.missingColon(cursor, at, hasKind ? undefined : open.likelyKind))
    else if (!hasKind) diagnostics.push(errors.missingKind(cursor, at, open.likelyKind))
    else if (brace > next) diagnostics.push(errors.wordsBeforeBrace(cursor, next))
    this.open({ name: at, kind: hasKind ? kindAt : undefined, brace })
    return true
  }

  /** `service Home {`, as in other languages. */
  #reversedHead(at: number): boolean {
    const { cursor, bounds, open, braces, lexicalErrors } = this.#recovery
    const brace = bounds.isReversed(at) ? bounds.braceNear(at + 1) : undefined
    if (brace === undefined) return false
    const word = cursor.image(at)
    if (/^(?:enum|union)$/.test(word) && brace === at + 2) return this.#headOfOtherLanguage(at, brace)
    const kind = isBlockKind(word) ? word : open.likelyKind
    if (braces.missing > 0) open.closeForgotten(at, kind)
    this.#recovery.report(at + 1, errors.nameAfterType(cursor, at, kind))
    lexicalErrors.takeBefore(brace)
    this.open({ name: at + 1, ...(isBlockKind(word) ? { kind: at } : {}), brace })
    return true
  }

  /** `enum Status {`, `datasource db {` and `project {`. Nothing is known about the members of a block of another language. */
  #headOfOtherLanguage(at: number, brace: number): boolean {
    const { cursor, segment } = this.#recovery
    const word = cursor.image(at)
    if (brace === at + 1) {
      if (!isBlockKind(word)) return false
      this.#recovery.report(at, errors.missingBlockName(cursor, at))
      this.open({ kind: at, brace })
      return true
    }
    if (!/^\p{Ll}/u.test(word) || isBlockKind(word) || isBlockKind(cursor.image(at + 1))) return false
    this.#recovery.report(at, errors.foreignBlock(cursor, at))
    segment.hasUnparsedName = true
    cursor.index = brace + 1
    this.#skipBlock()
    return true
  }

  /** `Home: service` with another bracket, or none, instead of its `{`. */
  #headWithoutBrace(at: number, next: number): boolean {
    const { cursor, braces, open, diagnostics } = this.#recovery
    const image = cursor.image(next)
    const isOtherBracket = image === '(' || image === '['
    const isMember = cursor.image(next + 1) === '#' || cursor.image(next + 2) === ':'
    if (isOtherBracket && braces.missing < 0 && (cursor.beginsLine(next + 1) || isMember)) {
      braces.missing++
      this.#recovery.report(next, errors.bracketForBrace(cursor, at, next))
      this.open({ name: at, kind: next - 1, brace: next })
      return true
    }
    // In a block, a name that starts with a lowercase letter may be the name of an attribute.
    if (open.depth > 0 && !/^\p{Lu}/u.test(cursor.image(at))) return false
    if (image === '@' || image === '(') return false
    const hasMembers =
      image === '#' || image === '}'
        ? braces.missing < 0
        : cursor.isWord(next) &&
          cursor.image(next + 1) === ':' &&
          (cursor.image(next + 3) !== '{' || isInnerKind(cursor.image(next + 2) ?? ''))
    diagnostics.push(errors.missingBrace(cursor, at, next, hasMembers))
    cursor.index = next
    this.open({ name: at, kind: next - 1 })
    if (hasMembers) braces.missing++
    else open.closeBroken()
    return true
  }

  /** Opens a block with the existing tokens of its head. */
  open({ name, kind, brace }: { name?: number; kind?: number | undefined; brace?: number }): void {
    const { cursor, open, reader, segment, diagnostics } = this.#recovery
    const near = cursor.at(brace ?? cursor.index - 1)
    const kindImage = kind === undefined ? open.likelyKind : cursor.image(kind)
    const { node } = reader.read<Block>('Declaration', [
      name === undefined ? this.#recovery.synthetic('', near, 'ID') : cursor.at(name),
      this.#recovery.synthetic(':', near),
      kind === undefined ? this.#recovery.synthetic(kindImage, near) : cursor.at(kind),
      brace === undefined || cursor.image(brace) !== '{'
        ? this.#recovery.synthetic('{', near)
        : cursor.at(brace),
      this.#recovery.synthetic('}', near),
    ])
    if (node === undefined) return
    if (name === undefined) segment.hasUnparsedName = true
    // Nothing in a block is misplaced if its kind is only guessed.
    const isUncertain = name === undefined || kind === undefined
    if (isUncertain || (open.isClosedTooEarly && isInnerKind(kindImage ?? ''))) markParseError(node)
    if (brace !== undefined) cursor.index = brace + 1
    if (open.depth >= MAX_DEPTH) {
      diagnostics.push(errors.tooDeep(cursor, brace ?? cursor.index, MAX_DEPTH, MAX_DEPTH))
      this.#skipBlock()
      return
    }
    open.open({
      node,
      kind: kindImage,
      name,
      indentation: name === undefined ? undefined : cursor.indentation(name),
    })
  }

  /** `status: enum { open, closed }` and `name: string{80}` */
  #argumentsInBraces(type: string, brace: number): void {
    const { cursor, bounds, open, segment, lexicalErrors } = this.#recovery
    this.#recovery.report(brace, errors.argumentsInBraces(cursor, type, brace))
    // Attributes may have its name as their type.
    if (open.depth === 0) segment.hasUnparsedName = true
    cursor.index = brace + 1
    this.#skipBlock()
    // `?`, a default and annotations belong to the same attribute.
    if (/^[?=@]$/.test(cursor.image(cursor.index))) cursor.index = bounds.endOf(cursor.index)
    else if (cursor.image(cursor.index) === ';') cursor.index++
    lexicalErrors.takeBefore(cursor.index)
  }

  /** Skips to after the `}` of the block whose `{` was the last token. */
  #skipBlock(): void {
    const { cursor } = this.#recovery
    for (let depth = 1; depth > 0 && cursor.index < cursor.tokens.length; cursor.index++) {
      if (cursor.image(cursor.index) === '{') depth++
      else if (cursor.image(cursor.index) === '}') depth--
    }
  }
}
