import type { AttributeNode } from '../../syntax/nodes.ts'
import { isBroken } from '../../syntax/places.ts'
import { around, topBlocks } from '../around.ts'
import { insertingMember, removingUnit, tokenSpan, unitText } from '../edits.ts'
import { freeBlockName } from '../rename.ts'
import type { Refactor, Selection } from './refactoring.ts'

/** The selected attributes of a service move into a new struct of it. */
export const extractStruct: Refactor = (selection) => {
  const service = serviceOf(selection)
  if (service === undefined || selection.span.start === selection.span.end) return []
  const attributes = service.members.filter(
    (member): member is AttributeNode => member.$type === 'Attribute' && isSelected(member, selection),
  )
  if (attributes.length === 0 || attributes.some(isBroken)) return []
  const name = freeBlockName(selection.read, 'Details')
  const lines = attributes.map((attribute) => indented(unitText(attribute)))
  return [
    {
      title: `Extract ${attributes.length === 1 ? `\`${attributes[0]?.name}\`` : `${attributes.length} attributes`} into a struct`,
      kind: 'refactor.extract',
      edits: [
        ...attributes.map(removingUnit),
        ...insertingMember(service, [`${name}: struct {`, ...lines, '}'].join('\n')),
      ],
    },
  ]
}

/** The service that the selection is in; selections begin and end between declarations too. */
function serviceOf({ read, span, node }: Selection) {
  const block =
    around({ node }, 'Block') ??
    topBlocks(read.definition).find((candidate) => {
      const { start, end } = tokenSpan(candidate)
      return start <= span.start && span.end <= end
    })
  return block?.kind === 'service' && !isBroken(block) ? block : undefined
}

function isSelected(attribute: AttributeNode, { span }: Selection): boolean {
  const { start, end } = tokenSpan(attribute)
  return start < span.end && span.start < end
}

/** The lines of a declaration, one level deep. */
function indented(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => `  ${line.trim()}`)
    .join('\n')
}
