import { typeNamed } from '../../builtins.ts'
import { type Arguments, type Attribute, isAttribute } from '../../generated/ast.ts'
import { spanOf, typeName } from '../../nodes.ts'
import { hasParseError } from '../../parser/parse-errors.ts'
import { parameterOf } from '../bounds.ts'
import { inserting } from '../edits.ts'
import { enclosing } from '../enclosing.ts'
import type { Refactor, Selection } from './refactoring.ts'

/** `int(40, 1)` becomes `int(max: 40, min: 1)`. */
export const nameArguments: Refactor = (selection) => {
  const [, list] = callOf(selection)
  const edits = (list?.items ?? []).flatMap((item) => {
    const parameter = list === undefined || item.name !== undefined ? undefined : parameterOf(list, item)
    // What is written without names where all are needed means something else.
    if (parameter === undefined || parameter.byName === true) return []
    return [inserting(spanOf(item).start, `${parameter.name}: `)]
  })
  return edits.length === 0 ? [] : [{ title: 'Convert to named arguments', kind: 'refactor.rewrite', edits }]
}

/** `int(max: 40, min: 1)` becomes `int(40, 1)`, if the names are in the order of the parameters. */
export const dropArgumentNames: Refactor = (selection) => {
  const [attribute, list] = callOf(selection)
  if (attribute === undefined || list === undefined) return []
  const parameters = typeNamed(typeName(attribute.type))?.parameters ?? []
  const named = list.items.filter(({ name }) => name !== undefined)
  const isInOrder = list.items.every(
    ({ name }, index) => name === undefined || name === parameters[index]?.name,
  )
  if (named.length === 0 || !isInOrder || parameters.some(({ byName }) => byName)) return []
  const edits = named.map((item) => ({ start: spanOf(item).start, end: spanOf(item.value).start, text: '' }))
  return [{ title: 'Convert to positional arguments', kind: 'refactor.rewrite', edits }]
}

function callOf(selection: Selection): [attribute?: Attribute, list?: Arguments] {
  const attribute = enclosing(selection, isAttribute)
  const list = attribute?.type.arguments
  return attribute === undefined || list === undefined || hasParseError(attribute) ? [] : [attribute, list]
}
