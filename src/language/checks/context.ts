import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Mend } from '../../diagnostics/diagnostic.ts'
import type { Block, Definition } from '../generated/ast.ts'
import { Nearest } from '../nearest.ts'
import type { Scope } from '../scope.ts'
import type { Findings } from '../syntax/findings.ts'
import { hasName, isBroken, spanOf } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import type { Finding, Span, SyntaxTree } from '../syntax/tree.ts'
import { COLON, NAME, OPEN_BRACE } from '../syntax/tokens.ts'
import { isBlockKind, METADATA, type MetadataName, metadataNamed } from '../vocabulary.ts'
import { type Facts, factsOf } from './facts.ts'

const METADATA_NAMES = METADATA.map(({ name }) => name)

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
  /** Where the text does not follow the grammar. */
  readonly #marred: readonly number[]
  /** A block was left without a name by a syntax error: what is like no other name may be its. */
  readonly hasNameless: boolean
  #lostNames: ReadonlySet<string> | undefined
  #words: ReadonlySet<string> | undefined

  constructor({ definition, tree, scope, findings }: Read) {
    this.definition = definition
    this.tree = tree
    this.scope = scope
    this.facts = factsOf(definition)
    this.hasSyntaxErrors = findings.count > 0
    this.#findings = findings
    this.#marred = findings.starts
    this.hasNameless = this.facts.blocks.some((block) => !hasName(block))
  }

  report(code: DiagnosticCode, place: Span, message: string, extra: Extra = {}): void {
    this.#findings.add({ ...extra, code, message, start: place.start, end: place.end })
  }

  /** Whether something in a block does not follow the grammar, so that it may say more than can be read. */
  isMarred(block: Block): boolean {
    if (isBroken(block)) return true
    const { start, end } = spanOf(block)
    return this.#marred.some((at) => start <= at && at < end)
  }

  /** Whether metadata of this name is most likely meant by some in a block that there is not. */
  isMisspelled(name: MetadataName, block: Block): boolean {
    return block.members.some(
      (member) =>
        member.$type === 'Metadata' &&
        metadataNamed(member.name) === undefined &&
        this.nearest.among(member.name, METADATA_NAMES) === name,
    )
  }

  /** Whether a block of this name may have been lost to a syntax error. */
  isLostName(name: string): boolean {
    if (!this.hasSyntaxErrors) return false
    this.#lostNames ??= new Set([
      ...blockNamesIn(this.tree),
      ...brokenStrays(this.definition),
      ...this.facts.blocks.flatMap(brokenHeads),
    ])
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

/** What has a block's name in a block and cannot be read may have been meant as one. */
function brokenHeads({ members }: Block): string[] {
  return members
    .filter((member) => member.$type === 'Attribute' && isBroken(member) && /^[A-Z]/.test(member.name))
    .map(({ name }) => name)
}

function wordsIn({ tokens }: SyntaxTree): Set<string> {
  const words = new Set<string>()
  for (let index = 0; index < tokens.length; index++) {
    if (tokens.kind(index) === NAME) words.add(tokens.textOf(index))
  }
  return words
}
