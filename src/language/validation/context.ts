import type { AstNode, ValidationAcceptor } from 'langium'
import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { type CodeFix, severityOf } from '../../diagnostics/diagnostic.ts'
import { isBlockKind, METADATA, type MetadataName, metadataNamed } from '../builtins.ts'
import { type Block, type Definition, isMetadata } from '../generated/ast.ts'
import { SpellingSuggester } from '../spelling.ts'
import { spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { RawDiagnostic, Span } from '../raw-diagnostic.ts'
import { type DefinitionIndex, definitionIndex } from './definition-index.ts'

const METADATA_NAMES = METADATA.map(({ name }) => name)

/** The optional parts of a diagnostic. */
export interface DiagnosticDetails {
  /** What to do about it, in one line without a leading "help:". */
  readonly help?: string
  readonly related?: NonNullable<RawDiagnostic['related']>
  readonly data?: CodeFix
}

/** A fix that replaces the text with a suggestion, if there is one. */
export function withReplacement(suggestion: string | undefined): DiagnosticDetails {
  return suggestion === undefined ? {} : { data: { replacement: suggestion } }
}

/** The same, with the help "did you mean ...?". `sigil` is the `#` or `@` before the range. */
export function withSuggestion(suggestion: string | undefined, sigil = ''): DiagnosticDetails {
  if (suggestion === undefined) return {}
  return { ...withReplacement(suggestion), help: `did you mean \`${sigil}${suggestion}\`?` }
}

/** The same for the valid form of a value, with the help "use ...". */
export function withValidForm(value: string | undefined): DiagnosticDetails {
  return value === undefined ? {} : { ...withReplacement(value), help: `use \`${value}\`` }
}

/** The context of checks: the definition, its index, and the receiver of diagnostics. */
export class ValidationContext {
  readonly result: DefinitionParseResult
  readonly definition: Definition
  readonly text: string
  readonly index: DefinitionIndex
  readonly spelling = new SpellingSuggester()
  /** The type or service that was probably meant, by unknown name. */
  readonly suggestedTypes = new Map<string, string | undefined>()
  /** The text has syntax errors, which may contain what seems to be missing. */
  readonly hasSyntaxErrors: boolean
  /** The name of a block was lost to a syntax error, and may be the unknown one. */
  readonly hasNamelessBlock: boolean
  /** An import failed, so that any block that seems to be missing may be in its file. */
  readonly hasFailedImport: boolean
  /** The number of diagnostics so far. */
  reported = 0
  readonly #accept: ValidationAcceptor
  /** Offsets of the syntax errors. */
  readonly #syntaxErrors: readonly number[]
  #lostNames: ReadonlySet<string> | undefined
  #words: ReadonlySet<string> | undefined

  constructor(result: DefinitionParseResult, accept: ValidationAcceptor) {
    this.result = result
    this.definition = result.value
    this.text = result.text
    this.index = definitionIndex(result.value)
    this.#accept = accept
    this.#syntaxErrors = result.segments.flatMap(({ offset, syntaxErrors }) =>
      syntaxErrors.map(({ start }) => offset + start),
    )
    this.hasSyntaxErrors = this.#syntaxErrors.length > 0
    this.hasNamelessBlock = result.segments.some(({ hasUnparsedName }) => hasUnparsedName)
    this.hasFailedImport =
      result.imports.some(({ path, failure }) => path === undefined || failure !== undefined) ||
      result.segments.some(({ hasUnparsedImport }) => hasUnparsedImport)
  }

  report(code: DiagnosticCode, { start, end }: Span, message: string, extra: DiagnosticDetails = {}): void {
    this.reported++
    const data: RawDiagnostic = { ...extra, code, message, start, end }
    this.#accept(severityOf(code), message, { node: this.definition, code, data })
  }

  /** Whether a node contains a syntax error, so that the tree may lack some of what is in it. */
  overlapsSyntaxError(node: AstNode): boolean {
    if (!this.hasSyntaxErrors) return false
    if (hasParseError(node)) return true
    const { start, end } = spanOf(node)
    return this.#syntaxErrors.some((at) => start <= at && at < end)
  }

  /** Whether unknown metadata in a block is probably a misspelling of this name. */
  isMisspelled(name: MetadataName, block: Block): boolean {
    return block.members.some(
      (member) =>
        isMetadata(member) &&
        metadataNamed(member.name) === undefined &&
        this.spelling.suggest(member.name, METADATA_NAMES) === name,
    )
  }

  /** Whether a block of this name may have been lost to a syntax error. */
  isLostName(name: string): boolean {
    if (!this.hasSyntaxErrors) return false
    this.#lostNames ??= new Set([
      ...blockNamesIn(this.result),
      ...brokenDeclarations(this.definition),
      ...this.index.blocks.flatMap((block) =>
        brokenDeclarations(block).filter((broken) => /^[A-Z]/.test(broken)),
      ),
    ])
    return this.#lostNames.has(name)
  }

  /** Whether this word may be part of something that was lost to a syntax error. */
  isLostWord(word: string): boolean {
    if (!this.hasSyntaxErrors) return false
    this.#words ??= wordsIn(this.result)
    return this.#words.has(word)
  }
}

/** Names in the position of a block's name, in the segments with syntax errors. */
function blockNamesIn({ segments }: DefinitionParseResult): Set<string> {
  const names = new Set<string>()
  for (const { tokens, syntaxErrors } of segments) {
    if (syntaxErrors.length === 0) continue
    for (const [index, { image }] of tokens.entries()) {
      const next = tokens[index + 1]?.image
      const kind = tokens[next === ':' ? index + 2 : index + 1]?.image
      if (next === '{' || (kind !== undefined && isBlockKind(kind))) names.add(image)
    }
  }
  return names
}

/** Broken declarations may have been meant as blocks. */
function brokenDeclarations({ members }: Definition | Block): string[] {
  return members.flatMap((member) =>
    member.$type === 'Attribute' && hasParseError(member) ? [member.name] : [],
  )
}

function wordsIn({ segments }: DefinitionParseResult): Set<string> {
  return new Set(
    segments
      .filter(({ syntaxErrors }) => syntaxErrors.length > 0)
      .flatMap(({ tokens }) => tokens.map(({ image }) => image)),
  )
}

const contexts = new WeakMap<ValidationAcceptor, ValidationContext>()

/** Makes the context of the checks that report to this acceptor. */
export function provideContext(accept: ValidationAcceptor, result: DefinitionParseResult): ValidationContext {
  const context = new ValidationContext(result, accept)
  contexts.set(accept, context)
  return context
}

/** The context of the checks that report to this acceptor. */
export function contextOf(accept: ValidationAcceptor): ValidationContext {
  const context = contexts.get(accept)
  if (context === undefined) throw new Error('Checks run only in the validator')
  return context
}
