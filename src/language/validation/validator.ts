import {
  Cancellation,
  type AstNode,
  DefaultDocumentValidator,
  type ValidationAcceptor,
  type ValidationCheck,
  ValidationRegistry,
} from 'langium'
import { isBlock, type Member } from '../generated/ast.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import type { Segment } from '../parser/segment.ts'
import type { RawDiagnostic, Span } from '../raw-diagnostic.ts'
import { provideContext } from './context.ts'
import { DiagnosticCollector } from './diagnostics.ts'
import { outerContextOf } from './outer-context.ts'

/**
 * Calls checks directly. Langium wraps each in a promise, which costs more than most of them take, and makes the
 * whole check of a text asynchronous. For 1,000 services, this saves a third of the time.
 */
export class SynchronousRegistry extends ValidationRegistry {
  protected override wrapValidationException(check: ValidationCheck, thisObject: unknown): ValidationCheck {
    return check.bind(thisObject)
  }
}

/**
 * Validates a definition synchronously: its syntax errors, then every registered check on every node. Skips a segment
 * without diagnostics while neither its text nor anything else that its checks read has changed. After an edit in 1,000
 * services, this takes 5 ms instead of 25 ms.
 */
export class DefinitionValidator extends DefaultDocumentValidator {
  /** Segments without diagnostics, with the outer context in which they had none. */
  readonly #clean = new WeakMap<Segment, string>()
  readonly #checks = new Map<string, readonly ValidationCheck[]>()

  /** All diagnostics of a parsed definition, in the order of the text. */
  diagnosticsOf(result: DefinitionParseResult): readonly RawDiagnostic[] {
    const diagnostics = new DiagnosticCollector()
    for (const { offset, syntaxErrors } of result.segments)
      for (const error of syntaxErrors) diagnostics.add(moved(error, offset))
    const accept: ValidationAcceptor = (_severity, _message, { data }) => {
      diagnostics.add(data as RawDiagnostic)
    }
    const context = provideContext(accept, result)
    this.#check(result.value, accept)
    let outerContext = outerContextOf(result)
    for (const segment of result.segments) {
      const known = this.#clean.get(segment)
      if (known !== undefined && known === outerContext) {
        // All segments keep the same string, which is long, and comparing it with itself takes no time.
        outerContext = known
        continue
      }
      const before = diagnostics.count
      for (const member of segment.members) this.#visit(member, accept)
      // Syntax errors and failed imports suppress diagnostics, so a segment may be clean only because of them.
      const isClean = diagnostics.count === before && !context.hasSyntaxErrors && !context.hasFailedImport
      if (isClean && outerContext !== undefined) this.#clean.set(segment, outerContext)
      else this.#clean.delete(segment)
    }
    return diagnostics.inOrder(result.text.length)
  }

  /** Checks a member and its nested members. Checks are registered only for declarations. */
  #visit(member: Member, accept: ValidationAcceptor): void {
    this.#check(member, accept)
    if (isBlock(member)) for (const inner of member.members) this.#visit(inner, accept)
  }

  #check(node: AstNode, accept: ValidationAcceptor): void {
    for (const check of this.#checksOf(node.$type))
      void check(node, accept, Cancellation.CancellationToken.None)
  }

  #checksOf(type: string): readonly ValidationCheck[] {
    let checks = this.#checks.get(type)
    if (checks === undefined)
      this.#checks.set(type, (checks = this.validationRegistry.getChecks(type).toArray()))
    return checks
  }
}

function moved(diagnostic: RawDiagnostic, offset: number): RawDiagnostic {
  const { related } = diagnostic
  const at = <Place extends Span>(place: Place): Place => ({
    ...place,
    start: place.start + offset,
    end: place.end + offset,
  })
  return { ...at(diagnostic), ...(related === undefined ? {} : { related: related.map(at) }) }
}
