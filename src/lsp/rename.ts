import { AstUtils } from 'langium'
import type { RenameProvider } from 'langium/lsp'
import { type LinkedEditingRanges, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver'
import { type Diagnostic, severityOf } from '../diagnostics/diagnostic.ts'
import {
  type Edit,
  inserting,
  insertingMember,
  removingDeclaration,
  replacing,
} from '../language/fixes/edits.ts'
import { removingArgument } from '../language/fixes/remove.ts'
import { type EnumValue, enumWordOf, isEnumValue, isEnumWord } from '../language/enum-values.ts'
import { editedText, segmentAt } from '../language/fixes/segments.ts'
import { formerNameIn, formerNameOf, formerValuesIn, wasOf } from '../language/former-name.ts'
import {
  type Attribute,
  type Block,
  isAttribute,
  isBlock,
  isEntity,
  isJob,
  isProject,
  isWordValue,
  type Member,
} from '../language/generated/ast.ts'
import { hasName, kindOf, nameSpan, openingBrace, spanOf } from '../language/nodes.ts'
import { hasParseError } from '../language/parser/parse-errors.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { checkText } from '../language/parse.ts'
import type { Segment } from '../language/parser/segment.ts'
import { quote } from '../language/quote.ts'
import { roleOf } from '../language/roles.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { definitionIndex, metadataOf } from '../language/validation/definition-index.ts'
import { snakeCase } from '../naming.ts'
import type { DocumentView } from './definition-view.ts'
import type { Definitions } from './definitions.ts'
import { nameAt, type NamedDeclaration, type NameOccurrence, referencesTo } from './references.ts'
import { workspaceEdit } from './workspace-edits.ts'

/** A name according to the grammar. */
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u

/**
 * Renames blocks, attributes, roles and values of enums with all references to them, in every definition that the file
 * belongs to. Comments are not changed. `@was` or `#was` keeps the name that the database has, so that a migration can
 * keep the data.
 */
export function rename(definitions: Definitions): RenameProvider {
  return {
    prepareRename: (document, { position }) => {
      const view = definitions.view(document)
      const found = nameIn(view, position)
      if (found === undefined)
        throw requestFailed(
          'Only the project, services, structs, attributes, roles and values of enums can be renamed',
        )
      return view.rangeOf(found.span)
    },
    rename: (document, { position, newName }) => {
      const found = definitions.views(document).flatMap((view) => {
        const name = nameIn(view, position)
        return name === undefined ? [] : [{ view, name }]
      })
      if (found.length === 0) return undefined
      const isValue = found.every(({ name }) => isEnumValue(name.declaration))
      if (isValue ? !isEnumWord(newName) : !NAME.test(newName))
        throw requestFailed(`Invalid ${isValue ? 'value' : 'name'} ${quote(newName)}`)
      return workspaceEdit(
        ...found.map(({ view, name }) => [view.definition, editsFor(view.result, name, newName)] as const),
      )
    },
  }
}

/** The edits of a renaming. Throws if the new name causes an error. */
function editsFor(result: DefinitionParseResult, found: NameOccurrence, newName: string): readonly Edit[] {
  // Two roles of one name are one role, which would change who may do what.
  if (
    isWordValue(found.declaration) &&
    roleOf(found.declaration) &&
    definitionIndex(result.value).roles.has(newName)
  )
    throw requestFailed(`${quote(newName)} is already declared`)
  const edits = spansOf(result, found).map((span) => replacing(span, newName))
  const former = formerNameEdits(result, found.declaration, newName)
  // What is removed may contain one of the occurrences.
  const others = edits.filter(
    (edit) => !former.some(({ start, end }) => start <= edit.start && edit.end <= end),
  )
  const withFormerName = [...others, ...former]
  const context = new NameContext(result, found.declaration, newName)
  // The data of a `@client` attribute, or of a name that is declared twice, cannot be kept.
  if (former.length > 0 && context.mistakeAfter(withFormerName) === undefined) return withFormerName
  const mistake = context.mistakeAfter(edits)
  if (mistake !== undefined) throw requestFailed(mistake.message)
  return edits
}

/** Adds the former name to what has a place in the database. The first one is kept, until the name is the same again. */
function formerNameEdits(
  result: DefinitionParseResult,
  declaration: NamedDeclaration,
  newName: string,
): Edit[] {
  if (isEnumValue(declaration)) return formerValueEdits(result, declaration, newName)
  // A role has no place in a database.
  if (isWordValue(declaration)) return []
  const entity = isAttribute(declaration) ? declaration.$container : declaration
  if (!isEntity(entity) && !isJob(declaration)) return []
  const was = wasOf(declaration)
  const former = was && formerNameIn(was)
  const isStored = snakeCase(newName) === snakeCase(former?.word ?? declaration.name)
  if (was !== undefined && former !== undefined && isStored)
    return [was.$type === 'Annotation' ? removingArgument(result, was, 0) : removingDeclaration(result, was)]
  if (former !== undefined || isStored) return []
  if (isAttribute(declaration))
    return hasParseError(declaration)
      ? addingToBroken(result, declaration)
      : addingToWas(declaration, declaration.name, 'first')
  return was === undefined ? addingMember(result, declaration, `#was(${declaration.name});`) : []
}

/** Adds `@was` at the end of an attribute with a syntax error, because nothing is known of its annotations. */
function addingToBroken({ text }: DefinitionParseResult, attribute: Attribute): Edit[] {
  const { start, end } = spanOf(attribute)
  const hasWas = /@\s*was\b/.test(text.slice(start, end))
  if (hasWas || !hasName(attribute.type)) return []
  // Characters that belong to no token may follow.
  const [rest = ''] = /^[^\s;}/]*/.exec(text.slice(end, end + 80)) ?? []
  return [inserting(end + rest.length, ` @was(${attribute.name})`)]
}

/** Adds a member at the end of a block; after its `{` if its syntax errors make the end uncertain. */
function addingMember(result: DefinitionParseResult, block: Block, text: string): Edit[] {
  const brace = openingBrace(block)
  if (!hasParseError(block)) return insertingMember(result, block, text)
  return brace === undefined ? [] : [inserting(brace.end, ` ${text}`)]
}

/** The same for a value of an `enum`: `@was(pending: waiting)`. */
function formerValueEdits(result: DefinitionParseResult, declaration: EnumValue, newName: string): Edit[] {
  const attribute = AstUtils.getContainerOfType(declaration, isAttribute)
  if (!isEntity(attribute?.$container) || hasParseError(attribute)) return []
  const name = enumWordOf(declaration)
  const was = wasOf(attribute)
  const pair = was && formerValuesIn(was).find((each) => each.name === name)
  if (pair === undefined || was?.$type !== 'Annotation')
    return addingToWas(attribute, `${newName}: ${name}`, 'last')
  return enumWordOf(pair.value) === newName ? [removingArgument(result, was, pair.$containerIndex ?? 0)] : []
}

/** Adds an argument to the `@was` of an attribute, or adds it with the argument. */
function addingToWas(attribute: Attribute, argument: string, place: 'first' | 'last'): Edit[] {
  const was = wasOf(attribute)
  if (was === undefined) return [inserting(spanOf(attribute).end, ` @was(${argument})`)]
  const item = was.arguments?.items.at(place === 'first' ? 0 : -1)
  if (item === undefined) return []
  const { start, end } = spanOf(item)
  return [place === 'first' ? inserting(start, `${argument}, `) : inserting(end, `, ${argument}`)]
}

/**
 * The occurrences of a name in a file that an editor can change together while the user types: only at the declaration.
 */
export function linkedEditingRanges(view: DocumentView, position: Position): LinkedEditingRanges | null {
  const found = nameIn(view, position)
  if (found === undefined || found.span.start !== nameSpan(found.declaration).start) return null
  const spans = spansOf(view.result, found).filter((span) => view.contains(span))
  if (spans.length < 2) return null
  return {
    ranges: spans.map((span) => view.rangeOf(span)),
    // Editors read it without the flag `u`, in which `\p{L}` has no meaning. Valid names are ASCII.
    wordPattern: '[A-Za-z_$][\\w$-]*',
  }
}

function nameIn(view: DocumentView, position: Position): NameOccurrence | undefined {
  return nameAt(view.result, view.offsetAt(position))
}

/** Every occurrence of a name, in the order of the text. */
function spansOf(result: DefinitionParseResult, { declaration }: NameOccurrence): Span[] {
  return [nameSpan(declaration), ...referencesTo(result, declaration)].toSorted((a, b) => a.start - b.start)
}

/**
 * What decides whether a name is valid: the segment of its declaration, the blocks that it refers to, and those with
 * similar names. To check all of a large definition takes too long.
 */
class NameContext {
  readonly #segment: Segment
  readonly #rest: string
  /** What follows the name of an attribute with a syntax error, whose message depends on what it is followed by. */
  readonly #broken: Span | undefined
  #known: readonly Diagnostic[] | undefined

  constructor(result: DefinitionParseResult, declaration: NamedDeclaration, newName: string) {
    const { end } = nameSpan(declaration)
    this.#segment = segmentAt(result, end)
    if (isAttribute(declaration) && hasParseError(declaration))
      this.#broken = { start: end, end: spanOf(declaration).end }
    const words = new Set(this.#segment.tokens.map(({ image }) => image))
    // Only names of blocks have to differ from names elsewhere.
    const forms = new Set(isBlock(declaration) ? [newName, ...namesOf(declaration)].map(directoryForm) : [])
    const isSimilar = (block: Block): boolean =>
      namesOf(block).some((name) => forms.has(directoryForm(name))) ||
      block.members.some((member) => isBlock(member) && isSimilar(member))
    const isRelated = (block: Block): boolean =>
      isProject(block) || words.has(block.name) || (forms.size > 0 && isSimilar(block))
    this.#rest = result.segments
      .flatMap((segment) => (segment === this.#segment ? [] : segment.members))
      .filter((member) => isBlock(member) && isRelated(member))
      .map((member) => outline(result, member))
      .join('\n')
  }

  /** The first error that edits cause, or the one that explains the others. */
  mistakeAfter(edits: readonly Edit[]): Diagnostic | undefined {
    const { offset, text } = this.#segment
    const own = edits.filter(({ start, end }) => start >= offset && end <= offset + text.length)
    const moved = shift(own.map((edit) => ({ ...edit, start: edit.start - offset, end: edit.end - offset })))
    this.#known ??= this.#errorsAfter([])
    const known = new Set(this.#known.map(({ code, range }) => `${code} ${moved(range.start.offset)}`))
    const isInBroken = (at: number): boolean =>
      this.#broken !== undefined &&
      moved(this.#broken.start - offset) <= at &&
      at <= moved(this.#broken.end - offset)
    const mistakes = this.#errorsAfter(own).filter(
      ({ code, range: { start } }) => !known.has(`${code} ${start.offset}`) && !isInBroken(start.offset),
    )
    return mistakes.find(({ code }) => code === 'duplicate-block') ?? mistakes[0]
  }

  #errorsAfter(edits: readonly Edit[]): readonly Diagnostic[] {
    const { diagnostics } = checkText(`${editedText(this.#segment, edits)}\n${this.#rest}`)
    return diagnostics.filter(({ code }) => severityOf(code) === 'error')
  }
}

/** The name of a block, and its former one. */
function namesOf(block: Block): string[] {
  const was = formerNameOf(block)
  return was === undefined ? [block.name] : [block.name, was]
}

/** The same for names whose directories are the same, or one of which is that of the other's schema. */
function directoryForm(name: string): string {
  return name.toLowerCase().replace(/db$/, '')
}

/** A member without what does not affect names elsewhere. */
function outline(result: DefinitionParseResult, member: Member): string {
  if (!isBlock(member) || !hasName(member)) return ''
  if (isProject(member)) {
    const { start, end } = spanOf(member)
    // What it uses has other names, or none, in the outline.
    const uses = metadataOf(member, 'uses')
    const { start: from, end: to } = uses === undefined ? { start: end, end } : spanOf(uses)
    return hasParseError(member) ? '' : result.text.slice(start, from) + result.text.slice(to, end)
  }
  const was = formerNameOf(member)
  const inner = member.members.map((each) => outline(result, each)).join(' ')
  return `${member.name}: ${kindOf(member)} {${was === undefined ? '' : ` #was(${was});`} ${inner}}`
}

/** Returns the position of an offset after the edits. What is inserted at the offset comes before it. */
function shift(edits: readonly Edit[]): (offset: number) => number {
  return (offset) =>
    edits
      .filter(({ start, end }) => start < offset || (start === offset && end === offset))
      .reduce((moved, { start, end, text }) => moved + text.length - (Math.min(end, offset) - start), offset)
}

function requestFailed(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message)
}
