import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { metadataText, nameExample } from '../../language/builtin-examples.ts'
import { isMethod, isOptional, METADATA, type MetadataEntry, PARENT } from '../../language/builtins.ts'
import { type Block, isAttribute, isMetadata, isStruct, type Metadata } from '../../language/generated/ast.ts'
import { kebabCase } from '../../naming.ts'
import { hasName, kindOf, propertySpan, spanOf } from '../../language/nodes.ts'
import { hasParseError } from '../../language/parser/parse-errors.ts'
import type { Span } from '../../language/raw-diagnostic.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { calleeNames } from '../../language/validation/uses.ts'
import { combinationOf, combinationProblem, fitsOneIndex } from '../../language/validation/unique.ts'
import { criteria } from './arguments.ts'
import { type AdditionalEdit, type CompletionCandidate, MAX_CHOICES } from './candidate.ts'
import type { DeclarationContext, MetadataContext } from './context.ts'
import { MinimalContext } from './minimal-context.ts'
import { type Cursor, imageAfter } from './placeholder.ts'

const METADATA_RANK = 30
/** Redundant metadata comes last. */
const REDUNDANT_RANK = 40

/** Metadata at the start of a declaration. */
export function metadataDeclarations(
  { container, cursor }: DeclarationContext,
  additionalEdits: readonly AdditionalEdit[],
): CompletionCandidate[] {
  if (container.$type === 'Definition' || container.$type === 'UnknownBlock') return []
  return new MetadataCandidates(cursor, container, undefined).create({
    span: cursor.word,
    sign: '',
    additionalEdits,
  })
}

/** Metadata after a `#`. */
export function metadataCandidates({ container, cursor, metadata }: MetadataContext): CompletionCandidate[] {
  if (container.$type === 'Definition' || container.$type === 'UnknownBlock') return []
  const { start } = spanOf(metadata)
  return new MetadataCandidates(cursor, container, metadata).create({
    span: { start, end: cursor.word.end },
    sign: '#',
    additionalEdits: [],
  })
}

/** The common fields of metadata candidates. */
interface Placement {
  readonly span: Span
  /** The prefix of the text that typing is compared with. */
  readonly sign: '' | '#'
  readonly additionalEdits: readonly AdditionalEdit[]
}

/** The text of a metadata candidate. */
interface Written {
  readonly snippet: string
  readonly isRedundant: boolean
  readonly additionalEdits?: readonly AdditionalEdit[]
  readonly awaits?: DiagnosticCode
}

/** Complete metadata that is valid in a block and that the block does not have yet. */
class MetadataCandidates {
  readonly #cursor: Cursor
  readonly #container: Exclude<Block, { $type: 'UnknownBlock' }>
  readonly #current: Metadata | undefined
  readonly #minimal: MinimalContext

  constructor(
    cursor: Cursor,
    container: Exclude<Block, { $type: 'UnknownBlock' }>,
    current: Metadata | undefined,
  ) {
    this.#cursor = cursor
    this.#container = container
    this.#current = current
    this.#minimal = new MinimalContext(cursor, container, current)
  }

  create({ span, sign, additionalEdits }: Placement): CompletionCandidate[] {
    const kind = kindOf(this.#container)
    const present = new Set(
      this.#container.members
        .filter((member) => isMetadata(member) && member !== this.#current)
        .map(({ name }) => name),
    )
    const value = this.#valueText()
    const terminator = value === undefined && imageAfter(this.#cursor) !== ';' ? ';' : ''
    return METADATA.filter(
      ({ blocks, name, isRepeatable }) => blocks.includes(kind) && (isRepeatable || !present.has(name)),
    ).flatMap((entry): CompletionCandidate[] => {
      const written = value === undefined ? this.#whole(entry) : this.#renamed(entry, value)
      if (written === undefined) return []
      const candidate: CompletionCandidate = {
        label: `#${entry.name}`,
        kind: 'metadata',
        documentation: { about: 'metadata', name: entry.name },
        snippet: written.snippet + terminator,
        span,
        filter: sign + entry.name,
        rank: written.isRedundant ? REDUNDANT_RANK : METADATA_RANK,
        additionalEdits: [...additionalEdits, ...(written.additionalEdits ?? [])],
        ...(written.awaits === undefined ? {} : { awaits: written.awaits }),
      }
      const lists =
        value === undefined
          ? (this.#withLists(entry) ?? this.#withOptional(entry) ?? this.#withOption(entry))
          : undefined
      return lists === undefined
        ? [candidate]
        : [candidate, { ...candidate, label: `#${entry.name}(...)`, snippet: lists + terminator }]
    })
  }

  /** Metadata with its optional lists, of one attribute each; `undefined` if it has none, or there is no attribute. */
  #withLists({ name, options = [] }: MetadataEntry): string | undefined {
    const lists = options.flatMap((option) => {
      const [first] = option.kind === 'attributes' ? criteria(this.#container, option.name) : []
      return first === undefined ? [] : [{ option: option.name, attribute: first.name }]
    })
    const written = lists.map(({ option, attribute }, index) => `${option}: [\${${index + 1}:${attribute}}]`)
    return written.length === 0 ? undefined : `#${name}(${written.join(', ')})`
  }

  /** Metadata with the parameter that it can leave out; `undefined` if it has none. */
  #withOptional({ name, parameter }: MetadataEntry): string | undefined {
    const value = parameter?.values[0]?.name
    if (parameter === undefined || value === undefined || !isOptional(parameter)) return undefined
    const text = metadataText(name, parameter, value)
    return this.#minimal.accept(text) === undefined ? undefined : text
  }

  /** Metadata with an option that is not its default; `undefined` if it has none in this block. */
  #withOption({ name, parameter, options = [] }: MetadataEntry): string | undefined {
    const value = parameter?.values[0]?.name
    const texts = options.flatMap((option) =>
      option.values.map((word) => `#${name}(${value}, ${option.name}: ${word.name})`),
    )
    if (value === undefined) return undefined
    return texts.find((text) => this.#minimal.accept(text)?.isRedundant === false)
  }

  /** The value that already follows the name. */
  #valueText(): string | undefined {
    const given = this.#current?.arguments ?? this.#current?.list
    if (given === undefined) return undefined
    const { start, end } = spanOf(given)
    return this.#cursor.parseResult.text.slice(start, end)
  }

  /** Another name for the existing value. */
  #renamed({ name }: MetadataEntry, value: string): Written | undefined {
    const outcome = this.#minimal.accept(`#${name}${value}`)
    return outcome && { snippet: `#${name}`, isRedundant: outcome.isRedundant }
  }

  #whole({ name, parameter }: MetadataEntry): Written | undefined {
    const { $type } = this.#container
    if ($type === 'Endpoint' && name !== 'public') return this.#ofEndpoint(name)
    if ($type === 'Endpoint') return this.#withoutValue(name)
    if (name === 'schedule') return this.#withSchedule(name)
    if (parameter === undefined || isOptional(parameter)) return this.#withoutValue(name)
    if (parameter.kind === 'services') return this.#withServices(name)
    if (parameter.kind === 'attributes') return this.#withAttributes(name)
    if (parameter.kind === 'name') return this.#withFormerName(name)
    if (parameter.kind === 'names') return this.#withNewName(name)
    const roles = parameter.kind === 'callers' ? definitionIndex(this.#cursor.parseResult.value).roles : []
    const awaits = name === 'authMethod' ? 'method-without-auth' : undefined
    const accepted = [...parameter.values.map((value) => value.name), ...roles].flatMap((word) => {
      const outcome = this.#minimal.accept(metadataText(name, parameter, word), { awaited: awaits })
      return outcome === undefined ? [] : [{ word, isRedundant: outcome.isRedundant }]
    })
    const words = accepted
      .toSorted((a, b) => Number(a.isRedundant) - Number(b.isRedundant) || order(a.word) - order(b.word))
      .map(({ word }) => word)
    if (words.length === 0) return undefined
    const choice = words.length === 1 ? (words[0] ?? '') : `\${1|${words.join(',')}|}`
    return {
      snippet: metadataText(name, parameter, choice),
      isRedundant: accepted.every(({ isRedundant }) => isRedundant),
      ...(awaits === undefined ? {} : { awaits }),
    }
  }

  /** Metadata of an endpoint with a typical value. An endpoint has one method. */
  #ofEndpoint(name: string): Written | undefined {
    const { name: own, members, $container: around } = this.#container
    const others = members.filter((member) => member !== this.#current)
    const isOpen = others.some((member) => isMetadata(member) && member.name === 'public')
    if (isMethod(name))
      return others.some((member) => isMetadata(member) && isMethod(member.name))
        ? undefined
        : { snippet: `#${name}("\${1:${kebabCase(own)}}")`, isRedundant: false }
    if (name === 'status') return { snippet: '#status(${1|201,202|})', isRedundant: false }
    if (name === 'returns' && around.$type === 'Service') {
      if (this.#minimal.accept(`#returns(${around.name})`) === undefined) return undefined
      const names = [around.name, ...around.members.filter(isStruct).map((each) => each.name)]
      const choice = names.length === 1 ? names.join('') : `\${1|${names.slice(0, MAX_CHOICES).join(',')}|}`
      return { snippet: `#returns(${choice})`, isRedundant: false }
    }
    const checks = ['none', 'readable', 'writable']
      .map((check) => `#access(${check})`)
      .filter((text) => this.#minimal.accept(text) !== undefined)
    const [role] = definitionIndex(this.#cursor.parseResult.value).roles
    if (checks.length > 0) return { snippet: '#access(${1|none,readable,writable|})', isRedundant: false }
    return role === undefined || isOpen
      ? undefined
      : { snippet: `#access(by: [\${1:${role}}])`, isRedundant: false }
  }

  #withoutValue(name: string): Written | undefined {
    const snippet = `#${name}`
    if (this.#minimal.accept(snippet) !== undefined) return { snippet, isRedundant: false }
    const edit = name === 'auth' ? this.#authMethodEdit() : undefined
    if (edit === undefined || this.#minimal.accept(snippet, { inProject: edit.text }) === undefined)
      return undefined
    return { snippet, isRedundant: false, additionalEdits: [edit] }
  }

  /** Adds `#authMethod` to the project if possible. */
  #authMethodEdit(): AdditionalEdit | undefined {
    const { tokens, lines, value } = this.#cursor.parseResult
    const { project, authMethod } = definitionIndex(value)
    const name = project && propertySpan(project, 'name')
    if (project === undefined || name === undefined || authMethod !== undefined || hasParseError(project))
      return undefined
    // The name, `:`, the kind, and the brace.
    const brace = tokens.firstFrom(name.start) + 3
    if (tokens.image(brace) !== '{') return undefined
    const start = tokens.end(brace)
    const isOnOneLine = lines.lineAt(tokens.start(brace + 1)) === lines.lineAt(start)
    return { start, end: start, text: isOnOneLine ? ' #authMethod(email); ' : '\n  #authMethod(email);' }
  }

  #withFormerName(name: string): Written | undefined {
    const placeholder = 'OldName'
    if (this.#minimal.accept(`#${name}(${placeholder})`) === undefined) return undefined
    return { snippet: `#${name}(\${1:${placeholder}})`, isRedundant: false }
  }

  /** Only a job without attributes can have a schedule. */
  #withSchedule(name: string): Written | undefined {
    return this.#container.members.some((member) => isAttribute(member) && hasName(member.type))
      ? undefined
      : { snippet: `#${name}("\${1:0 3 * * *}")`, isRedundant: false }
  }

  #withNewName(name: string): Written | undefined {
    const placeholder = nameExample(name)
    const awaits = 'roles-without-authentication'
    if (this.#minimal.accept(`#${name}[${placeholder}]`, { awaited: awaits }) === undefined) return undefined
    return { snippet: `#${name}[\${1:${placeholder}}]`, isRedundant: false, awaits }
  }

  /** Two attributes, or in a struct its parent and one, whose combination is not listed yet. */
  #withAttributes(name: string): Written | undefined {
    const { members, $type } = this.#container
    const attributes = members
      .filter((member) => isAttribute(member))
      // The word at the cursor may be one without a type.
      .filter((attribute) => hasName(attribute.type) && combinationProblem(attribute) === undefined)
    const names = attributes.map((each) => each.name)
    if ($type === 'Struct' && !names.includes(PARENT)) names.unshift(PARENT)
    const fits = (pair: readonly string[]) =>
      fitsOneIndex(attributes.filter((each) => pair.includes(each.name)))
    const known = new Set(
      members.flatMap((member) =>
        isMetadata(member) && member.name === name && member !== this.#current ? combinationOf(member) : [],
      ),
    )
    const pair = names
      .flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const))
      .find((each) => !known.has(each.toSorted().join()) && fits(each))
    // The block must be valid without the metadata that this replaces.
    if (pair === undefined || this.#minimal.accept('') === undefined) return undefined
    return { snippet: `#${name}[\${1:${pair[0]}}, \${2:${pair[1]}}]`, isRedundant: false }
  }

  #withServices(name: string): Written | undefined {
    const index = definitionIndex(this.#cursor.parseResult.value)
    const names = calleeNames(this.#container, index).slice(0, MAX_CHOICES)
    const services = names.slice(0, 1)
    if (
      names.length === 0 ||
      this.#minimal.accept(`#${name}[${services.join('')}]`, { services }) === undefined
    )
      return undefined
    const choice = names.length === 1 ? (names[0] ?? '') : `\${1|${names.join(',')}|}`
    return { snippet: `#${name}[${choice}]`, isRedundant: false }
  }
}

/** `delete` is the endpoint that is omitted most often. */
function order(word: string): number {
  return word === 'delete' ? 0 : 1
}
