import { hasName, isBroken, spanOf } from '../../syntax/places.ts'
import { typeNamed } from '../../vocabulary.ts'
import { around } from '../around.ts'
import { appendingBlock, replacing } from '../edits.ts'
import { freeBlockName } from '../rename.ts'
import type { Refactor } from './refactoring.ts'

/** A built-in value becomes a reference to a new service that stores it. */
export const extractService: Refactor = (selection) => {
  const attribute = around(selection, 'Attribute')
  if (attribute === undefined || isBroken(attribute) || !hasName(attribute.type)) return []
  const holder = attribute.$container
  const { type } = attribute
  if (holder.$type !== 'Block' || holder.kind === 'project' || typeNamed(type.target.$refText) === undefined)
    return []
  const { start, end } = spanOf(type)
  const written = attribute.$tree.text.slice(start, end)
  const declared = attribute.name.charAt(0).toUpperCase() + attribute.name.slice(1)
  const name = freeBlockName(selection.read, declared)
  return [
    {
      title: `Turn \`${attribute.name}\` into a reference to a new service \`${name}\``,
      kind: 'refactor.extract',
      edits: [
        replacing({ start, end }, name),
        appendingBlock(attribute.$tree, `${name}: service {\n  value: ${written};\n}`),
      ],
    },
  ]
}
