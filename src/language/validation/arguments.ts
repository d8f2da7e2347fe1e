import { counted, listed } from '../../naming.ts'
import { bindArguments } from '../argument-binding.ts'
import {
  type Arguments,
  type Attribute,
  isPrimitiveType,
  type ListValue,
  type Value,
} from '../generated/ast.ts'
import { parseFloatingPoint, parseInteger } from '../numbers.ts'
import { argumentSpan, spanOf } from '../nodes.ts'
import { otherLanguages } from '../other-languages.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { type Parameter, typeNamed } from '../builtins.ts'
import { checkBounds } from './bounds.ts'
import { checkEnumValues } from './enum.ts'
import { type ValidationContext, withSuggestion, withValidForm } from './context.ts'

/** The arguments of a built-in type match its parameters, and its bounds make sense. */
export function checkTypeArguments(attribute: Attribute, context: ValidationContext): void {
  const { type } = attribute
  const entry = type.$type === 'PrimitiveType' ? typeNamed(type.name) : undefined
  if (entry === undefined || hasParseError(attribute)) return
  if (entry.name === 'enum') {
    checkEnumValues(type, context)
    return
  }
  if (reportGroupedDigits(type.arguments, context)) return
  checkCall(type.arguments, entry.parameters, `\`${entry.name}\``, context)
  checkBounds(attribute, entry.name, context)
}

/** Reports `1,000` and `1,5`, which would be two arguments. */
function reportGroupedDigits(list: Arguments | undefined, context: ValidationContext): boolean {
  if (list === undefined || list.items.length < 2) return false
  const type = list.$container
  const takesFraction = isPrimitiveType(type) && /^(?:float|decimal)$/.test(type.name)
  const found = list.items.flatMap(({ name, value }, index) => {
    const { start } = spanOf(value)
    const text = context.text.slice(start, spanOf(list).end)
    const [grouped] = (index === 0 && /^\d{1,3}(?:,\d{3})+(?![\w.])/.exec(text)) || []
    if (grouped?.includes(',0') === true)
      return { start, written: grouped, number: grouped.replaceAll(',', '') }
    const [decimal, whole, fraction] = /^(-?\d+),(\d+)(?=\s*[,)])/.exec(text) ?? []
    // `float(10,5)` is a maximum and a minimum. After an argument with a name, each has one.
    const isDecimal = name !== undefined || (list.items.length === 2 && Number(whole) < Number(fraction))
    return takesFraction && decimal !== undefined && isDecimal
      ? { start, written: decimal, number: decimal.replace(',', '.') }
      : []
  })
  for (const { start, written, number } of found)
    context.report(
      'invalid-number',
      { start, end: start + written.length },
      `Invalid number ${quote(written)}`,
      withValidForm(number),
    )
  return found.length > 0
}

/** Reports every argument that matches no parameter. `callee` names the type, annotation or metadata in messages. */
export function checkCall(
  list: Arguments | undefined,
  parameters: readonly Parameter[],
  callee: string,
  context: ValidationContext,
): void {
  let isFirstUnnamed = true
  for (const { kind, argument, parameter, earlier } of bindArguments(list, parameters).problems) {
    const place = argumentSpan(argument)
    if (kind === 'unknown') {
      const names = parameters.map((candidate) => candidate.name)
      const given = new Set(list?.items.map((item) => item.name))
      const free = names.filter((name) => !given.has(name))
      const written = argument.name ?? ''
      const longer = free.filter((name) => name.startsWith(written))
      const suggestion =
        context.spelling.suggest(written, free) ?? (longer.length === 1 ? longer[0] : undefined)
      const accepted =
        names.length === 0 ? `${callee} takes no arguments` : `${callee} accepts ${listed(names, 'and')}`
      context.report('unknown-argument', place, `Unknown argument ${quote(written)}`, {
        help: accepted,
        ...withSuggestion(suggestion),
      })
    } else if (kind === 'surplus') {
      const positional = parameters.filter((candidate) => candidate.kind !== 'formerValues')
      const most =
        positional.length === 0 ? 'no arguments' : `at most ${counted(positional.length, 'argument')}`
      context.report('surplus-argument', place, `${callee} takes ${most}`)
    } else if (kind === 'unnamed' && parameter !== undefined && parameter.kind !== 'decimal') {
      const { start, end } = spanOf(argument.value)
      const replacement = `${parameter.name}: ${context.text.slice(start, end)}`
      context.report(
        'unnamed-argument',
        place,
        `${callee} takes ${quote(parameter.name)} by name`,
        withValidForm(replacement),
      )
    } else if (kind === 'unnamed') {
      if (isFirstUnnamed)
        context.report('unnamed-argument', place, `${callee} takes its arguments by name`, {
          help: `for example \`max: 99.99\`; ${callee} accepts ${listed(
            parameters.map(({ name }) => name),
            'and',
          )}`,
        })
      isFirstUnnamed = false
    } else if (kind === 'positional-after-named') {
      context.report('positional-after-named', place, 'Positional arguments must come before named ones', {
        help: 'name this argument too, or move it to the front',
      })
    } else if (kind === 'duplicate' && parameter !== undefined && earlier !== undefined) {
      context.report('duplicate-argument', place, `Duplicate argument \`${parameter.name}\``, {
        related: [{ ...spanOf(earlier), message: 'first given here' }],
      })
    } else if (parameter !== undefined) {
      reportKind(argument.value, parameter, context)
    }
  }
}

/** Reports the value of metadata or of an annotation that takes none. Empty parentheses are accepted. */
export function checkNoValue(
  given: Arguments | ListValue | undefined,
  callee: string,
  context: ValidationContext,
): void {
  if (given === undefined || (given.$type === 'Arguments' && given.items.length === 0)) return
  context.report('surplus-argument', spanOf(given), `${callee} takes no value`, { data: { replacement: '' } })
}

/** Reports a value of the wrong kind. */
function reportKind(value: Value, parameter: Parameter, context: ValidationContext): void {
  const place = spanOf(value)
  const text = context.text.slice(place.start, Math.min(place.end, place.start + 100))
  const isNumeric = ['integer', 'float', 'decimal'].includes(parameter.kind)
  if (isNumeric && value.$type === 'NumberValue' && parseFloatingPoint(value.text) === undefined) {
    context.report('invalid-number', place, `Invalid number ${quote(text)}`, {
      help: /\d\.\.+-?\d/.test(text) ? otherLanguages.range : EXAMPLES[parameter.kind],
      ...withValidForm(plainNumber(text, parameter.kind !== 'integer')),
    })
    return
  }
  context.report('wrong-argument-kind', place, `\`${parameter.name}\` must be ${KINDS[parameter.kind]}`, {
    help: EXAMPLES[parameter.kind],
    ...withValidForm(validForm(value, text, parameter)),
  })
}

/** `5.0` as `5`, and `filter: status` as `filter: [status]`. */
function validForm(value: Value, text: string, { kind }: Parameter): string | undefined {
  if (kind === 'integer') return wholeNumber(text)
  const isListable =
    kind === 'attributes' && value.$type === 'AttributeValue' && value.attribute.ref !== undefined
  return isListable ? `[${text}]` : undefined
}

/** `1_000` as `1000` and `5MB` as `5M`; `undefined` if that is not a number either. */
function plainNumber(text: string, isFloat: boolean): string | undefined {
  const plain = text.replaceAll('_', '').replace(/(?<=[kMG])i?B$/i, '')
  const isNumber = isFloat ? parseFloatingPoint(plain) !== undefined : parseInteger(plain) !== undefined
  return isNumber ? plain : undefined
}

/** `5.0` and `1e3` as integers; `undefined` for other numbers and those too large to be exact. */
function wholeNumber(text: string): string | undefined {
  const number = parseFloatingPoint(text)
  return number !== undefined && Number.isSafeInteger(number) ? String(number) : undefined
}

const KINDS: Readonly<Record<Parameter['kind'], string>> = {
  integer: 'an integer',
  float: 'a number',
  decimal: 'a decimal number',
  word: 'a single word',
  words: 'a list',
  services: 'a list of services',
  attributes: 'a list of attributes',
  name: 'a name',
  values: 'a word',
  formerValues: 'a pair of words',
  transitions: 'a word or a list of words',
  names: 'a list of names',
  callers: '`this`, `all`, a role, or a list',
  roles: 'a role or a list of roles',
  entity: 'a service or struct',
  text: 'a text in double quotes',
}

const EXAMPLES: Readonly<Record<Parameter['kind'], string>> = {
  integer: 'write an integer such as `80`, `-5` or `10k`',
  float: 'write a number such as `1.5`, `-0.25` or `1e6`',
  decimal: 'write a decimal number such as `99.99`, `-0.5` or `10k`',
  word: 'write a word without brackets',
  words: 'write a list such as `[create, delete]`',
  services: 'write a list such as `[Home, Host]`',
  attributes: 'write a list such as `[name, city]`',
  name: 'write the former name, without brackets',
  values: 'write words such as `open`',
  formerValues: 'write pairs such as `pending: waiting`',
  transitions: 'write pairs such as `draft: [sent, void]`',
  names: 'write a list such as `[agent, admin]`',
  callers: 'write `this`, `all`, a role, or a list such as `[this, agent]`',
  roles: 'write a role, or a list such as `[agent, admin]`',
  entity: 'write the name of the service, or of a struct of it',
  text: 'write a path such as `"{id}/quote"`',
}
