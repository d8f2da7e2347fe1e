import type { Member, Metadata } from '../generated/ast.ts'
import type { BlockHeadRecovery } from './block-head-recovery.ts'
import { appendCst, TokenNode } from './cst.ts'
import { lacksParentheses } from './declaration-bounds.ts'
import { MAX_DEPTH, nestingOf } from './nesting.ts'
import { cstOf } from './open-blocks.ts'
import { markParseError } from './parse-errors.ts'
import type { RecoveryContext } from './recovery-context.ts'
import type { RuleResult } from './rule-parser.ts'
import * as errors from './syntax-errors.ts'

/** Parses attributes and metadata, and keeps what is known of an invalid attribute. */
export class DeclarationRecovery {
  readonly #recovery: RecoveryContext
  readonly #heads: BlockHeadRecovery

  constructor(recovery: RecoveryContext, heads: BlockHeadRecovery) {
    this.#recovery = recovery
    this.#heads = heads
  }

  /** Parses one declaration with a grammar rule, or reports the first token that the rule rejects. */
  read(from: number, to: number, rule: 'Declaration' | Metadata['$type']): void {
    const { cursor, open, reader, lexicalErrors, diagnostics } = this.#recovery
    const slice = cursor.tokens.slice(from, to)
    cursor.index = to
    const depth = open.depth
    const tooDeep = depth + nestingOf(slice) > MAX_DEPTH
    const result: RuleResult<Member> = tooDeep
      ? { node: undefined, errorIndex: 0, expected: undefined }
      : reader.read<Member>(rule, slice)
    const lexical = lexicalErrors.takeBefore(to)
    if (result.node !== undefined) {
      if (lexical !== undefined) {
        diagnostics.push(lexical)
        markParseError(result.node)
      } else if (open.isClosedTooEarly) markParseError(result.node)
      open.add(result.node)
      return
    }
    const errorIndex = from + result.errorIndex
    const isBare = lacksParentheses(cursor, from)
    if (tooDeep) diagnostics.push(errors.tooDeep(cursor, from, depth, MAX_DEPTH))
    else if (lexical !== undefined && (errorIndex >= to || lexical.start < cursor.start(errorIndex)))
      diagnostics.push(lexical)
    else if (isBare && lexical === undefined)
      diagnostics.push(errors.missingParentheses(cursor, from, to, this.#recovery.segment.text))
    // At the end of the text, the error about the unclosed block is sufficient.
    else if (errorIndex < cursor.tokens.length || open.depth === 0)
      diagnostics.push(
        errors.unexpectedToken(cursor, {
          index: errorIndex,
          from,
          to,
          expected: result.expected,
          likelyKind: open.likelyKind,
        }),
      )
    if (rule === 'Declaration') this.#keepAttribute(from, to, errorIndex)
    if (cursor.image(to) === '{') this.#heads.open({ brace: to })
  }

  /** Reports `string name`, as in other languages, and keeps the attribute. */
  readReversed(at: number): void {
    const { cursor, bounds, lexicalErrors } = this.#recovery
    const end = bounds.endOf(at)
    this.#recovery.report(at + 1, errors.nameAfterType(cursor, at, cursor.image(at)))
    lexicalErrors.takeBefore(end)
    this.#keepAttribute(at + 1, at + 2, at + 2)
    cursor.index = end
  }

  /**
   * Keeps the name and type of an invalid attribute, or of what may be one, because checks need to know that it
   * exists and what it refers to. `errorIndex` is the token that the grammar rejected.
   */
  #keepAttribute(from: number, to: number, errorIndex: number): void {
    const { cursor, reader, open, segment } = this.#recovery
    const name = cursor.at(from)
    const hasColon = cursor.image(from + 1) === ':'
    const typeAt = hasColon || cursor.image(from + 1) === '=' ? from + 2 : from + 1
    const isTypeRead = typeAt < to && cursor.isWord(typeAt) && (typeAt < errorIndex || !hasColon)
    const { node } = reader.read<Member>('Declaration', [
      name,
      hasColon ? cursor.at(from + 1) : this.#recovery.synthetic(':', name),
      isTypeRead ? cursor.at(typeAt) : this.#recovery.synthetic('', name, 'ID'),
    ])
    if (node === undefined) return
    markParseError(node)
    open.add(node)
    // The following tokens belong to the attribute, but not to any of its properties.
    const rest = isTypeRead ? typeAt + 1 : typeAt
    for (let at = rest; at < to; at++) appendCst(cstOf(node), new TokenNode(cursor.at(at), segment))
  }
}
