import { enumWordOf, transitionArguments } from '../enum-values.ts'
import { isAttribute } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import { inserting, replacing } from './edits.ts'
import { diagnosticText, enclosing } from './enclosing.ts'
import { alternative, type QuickFix } from './fix.ts'

/** Lets another value of an `enum` become the one that no transition leads to. */
export const addTransition: QuickFix = (context) => {
  const value = diagnosticText(context)
  const annotations = enclosing(context, isAttribute)?.annotations ?? []
  return annotations
    .filter(({ name }) => name === 'transitions')
    .flatMap(transitionArguments)
    .filter(({ argument: { name } }) => name !== value)
    .map(({ argument, targets }) => {
      const last = targets.at(-1)
      const isList = argument.value.$type === 'ListValue'
      const edit =
        isList && last !== undefined
          ? inserting(spanOf(last).end, `, ${value}`)
          : replacing(
              spanOf(argument.value),
              `[${[...targets.map((target) => enumWordOf(target)), value].join(', ')}]`,
            )
      return alternative(`Let \`${argument.name}\` become \`${value}\``, edit)
    })
}
