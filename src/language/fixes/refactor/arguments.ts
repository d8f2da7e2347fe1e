import { isBroken } from '../../syntax/places.ts'
import { typeNamed } from '../../vocabulary.ts'
import { around } from '../around.ts'
import { parameterOf } from '../bounds.ts'
import { inserting } from '../edits.ts'
import type { Refactor } from './refactoring.ts'

/** `int(40, 1)` becomes `int(max: 40, min: 1)`. */
export const nameArguments: Refactor = (selection) => {
  const attribute = around(selection, 'Attribute')
  const list = attribute?.type.arguments
  if (attribute === undefined || list === undefined || isBroken(attribute)) return []
  const edits = list.items.flatMap((item) => {
    const parameter = item.name === undefined ? parameterOf(list, item) : undefined
    if (parameter === undefined) return []
    return [inserting(item.$tree.tokens.start(item.$first), `${parameter.name}: `)]
  })
  return edits.length === 0 ? [] : [{ title: 'Name the arguments', kind: 'refactor.rewrite', edits }]
}

/** `int(max: 40, min: 1)` becomes `int(40, 1)`, where the names are those of the places. */
export const dropArgumentNames: Refactor = (selection) => {
  const attribute = around(selection, 'Attribute')
  const list = attribute?.type.arguments
  if (attribute === undefined || list === undefined || isBroken(attribute)) return []
  const parameters = typeNamed(attribute.type.target.$refText)?.parameters ?? []
  const named = list.items.filter(({ name }) => name !== undefined)
  const isInOrder = list.items.every(
    ({ name }, index) => name === undefined || name === parameters[index]?.name,
  )
  if (named.length === 0 || !isInOrder) return []
  const edits = named.map((item) => {
    const { tokens } = item.$tree
    return { start: tokens.start(item.$first), end: tokens.start(item.value.$first), text: '' }
  })
  return [{ title: 'Drop the names of the arguments', kind: 'refactor.rewrite', edits }]
}
