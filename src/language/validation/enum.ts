import { MAX_NAME_BYTES } from '../../naming.ts'
import { enumValueOf } from '../enum-values.ts'
import type { Argument, Type, Value } from '../generated/ast.ts'
import { argumentSpan, nameSpan, spanOf } from '../nodes.ts'
import { quote } from '../quote.ts'
import { withoutAccents } from './block.ts'
import { type ValidationContext, withReplacement } from './context.ts'

/** An `enum` has values, all of them words and different. */
export function checkEnumValues(type: Type, context: ValidationContext): void {
  const { items = [] } = type.arguments ?? {}
  if (items.length === 0)
    context.report('enum-without-values', nameSpan(type), 'An `enum` needs values', {
      help: 'for example `enum(open, closed)`',
    })
  const seen = new Map<string, Argument>()
  for (const argument of items) {
    const value = enumValueOf(argument)
    const earlier = value === undefined ? undefined : seen.get(value)
    if (value === undefined) reportInvalid(argument, context)
    else if (value.length > MAX_NAME_BYTES)
      context.report('invalid-enum-value', spanOf(argument), 'This value is too long', {
        help: `values have at most ${MAX_NAME_BYTES} characters`,
      })
    else if (earlier === undefined) seen.set(value, argument)
    else
      context.report('duplicate-enum-value', spanOf(argument), `Duplicate value ${quote(value)}`, {
        related: [{ ...spanOf(earlier), message: 'first declared here' }],
      })
  }
}

function reportInvalid(argument: Argument, context: ValidationContext): void {
  if (argument.name === undefined) reportInvalidValue(argument.value, context)
  else
    context.report('invalid-enum-value', argumentSpan(argument), 'The values of an `enum` cannot be named', {
      help: 'write only the values, for example `enum(open, closed)`',
    })
}

/** Reports what is not a valid value of an `enum`. */
export function reportInvalidValue(value: Value, context: ValidationContext): void {
  const code = 'invalid-enum-value'
  const { start, end } = spanOf(value)
  if (value.$type === 'ListValue')
    context.report(code, { start, end }, 'The values of an `enum` are not written as a list', {
      help: 'write them without brackets, for example `enum(open, closed)`',
      ...withReplacement(context.text.slice(start + 1, end - 1).trim()),
    })
  else {
    const text = context.text.slice(start, end)
    context.report(code, { start, end }, `Invalid value ${quote(text)}`, {
      help: 'values are words of the letters A to Z and a to z, digits, `_` and `-`, and do not begin with `-`',
      ...withReplacement(wordLike(text)),
    })
  }
}

/** A valid value that resembles this one; `undefined` if it has a sign, or letters of another alphabet. */
function wordLike(text: string): string | undefined {
  const plain = withoutAccents(text).replaceAll(/[.$]+/g, '_')
  return /^\w[\w-]*$/.test(plain) ? plain : undefined
}
