import { documentationOf } from '../../documentation.ts'
import type { Attribute, Block } from '../../generated/ast.ts'
import { checkText } from '../../parse.ts'
import type { Read } from '../../syntax/read.ts'
import {
  AT,
  CLOSE_BRACE,
  CLOSE_PAREN,
  COLON,
  NAME,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
} from '../../syntax/tokens.ts'
import { TYPES } from '../../vocabulary.ts'
import { dependentsOf, knownFacts, needs } from '../definition-facts.ts'
import { callShape, kindMarkdown, typeMarkdown } from '../vocabulary-markdown.ts'
import { bracketsAround } from './brackets.ts'
import type { Offer } from './offer.ts'
import { beginsStatement, type Statement } from './statement.ts'

const TYPE_RANK = 10
const SIBLING_RANK = 5
const SERVICE_RANK = 20

/** What can stand behind `name:`: a kind of block or a type. `name` is the token of the name. */
export function typeOrKindOffers(statement: Statement, name: number): Offer[] {
  const { word, end, read } = statement
  const isTouching = word.end === word.start && read.tree.tokens.end(end - 1) === word.start
  return offersBehind(statement, name).map((offer) =>
    isTouching ? { ...offer, snippet: ` ${offer.snippet}` } : offer,
  )
}

function offersBehind(statement: Statement, name: number): Offer[] {
  const { holder, read, next } = statement
  const { tokens } = read.tree
  if (holder.$type === 'Definition') return topKinds(statement, name)
  if (holder.kind === 'project') return []
  const isBlock = /^\p{Lu}/u.test(tokens.textOf(name)) || tokens.kind(next) === OPEN_BRACE
  if (!isBlock) return typeOffers(statement, name)
  return holder.kind === 'service' ? [kindOffer('struct', statement)] : []
}

function topKinds(statement: Statement, name: number): Offer[] {
  const { read, next } = statement
  const { tokens } = read.tree
  const { project, blocks } = knownFacts(read)
  const block = blocks.find((candidate) => (candidate as unknown as { $name: number }).$name === name)
  const text = tokens.textOf(name)
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(text)) return []
  const isOtherProject = project !== undefined && project !== block
  const hasBody = tokens.kind(next) === OPEN_BRACE
  const kinds = (['service', 'project'] as const).filter((kind) => {
    if (hasBody && (block?.kind === 'service' || block?.kind === 'project')) return kind === block.kind
    if (kind === 'service') return true
    return !isOtherProject && (block?.members.every((member) => member.$type === 'Metadata') ?? true)
  })
  const capital = text.charAt(0).toUpperCase()
  const at = tokens.start(name)
  const further = text.startsWith(capital) ? [] : [{ at, end: at + 1, text: capital }]
  return kinds.map((kind) => ({ ...kindOffer(kind, statement), further }))
}

function kindOffer(kind: 'project' | 'service' | 'struct', { read, next, word }: Statement): Offer {
  const hasBody = read.tree.tokens.kind(next) === OPEN_BRACE
  return {
    label: kind,
    kind,
    documentation: kindMarkdown(kind),
    snippet: hasBody ? kind : `${kind} {\n  $0\n}`,
    span: word,
    rank: kind === 'project' ? 1 : 0,
  }
}

function typeOffers(statement: Statement, name: number): Offer[] {
  const { holder, word } = statement
  const call = callBehind(statement)
  const builtIn: Offer[] = TYPES.filter((entry) => call === undefined || takes(entry.name, call)).map(
    (entry) => ({
      label: entry.name,
      kind: 'type',
      detail: callShape(entry.name, entry.parameters),
      documentation: typeMarkdown(entry),
      snippet: entry.name,
      span: word,
      rank: TYPE_RANK,
      commit: entry.parameters.length > 0 && call === undefined ? [';', '('] : [';'],
    }),
  )
  if (holder.$type !== 'Block' || (call !== undefined && !/^\(\s*\)$/.test(call))) return builtIn
  const attribute = holder.members.find(
    (member): member is Extract<typeof member, { $type: 'Attribute' }> =>
      member.$type === 'Attribute' && member.$first === name,
  )
  const allowed = referableFrom(statement, holder, isSetByHooks(statement) ? 'any' : attribute)
  return [...builtIn, ...allowed.map((block) => referenceOffer(block, statement))]
}

/**
 * The services and sibling structs that an attribute of a block can refer to without closing a cycle.
 *
 * @param attribute the attribute, of which what it refers to now does not count; `any` where it closes no cycle
 */
export function referableFrom(
  { read }: Statement,
  holder: Block,
  attribute: Attribute | 'any' | undefined,
): Block[] {
  const inScope = namesInScope(read, holder)
  if (attribute === 'any') return inScope
  const dependents = dependentsOf(read, holder, attribute)
  return inScope.filter((block) => !dependents.has(block))
}

/** The first `most` of those that a new attribute of a block can refer to, for which few others are looked at. */
export function firstReferableFrom({ read }: Statement, holder: Block, most: number): Block[] {
  const found: Block[] = []
  const free = new Set<Block>()
  for (const block of namesInScope(read, holder)) {
    if (found.length === most) break
    if (!needs(block, holder, free)) found.push(block)
  }
  return found
}

function namesInScope(read: Read, holder: Block): Block[] {
  const { services, blocks } = read.scope
  const siblings =
    holder.kind === 'struct' && holder.$container.$type === 'Block'
      ? holder.$container.members.filter((member) => member.$type === 'Block' && member.kind === 'struct')
      : []
  return [
    ...siblings.filter(
      (block): block is Block => block.$type === 'Block' && blocks.get(block.name) === block,
    ),
    ...[...services.values()].filter(({ name }) => blocks.get(name)?.kind === 'service'),
  ]
}

function referenceOffer(block: Block, { word }: Statement): Offer {
  const isService = block.kind === 'service'
  const documentation = documentationOf(block)
  return {
    label: block.name,
    kind: isService ? 'service' : 'struct',
    detail: isService ? 'service' : 'sibling struct',
    ...(documentation === '' ? {} : { documentation }),
    snippet: block.name,
    span: word,
    rank: isService ? SERVICE_RANK : SIBLING_RANK,
    commit: [';'],
  }
}

/** The text of the arguments behind the word, where there are any. */
function callBehind({ read, next }: Statement): string | undefined {
  const { tokens, text } = read.tree
  if (tokens.kind(next) !== OPEN_PAREN) return undefined
  const close = bracketsAround(read.tree, next, next + 1, next + 1)?.close
  return close === undefined ? '()' : text.slice(tokens.start(next), tokens.end(close))
}

/** Whether a type takes these arguments: the language says so of a definition with nothing else in it. */
function takes(type: string, call: string): boolean {
  return checkText(`P: project {} S: service { a: ${type}${call}\n; }`).valid
}

/** Whether `@server` or `@serverSet` stands behind the type. */
function isSetByHooks(statement: Statement): boolean {
  return annotationsBehind(statement).some((name) => name === 'server' || name === 'serverSet')
}

/** Names of the annotations behind the word in the same statement. */
export function annotationsBehind({ read, next }: Statement): string[] {
  const { tree } = read
  const { tokens } = tree
  const names: string[] = []
  let depth = 0
  for (let index = next; index < tokens.length && !ENDS.has(tokens.kind(index)); index++) {
    if (beginsStatement(tree, index, 0)) break
    const kind = tokens.kind(index)
    if (kind === OPEN_PAREN) depth++
    else if (kind === CLOSE_PAREN) depth--
    // The next declaration in the same line, where this one has no `;` yet.
    else if (depth <= 0 && kind === NAME && tokens.kind(index + 1) === COLON) break
    if (kind === AT && tokens.kind(index + 1) === NAME) names.push(tokens.textOf(index + 1))
  }
  return names
}

const ENDS: ReadonlySet<number> = new Set([SEMICOLON, OPEN_BRACE, CLOSE_BRACE])
