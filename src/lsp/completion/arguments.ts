import { AstUtils } from 'langium'
import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { acceptedWord } from '../../language/argument-binding.ts'
import {
  isNamedInText,
  type MetadataEntry,
  metadataNamed,
  metadataParameters,
  PARENT,
  type Parameter,
  type TypeEntry,
  typeNamed,
} from '../../language/builtins.ts'
import { enumValues } from '../../language/enum-values.ts'
import {
  type Annotation,
  type Argument,
  type Attribute,
  type AttributeValue,
  type Block,
  type Definition,
  isArgument,
  isAttribute,
  isMetadata,
  isStruct,
  type ListValue,
  type ServiceValue,
  type Value,
} from '../../language/generated/ast.ts'
import type { PorticoServices } from '../../language/module.ts'
import { hasName, kindOf, spanOf, typeName } from '../../language/nodes.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { calleeNames } from '../../language/validation/uses.ts'
import { criterionProblem } from '../../language/validation/attribute-lists.ts'
import { combinationProblem } from '../../language/validation/unique.ts'
import type { CompletionCandidate } from './candidate.ts'
import type { ArgumentContext, ItemContext } from './context.ts'
import { MinimalContext } from './minimal-context.ts'
import { type Cursor, imageAfter, typedWord } from './placeholder.ts'
import { acceptsArguments } from './types.ts'

const VALUE_RANK = 10
const NAME_RANK = 20

/** The sizes of columns in bytes, with their ranges. */
const INT_PRECISIONS: readonly (readonly [bytes: string, range: string])[] = [
  ['1', '-128 to 127'],
  ['2', '-32768 to 32767'],
  ['4', '-2147483648 to 2147483647'],
  ['8', 'every integer from -(2^53-1) to 2^53-1'],
]
const FLOAT_PRECISIONS: typeof INT_PRECISIONS = [
  ['4', 'about 7 significant digits, up to ±3.4e38'],
  ['8', 'about 15 significant digits, double precision'],
]

/** Names of parameters without an argument, and values. */
export function argumentCandidates(context: ArgumentContext): CompletionCandidate[] {
  const { owner } = context
  if (isMetadata(owner)) {
    const entry = metadataNamed(owner.name)
    if (entry?.options !== undefined) {
      const { container } = context
      const kind = container.$type === 'Definition' ? undefined : kindOf(container)
      return optionCandidates(context, owner.name, metadataParameters(entry, kind))
    }
    const parameter = entry?.parameter
    if (entry === undefined || parameter === undefined) return []
    if (parameter.kind === 'words' || parameter.kind === 'services')
      return bracketed(context, entry, parameter)
    return parameter.kind === 'word' || parameter.kind === 'callers'
      ? wordCandidates(context, entry, parameter)
      : []
  }
  if (owner.$type === 'Annotation')
    return owner.name === 'transitions'
      ? transitionCandidates(context, owner)
      : formerValueCandidates(context, owner)
  const entry = owner.$type === 'PrimitiveType' ? typeNamed(owner.name) : undefined
  // The values of an `enum` are new words.
  return entry === undefined || entry.name === 'enum' ? [] : typeArgumentCandidates(context, entry)
}

/** The values of an `enum` that `@was` does not name yet. */
function formerValueCandidates(
  { argument, cursor, property }: ArgumentContext,
  { $container: attribute, arguments: list }: Annotation,
): CompletionCandidate[] {
  const { type } = attribute
  if (type.$type !== 'PrimitiveType' || (property === 'value' && argument.name !== undefined)) return []
  const others = new Set(list?.items.map((item) => (item === argument ? undefined : item.name)))
  return (type.name === 'enum' ? enumValues(type.arguments) : [])
    .filter((value) => !others.has(value))
    .map((value) => ({
      label: `${value}:`,
      kind: 'value',
      detail: 'the former name of a value',
      snippet: property === 'name' ? value : `${value}: $1`,
      span: cursor.word,
      filter: value,
      rank: VALUE_RANK,
    }))
}

/** The values of an `enum` that have no transitions yet, or those that a value can become. */
function transitionCandidates(
  { argument, cursor, property }: ArgumentContext,
  { $container: { type }, arguments: list }: Annotation,
): CompletionCandidate[] {
  if (type.$type !== 'PrimitiveType' || type.name !== 'enum') return []
  const values = enumValues(type.arguments)
  if (property === 'value' && argument.name !== undefined)
    return targetCandidates(values, [argument.name], cursor)
  const others = new Set(list?.items.map((item) => (item === argument ? undefined : item.name)))
  return values
    .filter((value) => !others.has(value))
    .map((value) => ({
      label: `${value}:`,
      kind: 'value',
      detail: 'what it can become',
      snippet: property === 'name' ? value : `${value}: [$1]`,
      span: cursor.word,
      filter: value,
      rank: VALUE_RANK,
    }))
}

/** The values of an `enum` except some. */
function targetCandidates(
  values: readonly string[],
  others: readonly string[],
  cursor: Cursor,
): CompletionCandidate[] {
  return values
    .filter((value) => !others.includes(value))
    .map((value) => ({ label: value, kind: 'value', snippet: value, span: cursor.word, rank: VALUE_RANK }))
}

function typeArgumentCandidates(context: ArgumentContext, entry: TypeEntry): CompletionCandidate[] {
  const { argument, cursor, property } = context
  const { items } = argument.$container
  const index = items.indexOf(argument)
  const isFirstNamed = items.slice(0, index).every(({ name }) => name === undefined)
  const positional = isFirstNamed ? entry.parameters[index] : undefined
  const valuesOf = (parameter: Parameter | undefined): CompletionCandidate[] =>
    property === 'name' || parameter?.name !== 'precision' ? [] : precisionCandidates(context, entry)
  if (property === 'value' && argument.name !== undefined)
    return valuesOf(entry.parameters.find(({ name }) => name === argument.name))
  // A name cannot be before a positional argument.
  if (items.slice(index + 1).some(({ name }) => name === undefined)) return valuesOf(positional)
  const given = givenParameters(items, index, entry.parameters)
  const fits = (name: string): boolean =>
    property === 'value' ||
    acceptsArguments(entry.name, `(${siblingTexts(context, `${name}: ${textOf(argument.value, cursor)}`)})`)
  const names = entry.parameters
    .filter(({ name }) => !given.has(name) && fits(name))
    .map(({ name }) => nameCandidate(context, { of: entry.name, name, value: '$1' }))
  return [...names, ...valuesOf(positional).map((candidate) => ({ ...candidate, rank: NAME_RANK }))]
}

/** Names of the parameters that other arguments set. */
function givenParameters(
  items: readonly Argument[],
  current: number,
  parameters: readonly Parameter[],
): ReadonlySet<string> {
  const firstNamed = items.findIndex(({ name }, index) => name !== undefined && index !== current)
  const positional = Math.min(firstNamed < 0 ? items.length : firstNamed, current)
  const named = items.flatMap(({ name }, index) => (index === current ? [] : (name ?? [])))
  return new Set([...named, ...parameters.slice(0, positional).map(({ name }) => name)])
}

function precisionCandidates(context: ArgumentContext, { name: type }: TypeEntry): CompletionCandidate[] {
  const { argument, cursor } = context
  const prefix = argument.name === undefined ? '' : `${argument.name}: `
  return (type === 'float' ? FLOAT_PRECISIONS : INT_PRECISIONS)
    .filter(([bytes]) => acceptsArguments(type, `(${siblingTexts(context, prefix + bytes)})`))
    .map(([bytes, range]) => ({
      label: bytes,
      kind: 'value',
      detail: `${bytes === '1' ? '1 byte' : `${bytes} bytes`}: ${range}`,
      snippet: bytes,
      span: cursor.word,
      rank: VALUE_RANK,
    }))
}

/** The names of the lists that metadata does not have yet, and lists of one attribute in place of a missing bracket. */
function optionCandidates(
  context: ArgumentContext,
  metadata: string,
  options: readonly Parameter[],
): CompletionCandidate[] {
  const { argument, property } = context
  const { items } = argument.$container
  const isNamed = argument.name !== undefined
  const current = options.find(({ name, byName }) => (isNamed ? name === argument.name : byName !== true))
  const isList = current?.kind === 'attributes'
  if (property === 'value' && isNamed)
    return isList ? listCandidates(context, current.name) : optionValues(context, metadata, current)
  const given = givenParameters(items, items.indexOf(argument), options)
  const names = options
    .filter(({ name, kind, byName }) => !given.has(name) && (kind === 'attributes' || byName === true))
    .map(({ name, kind }) =>
      nameCandidate(context, {
        of: `#${metadata}`,
        name,
        value: kind === 'entity' || kind === 'word' ? '$1' : '[$1]',
      }),
    )
  const values =
    isList || property === 'name' || items[0] !== argument ? [] : optionValues(context, metadata, current)
  return [...values, ...names]
}

/** The values of an option of an endpoint's metadata: words, roles, or the service and its structs. */
function optionValues(
  { container, cursor }: ArgumentContext,
  metadata: string,
  option: Parameter | undefined,
): CompletionCandidate[] {
  const candidate = (label: string, more: Partial<CompletionCandidate>): CompletionCandidate => ({
    label,
    kind: 'value',
    snippet: label,
    span: cursor.word,
    rank: VALUE_RANK,
    ...more,
  })
  if (option?.kind === 'entity' && container.$type === 'Endpoint') {
    const service = container.$container
    if (service.$type !== 'Service') return []
    return [
      candidate(service.name, { kind: 'service', detail: 'service' }),
      ...service.members
        .filter(isStruct)
        .map(({ name }) => candidate(name, { kind: 'struct', detail: 'struct' })),
    ]
  }
  if (option?.kind === 'roles')
    return [...definitionIndex(cursor.parseResult.value).roles].map((role) =>
      candidate(role, { detail: 'role' }),
    )
  return (option?.values ?? []).map(({ name }) =>
    candidate(name, { documentation: { about: 'value', of: `#${metadata}`, name } }),
  )
}

/** `[delete]` after `#omit(`: lists of one item in place of a missing bracket. */
function bracketed(
  { argument, container, cursor, owner, property }: ArgumentContext,
  entry: MetadataEntry,
  parameter: Parameter,
): CompletionCandidate[] {
  if (property === 'name' || argument.$container.items.length > 1 || hasList(cursor)) return []
  if (container.$type === 'Definition' || !isMetadata(owner)) return []
  const minimal = new MinimalContext(cursor, container, owner)
  const words =
    parameter.kind === 'words'
      ? possibleWords(entry, parameter, cursor)
          .filter(({ label }) => minimal.accept(`#${entry.name}[${label}]`) !== undefined)
          .map(({ label, detail }) => ({ label, detail }))
      : calleeNames(container, definitionIndex(cursor.parseResult.value)).map((label) => ({
          label,
          detail: 'service',
        }))
  return words.map(({ label, detail }) => ({
    label: `[${label}]`,
    kind: parameter.kind === 'words' ? 'value' : 'service',
    ...(detail === undefined ? {} : { detail }),
    snippet: `[${label}]`,
    span: cursor.word,
    filter: label,
    rank: VALUE_RANK,
  }))
}

function listCandidates({ container, cursor }: ArgumentContext, option: string): CompletionCandidate[] {
  if (hasList(cursor)) return []
  return criteria(container, option).map(({ name, type }) => ({
    label: `[${name}]`,
    kind: 'attribute',
    detail: typeName(type),
    snippet: `[\${1:${name}}]`,
    span: cursor.word,
    filter: name,
    rank: VALUE_RANK,
  }))
}

/** Whether a list follows the cursor, which another one would not replace. */
const hasList = (cursor: Cursor) => imageAfter(cursor) === '['

/** The attributes of a block that a list of `#enumerable` can have. */
export function criteria(container: Block | Definition, option: string): Attribute[] {
  return (
    container.members
      .filter((member) => isAttribute(member))
      // The word at the cursor may be one without a type.
      .filter((attribute) => hasName(attribute.type) && criterionProblem(attribute, option) === undefined)
  )
}

/** The words that metadata accepts, and the name of its parameter. */
function wordCandidates(
  context: ArgumentContext,
  entry: MetadataEntry,
  parameter: Parameter,
): CompletionCandidate[] {
  const { argument, container, cursor, owner, property } = context
  if (argument.$container.items.length > 1 || container.$type === 'Definition' || !isMetadata(owner))
    return []
  const isNamed = property === 'value' && argument.name !== undefined
  if (isNamed && argument.name !== parameter.name) return []
  const of = `#${entry.name}`
  const name = nameCandidate(context, { of, name: parameter.name, value: '' })
  if (property === 'name') return [name]
  const prefix = !isNamed && isNamedInText(parameter) ? `${parameter.name}: ` : ''
  const minimal = new MinimalContext(cursor, container, owner)
  const values = possibleWords(entry, parameter, cursor)
    .filter(({ label, awaits }) => minimal.accept(`${of}(${label})`, { awaited: awaits }) !== undefined)
    .map(
      (word): CompletionCandidate => ({
        ...word,
        label: prefix + word.label,
        snippet: prefix + word.label,
        span: cursor.word,
        rank: VALUE_RANK,
      }),
    )
  return isNamed || prefix !== '' ? values : [...values, { ...name, rank: NAME_RANK }]
}

/** The words that a parameter accepts; the roles of the project too, where it names callers. */
function possibleWords(
  { name: metadata }: MetadataEntry,
  { kind, values }: Parameter,
  { parseResult }: Cursor,
): Pick<CompletionCandidate, 'label' | 'kind' | 'detail' | 'documentation' | 'awaits'>[] {
  const roles = kind === 'callers' ? [...definitionIndex(parseResult.value).roles] : []
  return [
    ...values.map(({ name }) => ({
      label: name,
      kind: 'value' as const,
      documentation: { about: 'value', of: `#${metadata}`, name } as const,
    })),
    // A role is listed in `#readable` and in `#writable`, one after the other.
    ...roles.map((label) => ({
      label,
      kind: 'value' as const,
      detail: 'role',
      awaits: 'writable-but-not-readable' as const,
    })),
  ]
}

/** The name of a parameter. `value` is the part of the snippet after it, if there is no value yet. */
function nameCandidate(
  { cursor, property }: ArgumentContext,
  { of, name, value }: { readonly of: string; readonly name: string; readonly value: string },
): CompletionCandidate {
  return {
    label: `${name}:`,
    kind: 'parameter',
    documentation: { about: 'parameter', of, name },
    snippet: property === 'name' ? name : `${name}: ${value}`,
    span: cursor.word,
    filter: name,
    rank: VALUE_RANK,
  }
}

/** The items that can be added to a list of metadata: words, services, or attributes. */
export function itemCandidates(context: ItemContext): CompletionCandidate[] {
  const { container, cursor, list, owner, reference, services } = context
  if (owner.$type === 'Annotation') {
    const { arguments: given } = owner.$container.type
    const argument = list.$container
    const name = isArgument(argument) ? argument.name : undefined
    const others = [...(name === undefined ? [] : [name]), ...otherItems(list, cursor)]
    return owner.name === 'transitions' ? targetCandidates(enumValues(given), others, cursor) : []
  }
  const entry = metadataNamed(owner.name)
  if (entry === undefined || container.$type === 'Definition') return []
  const others = otherItems(list, cursor)
  if (reference !== undefined) {
    const isInEntry = owner.name === 'unique' && container.$type === 'Struct'
    const names = [...referableNames(reference, services), ...(isInEntry ? [PARENT_CANDIDATE] : [])]
    return names
      .filter(({ label }, index) => names.findIndex((named) => named.label === label) === index)
      .filter(
        ({ label }) => label === typedWord(cursor) || (label !== container.name && !others.includes(label)),
      )
      .map(
        (named): CompletionCandidate => ({
          ...named,
          snippet: named.label,
          span: cursor.word,
          rank: VALUE_RANK,
        }),
      )
  }
  const { parameter } = entry
  if (entry.name === 'access') {
    const roles = [...definitionIndex(cursor.parseResult.value).roles].filter(
      (role) => !others.includes(role),
    )
    return roles.map((label) => ({
      label,
      kind: 'value',
      detail: 'role',
      snippet: label,
      span: cursor.word,
      rank: VALUE_RANK,
    }))
  }
  if (parameter?.kind !== 'words' && parameter?.kind !== 'callers') return []
  const minimal = new MinimalContext(cursor, container, owner)
  const left = possibleWords(entry, parameter, cursor).filter(
    ({ label }) => !others.some((other) => acceptedWord(parameter, other) === label),
  )
  const fits = (words: readonly string[], awaited?: DiagnosticCode): boolean =>
    minimal.accept(`#${entry.name}[${[...others, ...words].join(', ')}\n]`, { awaited }) !== undefined
  // A list that is invalid so far may be continued: all writers must also be readers.
  const callers = left.map(({ label }) => label).filter((label) => label !== 'all')
  return left
    .filter(({ label, awaits }) => fits([label], awaits) || (callers.includes(label) && fits(callers)))
    .map((word) => ({ ...word, snippet: word.label, span: cursor.word, rank: VALUE_RANK }))
}

/** In `#unique` of a struct. */
const PARENT_CANDIDATE = {
  label: PARENT,
  kind: 'attribute',
  detail: 'the entity that an entry belongs to',
} as const

/** The services or attributes that a reference in a list can name. */
function referableNames(
  reference: ServiceValue | AttributeValue,
  { references: { ScopeProvider } }: PorticoServices,
): Pick<CompletionCandidate, 'label' | 'kind' | 'detail' | 'documentation'>[] {
  if (reference.$type === 'AttributeValue') {
    const option = AstUtils.getContainerOfType(reference, isArgument)?.name
    const metadata = AstUtils.getContainerOfType(reference, isMetadata)
    const problemOf = (attribute: Attribute) =>
      metadata?.name === 'unique' ? combinationProblem(attribute) : criterionProblem(attribute, option)
    return ScopeProvider.getScope({
      container: reference,
      property: 'attribute',
      reference: reference.attribute,
    })
      .getAllElements()
      .flatMap(({ name, node }) =>
        isAttribute(node) && problemOf(node) === undefined
          ? [{ label: name, kind: 'attribute' as const, detail: typeName(node.type) }]
          : [],
      )
      .toArray()
  }
  return ScopeProvider.getScope({ container: reference, property: 'service', reference: reference.service })
    .getAllElements()
    .map(({ name }) => ({
      label: name,
      kind: 'service' as const,
      detail: 'service',
      documentation: { about: 'entity', name } as const,
    }))
    .toArray()
}

/** The other items as written. */
function otherItems(list: ListValue, cursor: Cursor): string[] {
  return list.items
    .filter((item) => spanOf(item).start !== cursor.word.start)
    .map((item) => textOf(item, cursor))
}

/** The arguments as written, with another text in the place of the one at the cursor. */
function siblingTexts({ argument, cursor }: ArgumentContext, text: string): string {
  const texts = argument.$container.items.map((item) => (item === argument ? text : textOf(item, cursor)))
  return `${texts.join(', ')}\n`
}

function textOf(node: Argument | Value, { parseResult }: Cursor): string {
  const { start, end } = spanOf(node)
  return parseResult.text.slice(start, end)
}
