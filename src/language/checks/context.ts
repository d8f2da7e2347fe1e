import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Mend } from '../../diagnostics/diagnostic.ts'
import type { Definition } from '../generated/ast.ts'
import { Nearest } from '../nearest.ts'
import type { Scope } from '../scope.ts'
import type { Findings } from '../syntax/findings.ts'
import { isBroken } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import type { Finding, Span, SyntaxTree } from '../syntax/tree.ts'
import { COLON, NAME, OPEN_BRACE } from '../syntax/tokens.ts'
import { isBlockKind } from '../vocabulary.ts'
import { type Facts, factsOf } from './facts.ts'

/** What a finding may carry beside its place and message. */
export interface Extra {
  readonly related?: NonNullable<Finding['related']>
  readonly data?: Mend
}

/** The mend that puts a suggestion, where there is one, in place of the text. */
export function replacing(suggestion: string | undefined): Extra {
  return suggestion === undefined ? {} : { data: { replacement: suggestion } }
}

/** What a check works with: the definition, what is known of it, and the place for its findings. */
export class CheckContext {
  readonly definition: Definition
  readonly tree: SyntaxTree
  readonly scope: Scope
  readonly facts: Facts
  readonly nearest = new Nearest()
  /** The text does not follow the grammar somewhere, so that what seems to be missing may stand there. */
  readonly hasSyntaxErrors: boolean
  readonly #findings: Findings
  #lostNames: ReadonlySet<string> | undefined
  #words: ReadonlySet<string> | undefined

  constructor({ definition, tree, scope, findings }: Read) {
    this.definition = definition
    this.tree = tree
    this.scope = scope
    this.facts = factsOf(definition)
    this.hasSyntaxErrors = findings.count > 0
    this.#findings = findings
  }

  report(code: DiagnosticCode, place: Span, message: string, extra: Extra = {}): void {
    this.#findings.add({ ...extra, code, message, start: place.start, end: place.end })
  }

  /** Whether a block of this name may have been lost to a syntax error. */
  isLostName(name: string): boolean {
    if (!this.hasSyntaxErrors) return false
    this.#lostNames ??= new Set([...blockNamesIn(this.tree), ...brokenStrays(this.definition)])
    return this.#lostNames.has(name)
  }

  /** Whether this word may stand in something that was lost to a syntax error. */
  isLostWord(word: string): boolean {
    if (!this.hasSyntaxErrors) return false
    this.#words ??= wordsIn(this.tree)
    return this.#words.has(word)
  }
}

/** Names that stand like those of blocks. */
function blockNamesIn({ tokens }: SyntaxTree): Set<string> {
  const names = new Set<string>()
  for (let index = 0; index < tokens.length; index++) {
    if (tokens.kind(index) !== NAME) continue
    const next = tokens.kind(index + 1)
    const kind = next === COLON ? index + 2 : index + 1
    if (next === OPEN_BRACE || (tokens.kind(kind) === NAME && isBlockKind(tokens.textOf(kind))))
      names.add(tokens.textOf(index))
  }
  return names
}

/** What stands outside of every block and cannot be read may have been meant as one. */
function brokenStrays({ strays }: Definition): string[] {
  return strays.filter(isBroken).map(({ name }) => name)
}

function wordsIn({ tokens }: SyntaxTree): Set<string> {
  const words = new Set<string>()
  for (let index = 0; index < tokens.length; index++) {
    if (tokens.kind(index) === NAME) words.add(tokens.textOf(index))
  }
  return words
}
