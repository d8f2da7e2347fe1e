import { listed } from '../../naming.ts'
import { enumValues, enumWordOf } from '../enum-values.ts'
import { formerValuesIn } from '../former-name.ts'
import { type Annotation, type Argument, isAttribute } from '../generated/ast.ts'
import { argumentSpan, spanOf } from '../nodes.ts'
import { quote } from '../quote.ts'
import { type ValidationContext, withReplacement, withSuggestion } from './context.ts'
import { reportInvalidValue } from './enum.ts'

/** `@was(pending: waiting)` names values that the `enum` has, and former ones that it no longer has, each of them once. */
export function checkFormerValues(was: Annotation, context: ValidationContext): void {
  const { $container: attribute } = was
  const pairs = formerValuesIn(was)
  if (pairs.length === 0 || !isAttribute(attribute)) return
  if (attribute.type.$type !== 'PrimitiveType' || attribute.type.name !== 'enum') {
    for (const pair of pairs) reportPair(pair, context)
    return
  }
  const values = enumValues(attribute.type.arguments)
  const renamed = new Map<string, Argument>()
  const former = new Map<string, Argument>()
  for (const pair of pairs) {
    const word = enumWordOf(pair.value)
    const [sameValue, sameFormer] = [
      renamed.get(pair.name),
      word === undefined ? undefined : former.get(word),
    ]
    if (!values.includes(pair.name)) reportUnknown(pair, values, context)
    else if (sameValue !== undefined)
      context.report('duplicate-argument', argumentSpan(pair), `Duplicate value ${quote(pair.name)}`, {
        help: 'a value can have one former name',
        related: [{ ...spanOf(sameValue), message: 'first given here' }],
      })
    else if (word === undefined) reportInvalidValue(pair.value, context)
    else if (values.includes(word))
      context.report(
        'former-name-in-use',
        spanOf(pair.value),
        word === pair.name ? `${quote(word)} is the current name` : `${quote(word)} is still declared`,
        { help: 'name a value that the `enum` no longer has' },
      )
    else if (sameFormer !== undefined)
      context.report('duplicate-former-name', spanOf(pair.value), `Duplicate former name ${quote(word)}`, {
        help: 'keep it for the value that its rows get, and remove the other',
        related: [{ ...spanOf(sameFormer), message: 'first used here' }],
      })
    renamed.set(pair.name, pair)
    if (word !== undefined) former.set(word, pair)
  }
}

/** A pair on an attribute that is not an `enum`: `@was(oldName: rate)`. */
function reportPair(pair: Argument, context: ValidationContext): void {
  const { start, end } = spanOf(pair.value)
  context.report('unknown-argument', spanOf(pair), 'Only values of an `enum` are renamed in pairs', {
    help: 'write only the name that the attribute had, for example `@was(rate)`',
    ...withReplacement(context.text.slice(start, end)),
  })
}

function reportUnknown(
  pair: Argument & { readonly name: string },
  values: readonly string[],
  context: ValidationContext,
): void {
  const word = enumWordOf(pair.value)
  // The former value comes second.
  if (word !== undefined && values.includes(word))
    context.report('unknown-value', spanOf(pair), `The \`enum\` has no value ${quote(pair.name)}`, {
      help: 'write the new value first',
      ...withReplacement(`${word}: ${pair.name}`),
    })
  else
    context.report('unknown-value', argumentSpan(pair), `The \`enum\` has no value ${quote(pair.name)}`, {
      help: `its values are ${listed(values, 'and')}`,
      ...withSuggestion(context.spelling.suggest(pair.name, values)),
    })
}
