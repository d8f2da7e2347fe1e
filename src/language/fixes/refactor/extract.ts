import { metadataWords, optionWords, wordText } from '../../argument-binding.ts'
import { metadataNamed } from '../../builtins.ts'
import {
  type Attribute,
  isAttribute,
  isBlock,
  isMetadata,
  isPrimitiveType,
  isService,
  type Service,
} from '../../generated/ast.ts'
import { spanOf } from '../../nodes.ts'
import type { DefinitionParseResult } from '../../parse-result.ts'
import { hasParseError } from '../../parser/parse-errors.ts'
import { suggestedBlockName } from '../../validation/block.ts'
import {
  appendingBlock,
  declarationSpan,
  type Edit,
  inserting,
  insertingMember,
  removingWithComments,
  replacing,
  textWithComments,
} from '../edits.ts'
import { enclosing } from '../enclosing.ts'
import { freeBlockName } from '../rename.ts'
import type { Refactor, Selection } from './refactoring.ts'

/** Moves the selected attributes of a service into a new struct of the service. */
export const extractStruct: Refactor = (selection) => {
  const { result, span } = selection
  const service = span.start === span.end ? undefined : serviceOf(selection)
  if (service === undefined) return []
  const attributes = service.members.filter(isAttribute).filter((member) => isSelected(member, selection))
  const [first] = attributes
  if (first === undefined || attributes.some(hasParseError)) return []
  // The lists of the service cannot name what is in a struct.
  const listed = listedNames(service)
  if (attributes.some((attribute) => listed.has(attribute.name))) return []
  const name = freeBlockName(result.value, 'Details')
  const lines = attributes.map((attribute) => indented(textWithComments(result, attribute)))
  const shown = attributes.length === 1 ? `\`${first.name}\`` : `${attributes.length} attributes`
  const struct = insertingMember(result, service, [`${name}: struct {`, ...lines, '}'].join('\n')).at(-1)
  if (struct === undefined) return []
  const removals = attributes.map((attribute) => removingWithComments(result, attribute))
  return [
    {
      title: `Extract ${shown} to a struct`,
      kind: 'refactor.extract',
      edits: [
        ...disjoint(removals, struct, result.text),
        ...terminating(service, attributes, result),
        struct,
      ],
    },
  ]
}

/** The attributes that `#enumerable` and `#unique` name. */
function listedNames({ members }: Service): ReadonlySet<string> {
  return new Set(
    members.filter(isMetadata).flatMap((metadata) => {
      const options = metadataNamed(metadata.name)?.options ?? []
      return [
        ...metadataWords(metadata).map(wordText),
        ...options.flatMap((option) => optionWords(metadata, option.name)),
      ]
    }),
  )
}

/** Removals that overlap neither between declarations nor with the line end before the insertion. */
function disjoint(removals: readonly Edit[], { start: insertion }: Edit, text: string): Edit[] {
  let last = 0
  return removals.map(({ start, end }) => {
    const isAround = start <= insertion && insertion < end
    const lineEnd = isAround
      ? (/(?:\r\n|\n|\r)?$/.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? '')
      : ''
    const edit = { start: Math.max(last, start - lineEnd.length), end: isAround ? insertion : end, text: '' }
    last = edit.end
    return edit
  })
}

/** The `;` that the last remaining member needs. */
function terminating(
  { members }: Service,
  moved: readonly Attribute[],
  result: DefinitionParseResult,
): Edit[] {
  const last = members.at(-1)
  if (last === undefined || isBlock(last) || last.terminated || moved.some((one) => one === last)) return []
  return [inserting(declarationSpan(result, last).end, ';')]
}

/** Replaces an attribute of a built-in type by a reference to a new service that stores the value. */
export const extractService: Refactor = (selection) => {
  const { result } = selection
  const attribute = enclosing(selection, isAttribute)
  if (attribute === undefined || hasParseError(attribute) || !isPrimitiveType(attribute.type)) return []
  // References have no default.
  if (attribute.default !== undefined) return []
  const { $type } = attribute.$container
  if ($type === 'Definition' || $type === 'Project') return []
  const span = spanOf(attribute.type)
  const written = result.text.slice(span.start, span.end)
  const suggested = suggestedBlockName(attribute.name)
  if (suggested === undefined) return []
  const name = freeBlockName(result.value, suggested)
  return [
    {
      title: `Extract \`${attribute.name}\` to service \`${name}\``,
      kind: 'refactor.extract',
      edits: [
        replacing(span, name),
        appendingBlock(result, span.start, `${name}: service {\n  value: ${written};\n}`),
      ],
    },
  ]
}

/** The service that contains the selection, which may begin and end between declarations. */
function serviceOf({ result, span, node }: Selection): Service | undefined {
  const service =
    enclosing({ node }, isService) ??
    result.value.members.filter(isService).find((candidate) => {
      const { start, end } = declarationSpan(result, candidate)
      return start <= span.start && span.end <= end
    })
  return service === undefined || hasParseError(service) ? undefined : service
}

function isSelected(attribute: Attribute, { result, span }: Selection): boolean {
  const { start, end } = declarationSpan(result, attribute)
  return start < span.end && span.start < end
}

/** The lines of a declaration, indented by one level. */
function indented(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => `  ${line.trim()}`)
    .join('\n')
}
