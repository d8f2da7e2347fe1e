import { severityOf } from '../../diagnostics/diagnostic.ts'
import type { Finding } from './tree.ts'

/** How many findings of each severity are kept of one text. Nobody reads on, and memory is bounded. */
export const MOST_FINDINGS = 10_000

/** What was found in a text. Errors do not have to make room for hints. */
export class Findings {
  readonly #kept: Finding[] = []
  readonly #counts = { error: 0, warning: 0, hint: 0 }
  #left = 0

  /** How many were found, kept or not. */
  get count(): number {
    return this.#kept.length + this.#left
  }

  /** The one that was added last. */
  get last(): Finding | undefined {
    return this.#kept.at(-1)
  }

  /** Where those stand that were kept so far, in no particular order. */
  get starts(): readonly number[] {
    return this.#kept.map(({ start }) => start)
  }

  add(finding: Finding): void {
    const severity = severityOf(finding.code)
    if (this.#counts[severity]++ < MOST_FINDINGS) this.#kept.push(finding)
    else this.#left++
  }

  /** Takes the last one back. */
  drop(): void {
    const dropped = this.#kept.pop()
    if (dropped !== undefined) this.#counts[severityOf(dropped.code)]--
  }

  /** The kept ones in the order of the text, and behind them how many there are more. */
  inOrder(end: number): readonly Finding[] {
    const ordered = this.#kept.toSorted((a, b) => a.start - b.start || a.end - b.end)
    if (this.#left === 0) return ordered
    const message = `More diagnostics are not shown: ${this.#left}. Mend the ones above first.`
    return [...ordered, { code: 'too-many-diagnostics', start: end, end, message }]
  }
}
