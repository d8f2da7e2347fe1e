import type { MetadataNode } from '../../syntax/nodes.ts'
import { isBroken } from '../../syntax/places.ts'
import { checkText } from '../../parse.ts'
import { COLON } from '../../syntax/tokens.ts'
import { type MetadataEntry, metadataNamed, type Parameter, typeNamed } from '../../vocabulary.ts'
import { parameterMarkdown, valueMarkdown } from '../vocabulary-markdown.ts'
import type { Brackets, Item } from './brackets.ts'
import { bringsError, Epitome } from './epitome.ts'
import type { Offer } from './offer.ts'
import type { Statement } from './statement.ts'

const VALUE_RANK = 10
const NAME_RANK = 20

/** Sizes in bytes that columns have. */
const PRECISIONS: readonly { readonly bytes: string; readonly docs: string }[] = [
  { bytes: '1', docs: '-128 to 127.' },
  { bytes: '2', docs: '-32768 to 32767.' },
  { bytes: '4', docs: '-2147483648 to 2147483647.' },
  { bytes: '8', docs: 'Every integer that JSON holds exactly, up to 2^53-1 in size.' },
]
const FLOAT_PRECISIONS: readonly { readonly bytes: string; readonly docs: string }[] = [
  { bytes: '4', docs: 'About 7 significant digits, up to 3.4e38 in size.' },
  { bytes: '8', docs: 'About 15 significant digits: a double.' },
]

/** Arguments of the built-in type at the token `callee`: names that are not given yet, and values. */
export function typeArgumentOffers(statement: Statement, callee: number, brackets: Brackets): Offer[] {
  const { read, word, next } = statement
  const { tokens } = read.tree
  const entry = typeNamed(tokens.textOf(callee))
  const { before, current, after } = brackets
  if (entry === undefined || brackets.kind === '[' || brackets.depth > 1 || current.end > current.first)
    return []
  const isNamed = word.end > word.start && tokens.kind(next) === COLON
  if (brackets.rest !== undefined && !isNamed) return []
  const values = (parameter: Parameter | undefined): Offer[] =>
    isNamed || parameter?.name !== 'precision' ? [] : precisionOffers(entry.name, statement, brackets)
  if (current.name !== undefined) return values(entry.parameters.find(({ name }) => name === current.name))
  const given = givenNames(brackets, entry.parameters)
  const positional = before.every(({ name }) => name === undefined)
    ? entry.parameters[before.length]
    : undefined
  if (after.some((item) => item.name === undefined && item.end > item.first)) return values(positional)
  const names: Offer[] = entry.parameters
    .filter(({ name }) => !given.has(name) && (!isNamed || fitsValue(name, entry.name, statement, brackets)))
    .map((parameter) => ({
      label: `${parameter.name}:`,
      kind: 'parameter',
      documentation: parameterMarkdown(parameter),
      snippet: isNamed ? parameter.name : `${parameter.name}: $1`,
      span: word,
      filter: parameter.name,
      rank: VALUE_RANK,
    }))
  return [...names, ...values(positional).map((offer) => ({ ...offer, rank: NAME_RANK }))]
}

/** Whether the value that stands behind the name is one of this parameter. */
function fitsValue(parameter: string, type: string, statement: Statement, brackets: Brackets): boolean {
  const { tokens, text } = statement.read.tree
  const { rest } = brackets
  // The colon, and behind it the value.
  if (rest === undefined || rest.end - rest.first < 2) return true
  const value = text.slice(tokens.start(rest.first + 1), tokens.end(rest.end - 1))
  return isCall(type, withItem(statement, brackets, `${parameter}: ${value}`))
}

/** Whether a type takes these arguments. */
function isCall(type: string, items: readonly string[]): boolean {
  return checkText(`P: project {} S: service { a: ${type}(${items.join(', ')}\n); }`).valid
}

/** Names of the parameters that the other arguments give. */
function givenNames({ before, after }: Brackets, parameters: readonly Parameter[]): ReadonlySet<string> {
  const given = [...before, ...after].flatMap(({ name }) => name ?? [])
  const positional = before.findIndex(({ name }) => name !== undefined)
  const count = positional < 0 ? before.length : positional
  return new Set([...given, ...parameters.slice(0, count).map(({ name }) => name)])
}

function precisionOffers(type: string, statement: Statement, brackets: Brackets): Offer[] {
  const offers = type === 'float' ? FLOAT_PRECISIONS : PRECISIONS
  const { current } = brackets
  return offers
    .filter(({ bytes }) => {
      const value = current.name === undefined ? bytes : `${current.name}: ${bytes}`
      return isCall(type, withItem(statement, brackets, value))
    })
    .map(({ bytes, docs }) => ({
      label: bytes,
      kind: 'value',
      detail: bytes === '1' ? '1 byte' : `${bytes} bytes`,
      documentation: docs,
      snippet: bytes,
      span: statement.word,
      rank: VALUE_RANK,
    }))
}

/** Values of the metadata at the token `callee`, and the name of its one parameter. */
export function metadataValueOffers(statement: Statement, callee: number, brackets: Brackets): Offer[] {
  const { read, word, next } = statement
  const { tokens } = read.tree
  const entry = metadataNamed(tokens.textOf(callee))
  const parameter = entry?.parameter
  const { current } = brackets
  if (entry === undefined || parameter === undefined || current.end > current.first) return []
  const isNamed = word.end > word.start && tokens.kind(next) === COLON
  if (brackets.rest !== undefined && !isNamed) return []
  const isList = brackets.kind === '['
  if (isList !== (parameter.kind !== 'word')) return []
  if (isList) return listOffers(statement, callee, entry, parameter, brackets)
  if (brackets.before.length > 0 || brackets.after.some((item) => item.end > item.first)) return []
  if (current.name !== undefined && current.name !== parameter.name) return []
  const name: Offer = {
    label: `${parameter.name}:`,
    kind: 'parameter',
    documentation: parameterMarkdown(parameter),
    snippet: isNamed ? parameter.name : `${parameter.name}: `,
    span: word,
    filter: parameter.name,
    rank: NAME_RANK,
  }
  if (isNamed) return [name]
  const prefix = current.name === undefined && parameter.name === 'by' ? 'by: ' : ''
  const judged = judgeValues(statement, callee, (value) => `#${entry.name}(${value})`)
  const values = parameter.values
    .filter((value) => judged(value.name, []))
    .map(
      (value): Offer => ({
        label: prefix + value.name,
        kind: 'value',
        documentation: valueMarkdown(value),
        snippet: prefix + value.name,
        span: word,
        rank: VALUE_RANK,
        commit: [')'],
      }),
    )
  return current.name === undefined && prefix === '' ? [...values, name] : values
}

function listOffers(
  statement: Statement,
  callee: number,
  entry: MetadataEntry,
  parameter: Parameter,
  brackets: Brackets,
): Offer[] {
  const { read, word, holder } = statement
  const others = withItem(statement, brackets, undefined)
  const judged = judgeValues(
    statement,
    callee,
    (value) => `#${entry.name}[${[...others, value].join(', ')}\n]`,
  )
  const offer = (label: string, documentation: string, kind: 'value' | 'service'): Offer => ({
    label,
    kind,
    documentation,
    snippet: label,
    span: word,
    rank: VALUE_RANK,
    commit: [',', ']'],
  })
  if (parameter.kind === 'services')
    return [...read.scope.services.values()]
      .filter(({ name }) => holder.$type !== 'Block' || (name !== holder.name && !others.includes(name)))
      .filter(({ name }) => read.scope.blocks.get(name)?.kind === 'service')
      .map(({ name }) => offer(name, 'A service of this definition.', 'service'))
  return parameter.values
    .filter(({ name, aliases }) => ![name, ...aliases].some((spelling) => others.includes(spelling)))
    .filter(({ name }) => judged(name, others))
    .map((value) => offer(value.name, valueMarkdown(value), 'value'))
}

/** A test of whether a value, in the item that `write` makes of it, is no mistake in its block. */
function judgeValues(
  { read, holder }: Statement,
  callee: number,
  write: (value: string) => string,
): (value: string, stubs: readonly string[]) => boolean {
  if (holder.$type !== 'Block') return () => false
  const epitome = new Epitome(read, holder)
  const current = holder.members.find(
    (member): member is MetadataNode => member.$type === 'Metadata' && member.$name === callee,
  )
  const isSound = current !== undefined && !isBroken(current)
  const complete = epitome.judge('', undefined)
  const without = epitome.judge('', current)
  const now = isSound && !complete.errors.some((code) => UNFINISHED.has(code)) ? complete : without
  return (value) => !bringsError(now, epitome.judge(`${write(value)};`, current))
}

/** What is said of a value that is not there, or not whole. */
const UNFINISHED: ReadonlySet<string> = new Set(['missing-value', 'unknown-value'])

/** The texts of all items with this one in place of the current one. */
function withItem({ read }: Statement, { before, after }: Brackets, current: string | undefined): string[] {
  const { tokens, text } = read.tree
  const textOf = (item: Item): string => {
    const value = text.slice(tokens.start(item.first), tokens.end(item.end - 1))
    return item.name === undefined ? value : `${item.name}: ${value}`
  }
  return [
    ...before.map(textOf),
    ...(current === undefined ? [] : [current]),
    ...after.filter((item) => item.end > item.first).map(textOf),
  ]
}
