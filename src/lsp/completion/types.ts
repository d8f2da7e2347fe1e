import { metadataWords, optionWords, wordText } from '../../language/argument-binding.ts'
import { type BlockKind, isMethod, type TypeEntry, TYPES } from '../../language/builtins.ts'
import {
  type Arguments,
  type Attribute,
  type Block,
  type Definition,
  type Endpoint,
  type Entity,
  type Job,
  isEndpoint,
  isEntity,
  isJob,
  isMetadata,
} from '../../language/generated/ast.ts'
import { kebabCase } from '../../naming.ts'
import { kindOf, propertySpan, spanOf } from '../../language/nodes.ts'
import { checkText } from '../../language/parse.ts'
import { dependentsOf, isRequired } from '../../language/required-references.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { signatureOf } from '../builtin-markdown.ts'
import type { AdditionalEdit, CompletionCandidate } from './candidate.ts'
import type { CompletionContext, KindContext, TypeContext } from './context.ts'
import { type Cursor, endBefore, imageAfter, typedWord } from './placeholder.ts'

// Built-in types come first, so that the selection after `name:` is predictable.
const TYPE_RANK = 10
const SIBLING_RANK = 15
const SERVICE_RANK = 20
const NOT_IMPORTED_RANK = 30

const MOST_USED_FIRST = TYPES.toSorted((a, b) => Number(b.name === 'string') - Number(a.name === 'string'))

/** The types of an attribute: built-in types, sibling structs, and services. */
export function typeCandidates(context: TypeContext): CompletionCandidate[] {
  const { attribute, container, cursor } = context
  if (container.$type === 'Project' || container.$type === 'Definition') return []
  const given = argumentsText(attribute.type.arguments, cursor)
  const preset = defaultText(attribute, cursor)
  const space = spaceBefore(cursor)
  const fits = (name: string): boolean => {
    if (preset !== '') return acceptsArguments(name, `${given ?? ''}${preset}`)
    return given === undefined || replaces(name, given)
  }
  const isInList = isListed(attribute, container)
  const builtIn = MOST_USED_FIRST.filter(({ name }) => fits(name) && !(isInList && name === 'data')).map(
    (entry: TypeEntry): CompletionCandidate => ({
      label: entry.name,
      kind: 'type',
      detail: signatureOf(entry.name, entry.parameters),
      documentation: { about: 'type', name: entry.name },
      snippet: `${space}${entry.name}${given === undefined && entry.name === 'enum' ? '(${1:value})' : ''}`,
      span: cursor.word,
      rank: TYPE_RANK,
      // A string needs a length for its index.
      ...(isInList && entry.name === 'string' ? { awaits: 'not-indexable' as const } : {}),
    }),
  )
  if (!canRefer(container) || !canBeReference(attribute)) return builtIn
  const { free, cyclic } = referableEntities(context, container, attribute)
  const typed = definitionIndex(cursor.parseResult.value).blocksByName.get(typedWord(cursor))
  if (isEntity(typed) && !free.some(({ name }) => name === typed.name)) free.push(typed)
  const reference = (entity: Entity, sign: '' | '?'): CompletionCandidate => {
    const candidate = entityCandidate(entity)
    const text = `${candidate.label}${sign}`
    return { ...candidate, label: text, filter: entity.name, snippet: `${space}${text}`, span: cursor.word }
  }
  // Clients must always send a `@client` attribute for hooks.
  const canBeOptional = !isEntity(container) || !attribute.annotations.some(({ name }) => name === 'client')
  return [
    ...builtIn,
    ...free.map((entity) => reference(entity, '')),
    // What is typed in full stays as it is.
    ...(canBeOptional ? cyclic : [])
      .filter((entity) => entity !== typed)
      .map((entity) => reference(entity, '?')),
  ]
}

/** Whether the block has the attribute in a list, such as `#unique[...]`, whose attributes have indexes. */
export function isListed({ name }: Attribute, { members }: Block | Definition): boolean {
  return members
    .filter((member) => isMetadata(member))
    .flatMap((metadata) => {
      if (metadata.name === 'unique') return metadataWords(metadata).map(wordText)
      return metadata.name === 'enumerable'
        ? [...optionWords(metadata, 'filter'), ...optionWords(metadata, 'sort')]
        : []
    })
    .includes(name)
}

/** Whether attributes of a block can refer to services. */
function canRefer(container: Block | Definition): container is Entity | Endpoint | Job {
  return isEntity(container) || isEndpoint(container) || isJob(container)
}

/** Whether the type of an attribute can be a reference, which has neither arguments nor a default. */
function canBeReference({ type, default: given }: Attribute): boolean {
  return (type.arguments?.items.length ?? 0) === 0 && given === undefined
}

/** Services of files that the definition does not import yet. */
export function notImportedCandidates(
  context: CompletionContext,
  services: readonly { readonly name: string; readonly path: string }[],
  importing: (path: string) => AdditionalEdit,
): CompletionCandidate[] {
  const isService =
    context.kind === 'type'
      ? canRefer(context.container) && canBeReference(context.attribute)
      : context.kind === 'item' && context.reference?.$type === 'ServiceValue'
  const { cursor } = context
  const { blocksByName } = definitionIndex(cursor.parseResult.value)
  const space = context.kind === 'type' ? spaceBefore(cursor) : ''
  return services
    .filter(({ name }) => isService && !blocksByName.has(name))
    .map(({ name, path }) => ({
      label: name,
      kind: 'service',
      detail: `import "${path}"`,
      snippet: `${space}${name}`,
      span: cursor.word,
      additionalEdits: [importing(path)],
      rank: NOT_IMPORTED_RANK,
    }))
}

/** The entities that an attribute can refer to. */
export interface ReferableEntities {
  /** Without a cycle; sibling structs come first. */
  readonly free: Entity[]
  /** Only if the reference is optional, because it closes a cycle. */
  readonly cyclic: readonly Entity[]
}

/** @param attribute the existing attribute; without it, a new one that clients must supply */
export function referableEntities(
  { services }: CompletionContext,
  container: Entity | Endpoint | Job,
  attribute?: Attribute,
): ReferableEntities {
  const dependents =
    !isEntity(container) || (attribute !== undefined && !isRequired(attribute))
      ? new Set()
      : dependentsOf(container, attribute)
  const newAttribute = { $type: 'Attribute', $container: container }
  const scope = services.references.ScopeProvider.getScope({
    container: attribute?.type ?? { $type: 'ReferenceType', $container: newAttribute },
    property: 'entity',
    reference: { $refText: '', ref: undefined },
  })
  const free: Entity[] = []
  const cyclic: Entity[] = []
  for (const { node } of scope.getAllElements()) {
    if (node?.$type !== 'Service' && node?.$type !== 'Struct') continue
    const entity = node as Entity
    // A struct can refer to any service: none needs a struct.
    const isFree = entity.$type !== container.$type || !dependents.has(entity.name)
    ;(isFree ? free : cyclic).push(entity)
  }
  return { free, cyclic }
}

function entityCandidate(
  entity: Entity,
): Pick<CompletionCandidate, 'label' | 'kind' | 'detail' | 'documentation' | 'rank'> {
  const { name, $container: around } = entity
  if (entity.$type === 'Service')
    return {
      label: name,
      kind: 'service',
      detail: 'service',
      documentation: { about: 'entity', name },
      rank: SERVICE_RANK,
    }
  const of = around.$type === 'Definition' ? {} : { of: around.name }
  return {
    label: name,
    kind: 'struct',
    detail: 'sibling struct',
    documentation: { about: 'entity', name, ...of },
    rank: SIBLING_RANK,
  }
}

/** Whether a type can replace the one before these arguments. Numbers are rarely meant as the values of an `enum`. */
function replaces(type: string, given: string): boolean {
  return acceptsArguments(type, given) && !(type === 'enum' && /^\([-+.\d]/.test(given))
}

/** The possible block kinds of a declaration. */
export function kindCandidates(context: KindContext): CompletionCandidate[] {
  const { container, declaration, cursor } = context
  if (container.$type === 'Definition') return topLevelKinds(context)
  if (container.$type !== 'Service' || !/^\p{Lu}/u.test(declaration.name)) return []
  const existing = existingBlock(context)
  const isKnown = existing?.$type === 'Struct' || existing?.$type === 'Endpoint' || existing?.$type === 'Job'
  // Another kind would not have the members that are there.
  if (imageAfter(cursor) === '{')
    return [isKnown ? kindOf(existing) : hasPath(existing) ? 'endpoint' : 'struct'].map((kind) =>
      kindCandidate(kind, cursor),
    )
  const endpoint = kindCandidate('endpoint', cursor)
  const path = `#\${1|get,post|}("\${2:${kebabCase(declaration.name)}}");`
  return [
    kindCandidate('struct', cursor),
    { ...endpoint, snippet: endpoint.snippet.replace('\n', `\n  ${path}\n`) },
    kindCandidate('job', cursor),
  ]
}

function hasPath(block: Block | undefined): boolean {
  return block?.members.some((member) => isMetadata(member) && isMethod(member.name)) === true
}

/** The block that a declaration is already, if it has a kind. */
function existingBlock({ cursor, declaration }: KindContext): Block | undefined {
  const span = propertySpan(declaration, 'name')
  const { blocks } = definitionIndex(cursor.parseResult.value)
  return blocks.find((block) => propertySpan(block, 'name')?.start === span?.start)
}

function topLevelKinds(context: KindContext): CompletionCandidate[] {
  const { cursor, declaration } = context
  const { name } = declaration
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return []
  const { project } = definitionIndex(cursor.parseResult.value)
  const span = propertySpan(declaration, 'name')
  const existing = existingBlock(context)
  const kinds = (['service', 'project'] as const).filter((kind) => {
    const isTopLevel = existing?.$type === 'Service' || existing?.$type === 'Project'
    if (isTopLevel && imageAfter(cursor) === '{') return kind === kindOf(existing)
    if (kind === 'service') return true
    const isOtherProject = project !== undefined && project !== existing
    return !isOtherProject && (existing?.members.every((member) => isMetadata(member)) ?? true)
  })
  const capital = name.charAt(0).toUpperCase()
  const additionalEdits: AdditionalEdit[] =
    span === undefined || name.startsWith(capital)
      ? []
      : [{ start: span.start, end: span.start + 1, text: capital }]
  return kinds.map((kind) => ({ ...kindCandidate(kind, cursor), additionalEdits }))
}

function kindCandidate(kind: BlockKind, cursor: Cursor): CompletionCandidate {
  const hasBody = imageAfter(cursor) === '{'
  return {
    label: kind,
    kind,
    documentation: { about: 'kind', name: kind },
    snippet: `${spaceBefore(cursor)}${hasBody ? kind : `${kind} {\n  $0\n}`}`,
    span: cursor.word,
    rank: kind === 'project' ? 1 : 0,
  }
}

/** A space if a token ends at the cursor. */
export function spaceBefore(cursor: Cursor): string {
  const { word } = cursor
  return word.start === word.end && endBefore(cursor) === word.start ? ' ' : ''
}

/** The text of arguments in parentheses; `undefined` without parentheses. */
function argumentsText(given: Arguments | undefined, { parseResult }: Cursor): string | undefined {
  if (given === undefined) return undefined
  const texts = given.items.map((item) => {
    const { start, end } = spanOf(item)
    return parseResult.text.slice(start, end)
  })
  return `(${texts.join(', ')}\n)`
}

/** The default of an attribute with its `=`; empty without one. */
function defaultText({ default: given }: Attribute, { parseResult }: Cursor): string {
  if (given === undefined) return ''
  const { start, end } = spanOf(given)
  return ` = ${parseResult.text.slice(start, end)}`
}

/** Whether a type accepts these arguments, according to the validation of a minimal definition. */
export function acceptsArguments(type: string, given: string): boolean {
  return checkText(`P: project {} S: service { a: ${type}${given}; }`).valid
}
