import { severityOf } from '../../diagnostics/diagnostic.ts'
import { moreDiagnostics } from '../parser/messages/limits.ts'
import type { RawDiagnostic } from '../raw-diagnostic.ts'

/** The maximum number of diagnostics of each severity that are kept for a text. It limits memory; nobody reads more. */
export const MAX_DIAGNOSTICS = 10_000

/** Collects the diagnostics of a text. Hints never displace errors. */
export class DiagnosticCollector {
  readonly #kept: RawDiagnostic[] = []
  readonly #counts = { error: 0, warning: 0, hint: 0 }
  #omitted = 0

  /** The number of added diagnostics, kept or not. */
  get count(): number {
    return this.#kept.length + this.#omitted
  }

  /** The start offsets of the kept diagnostics, in any order. */
  get starts(): readonly number[] {
    return this.#kept.map(({ start }) => start)
  }

  add(diagnostic: RawDiagnostic): void {
    const severity = severityOf(diagnostic.code)
    if (this.#counts[severity]++ < MAX_DIAGNOSTICS) this.#kept.push(diagnostic)
    else this.#omitted++
  }

  /** The kept diagnostics in the order of the text, followed by the number of omitted ones. */
  inOrder(end: number): readonly RawDiagnostic[] {
    const ordered = this.#kept.toSorted((a, b) => a.start - b.start || a.end - b.end)
    if (this.#omitted === 0) return ordered
    return [...ordered, { ...moreDiagnostics(this.#omitted), start: end, end }]
  }
}
