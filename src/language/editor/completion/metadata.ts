import { metadataOf } from '../../checks/facts.ts'
import type { Block } from '../../generated/ast.ts'
import type { MetadataNode } from '../../syntax/nodes.ts'
import { isBroken } from '../../syntax/places.ts'
import { OPEN_BRACKET, OPEN_PAREN, SEMICOLON } from '../../syntax/tokens.ts'
import type { Span } from '../../syntax/tree.ts'
import { isBlockKind, METADATA, type MetadataEntry, metadataNamed, type Parameter } from '../../vocabulary.ts'
import { knownFacts } from '../definition-facts.ts'
import { metadataMarkdown } from '../vocabulary-markdown.ts'
import { bracketsAround } from './brackets.ts'
import { bringsError, Epitome, type Verdict } from './epitome.ts'
import type { FurtherEdit, Offer } from './offer.ts'
import { openBrace, type Statement } from './statement.ts'

/** How many services a choice in a snippet lists. */
const MOST_CHOICES = 10
const METADATA_RANK = 30
/** Behind what changes something. */
const REDUNDANT_RANK = 40

/** What is to be written: in place of `span`, with `#` in front of what typing is compared with or not. */
export interface MetadataRequest {
  readonly span: Span
  readonly hash: string
  /** The metadata that the offer takes the place of. */
  readonly current: MetadataNode | undefined
  readonly further: readonly FurtherEdit[]
}

/** Whole metadata items that the block takes, does not have yet, and that are no mistake in it. */
export function metadataOffers(statement: Statement, request: MetadataRequest): Offer[] {
  const { holder } = statement
  if (holder.$type !== 'Block' || !isBlockKind(holder.kind)) return []
  const { kind } = holder
  const judge = new Judge(statement, holder, request.current)
  const value = existingValue(statement)
  return METADATA.filter(({ blocks, name }) => {
    const present = metadataOf(holder, name)
    return blocks.includes(kind) && (present === undefined || present === request.current)
  }).flatMap((entry) => {
    const written = value === undefined ? wholeItem(entry, judge, statement) : renamed(entry, value, judge)
    if (written === undefined) return []
    const { snippet, isRedundant, further = [] } = written
    const terminator = value === undefined && !isTerminated(statement) ? ';' : ''
    return [
      {
        label: `#${entry.name}`,
        kind: 'metadata' as const,
        documentation: metadataMarkdown(entry),
        snippet: snippet + terminator,
        span: request.span,
        filter: request.hash + entry.name,
        rank: isRedundant ? REDUNDANT_RANK : METADATA_RANK,
        further: [...request.further, ...further],
      },
    ]
  })
}

interface Written {
  readonly snippet: string
  readonly isRedundant: boolean
  readonly further?: readonly FurtherEdit[]
}

/** Says what becomes of the block. */
class Judge {
  readonly epitome: Epitome
  readonly #now: Verdict
  readonly #current: MetadataNode | undefined

  constructor({ read }: Statement, holder: Block, current: MetadataNode | undefined) {
    this.epitome = new Epitome(read, holder)
    this.#current = current
    // Half of a name is none: what is said of it goes when it is complete.
    const isSound = current !== undefined && !isBroken(current) && metadataNamed(current.name) !== undefined
    this.#now = this.epitome.judge('', isSound ? undefined : current)
  }

  /** `undefined` where it would bring an error. */
  accept(text: string, more?: Parameters<Epitome['judge']>[2]): Verdict | undefined {
    const then = this.epitome.judge(`${text};`, this.#current, more)
    return bringsError(this.#now, then) ? undefined : then
  }
}

function wholeItem(entry: MetadataEntry, judge: Judge, statement: Statement): Written | undefined {
  const { name, parameter } = entry
  if (parameter === undefined) return flag(name, judge, statement)
  if (parameter.kind === 'services') return uses(name, judge, statement)
  const accepted = parameter.values.flatMap((value) => {
    const text = itemText(name, parameter, value.name)
    const verdict = judge.accept(text)
    return verdict === undefined ? [] : [{ word: value.name, isRedundant: verdict.isRedundant }]
  })
  const words = accepted
    .toSorted((a, b) => Number(a.isRedundant) - Number(b.isRedundant) || likely(a.word) - likely(b.word))
    .map(({ word }) => word)
  if (words.length === 0) return undefined
  const choice = words.length === 1 ? (words[0] ?? '') : `\${1|${words.join(',')}|}`
  return {
    snippet: itemText(name, parameter, choice),
    isRedundant: accepted.every(({ isRedundant }) => isRedundant),
  }
}

/** Of the endpoints `delete` is omitted most. */
function likely(word: string): number {
  return word === 'delete' ? 0 : 1
}

function flag(name: string, judge: Judge, statement: Statement): Written | undefined {
  const verdict = judge.accept(`#${name}`)
  if (verdict !== undefined) return { snippet: `#${name}`, isRedundant: false }
  const further = name === 'auth' ? authMethodEdit(statement) : undefined
  if (further === undefined || judge.accept(`#${name}`, { inProject: further.text }) === undefined)
    return undefined
  return { snippet: `#${name}`, isRedundant: false, further: [further] }
}

/** Adds `#authMethod` to the project block, where that has a body and none. */
function authMethodEdit({ read }: Statement): FurtherEdit | undefined {
  const { project, authMethod } = knownFacts(read)
  if (project === undefined || authMethod !== undefined || isBroken(project)) return undefined
  const { tokens, lines } = read.tree
  const brace = openBrace(project as Parameters<typeof openBrace>[0], tokens)
  if (brace < 0) return undefined
  const at = tokens.end(brace)
  const isOnOneLine = lines.lineAt(tokens.start(brace + 1)) === lines.lineAt(at)
  return { at, text: isOnOneLine ? ' #authMethod(email); ' : '\n  #authMethod(email);' }
}

function uses(name: string, judge: Judge, { read, holder }: Statement): Written | undefined {
  const services = [...read.scope.services.values()].filter((service) => service !== (holder as unknown))
  const names = services.slice(0, MOST_CHOICES).map((service) => service.name)
  const stubs = names.slice(0, 1)
  if (names.length === 0 || judge.accept(`#${name}[${stubs.join('')}]`, { stubs }) === undefined)
    return undefined
  const choice = names.length === 1 ? (names[0] ?? '') : `\${1|${names.join(',')}|}`
  return { snippet: `#${name}[${choice}]`, isRedundant: false }
}

/** Another name in front of a value that is there. */
function renamed({ name }: MetadataEntry, value: string, judge: Judge): Written | undefined {
  const verdict = judge.accept(`#${name}${value}`)
  return verdict === undefined ? undefined : { snippet: `#${name}`, isRedundant: verdict.isRedundant }
}

/** `#readable(by: all)`, `#language(go)`, `#omit[delete]`. */
export function itemText(name: string, parameter: Parameter, value: string): string {
  if (parameter.kind !== 'word') return `#${name}[${value}]`
  return parameter.name === 'by' ? `#${name}(by: ${value})` : `#${name}(${value})`
}

/** The text of the brackets behind the name, where there are any. */
function existingValue({ read, next }: Statement): string | undefined {
  const { tokens, text } = read.tree
  const kind = tokens.kind(next)
  if (kind !== OPEN_PAREN && kind !== OPEN_BRACKET) return undefined
  const close = bracketsAround(read.tree, next, next + 1, next + 1)?.close
  return close === undefined ? '()' : text.slice(tokens.start(next), tokens.end(close))
}

/** Whether there is a `;` behind the word already. */
export function isTerminated({ read, next }: Statement): boolean {
  return read.tree.tokens.kind(next) === SEMICOLON
}
