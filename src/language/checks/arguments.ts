import { counted } from '../../model/names.ts'
import { readCall } from '../calls.ts'
import type { ArgumentList, Attribute } from '../generated/ast.ts'
import { parseFloatingPoint, parseInteger } from '../numbers.ts'
import { argumentSpan, isBroken, spanOf } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { type Parameter, typeNamed } from '../vocabulary.ts'
import { checkBounds } from './bounds.ts'
import { type CheckContext, replacing } from './context.ts'

/** The arguments of a built-in type fit its parameters, and its bounds make sense. */
export function checkTypeArguments(attribute: Attribute, context: CheckContext): void {
  const { type } = attribute
  const entry = typeNamed(type.target.$refText)
  if (entry === undefined || isBroken(attribute)) return
  checkCall(type.arguments, entry.parameters, `\`${entry.name}\``, context)
  checkBounds(attribute, entry.name, context)
}

/** Reports every argument that fits no parameter. `callee` is what is called, for messages. */
export function checkCall(
  list: ArgumentList | undefined,
  parameters: readonly Parameter[],
  callee: string,
  context: CheckContext,
): void {
  for (const { kind, argument, parameter, earlier } of readCall(list, parameters).problems) {
    const place = argumentSpan(argument)
    if (kind === 'unknown') {
      const names = parameters.map((candidate) => candidate.name)
      const given = new Set(list?.items.map((item) => item.name))
      const free = names.filter((name) => !given.has(name))
      const nearest = context.nearest.among(argument.name ?? '', free)
      const listed =
        names.length === 0 ? 'It takes none.' : `It takes ${names.map((name) => `\`${name}\``).join(', ')}.`
      context.report(
        'unknown-argument',
        place,
        `${callee} has no parameter ${quote(argument.name ?? '')}. ${nearest === undefined ? listed : `Did you mean \`${nearest}\`?`}`,
        replacing(nearest),
      )
    } else if (kind === 'surplus') {
      const most =
        parameters.length === 0 ? 'no arguments' : `at most ${counted(parameters.length, 'argument')}`
      context.report('surplus-argument', place, `${callee} takes ${most}. Remove this one.`)
    } else if (kind === 'positional-behind-named') {
      context.report(
        'positional-behind-named',
        place,
        'Positional arguments come before named ones. Name this one too, or move it to the front.',
      )
    } else if (kind === 'repeated' && parameter !== undefined && earlier !== undefined) {
      context.report(
        'repeated-argument',
        place,
        `\`${parameter.name}\` is given already. Remove one of the two.`,
        {
          related: [{ ...spanOf(earlier), message: `\`${parameter.name}\` is given here.` }],
        },
      )
    } else if (parameter !== undefined) {
      reportKind(argument.value, parameter, context)
    }
  }
}

/** A value is not of the kind that its parameter takes. */
function reportKind(
  value: Parameters<typeof spanOf>[0] & { readonly $type: string; readonly text?: string },
  parameter: Parameter,
  context: CheckContext,
): void {
  const place = spanOf(value)
  const text = context.tree.text.slice(place.start, Math.min(place.end, place.start + 100))
  const isNumeric = parameter.kind === 'integer' || parameter.kind === 'float'
  if (isNumeric && value.$type === 'NumberValue' && parseFloatingPoint(value.text ?? '') === undefined) {
    context.report(
      'invalid-number',
      place,
      `${quote(text)} is not a number. Write ${parameter.kind === 'integer' ? 'an integer as `80`, `-5` or `10k`' : 'a number as `1.5`, `-0.25` or `1e6`'}.`,
      replacing(withoutSeparators(text, parameter.kind === 'float')),
    )
    return
  }
  context.report(
    'wrong-argument-kind',
    place,
    `\`${parameter.name}\` takes ${KINDS[parameter.kind]}, not ${quote(text)}.`,
    replacing(parameter.kind === 'integer' ? wholeNumber(text) : undefined),
  )
}

/** `1_000` as the language has it; `undefined` where that is no number either. */
function withoutSeparators(text: string, isFloat: boolean): string | undefined {
  const plain = text.replaceAll('_', '')
  const isNumber = isFloat ? parseFloatingPoint(plain) !== undefined : parseInteger(plain) !== undefined
  return isNumber ? plain : undefined
}

/** `5.0` and `1e3` as integers; `undefined` for what is none, or too large to be exact. */
function wholeNumber(text: string): string | undefined {
  const number = parseFloatingPoint(text)
  return number !== undefined && Number.isSafeInteger(number) ? String(number) : undefined
}

const KINDS: Readonly<Record<Parameter['kind'], string>> = {
  integer: 'an integer, as `80`, `-5` or `10k`',
  float: 'a number, as `1.5`, `-0.25` or `1e6`',
  word: 'one word',
  words: 'a list, as `[create, delete]`',
  services: 'a list of services, as `[Home, Host]`',
}
