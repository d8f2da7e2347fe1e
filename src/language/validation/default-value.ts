import { counted, listed } from '../../naming.ts'
import { bindTypeArguments, floatArgument, integerArgument } from '../argument-binding.ts'
import { type AnnotationName, DEFAULT_INT_PRECISION, MAX_PRECISION, MIN_PRECISION } from '../builtins.ts'
import { enumValues } from '../enum-values.ts'
import type { Attribute, Default, PrimitiveType } from '../generated/ast.ts'
import { propertySpan, spanOf } from '../nodes.ts'
import { parseDecimal, parseFloatingPoint, parseInteger } from '../numbers.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { parseStringLiteral } from '../string-literal.ts'
import { type ValidationContext, withValidForm } from './context.ts'
import { decimalProblem } from './decimal.ts'

/** Clients must always send a `@client` attribute. */
export function checkOptional(attribute: Attribute, context: ValidationContext): void {
  const mark = propertySpan(attribute, 'optional')
  if (mark === undefined || hasParseError(attribute) || !isHookInput(attribute)) return
  context.report('optional-client', mark, 'A `@client` attribute cannot be optional', {
    help: 'clients must always send it',
    data: { replacement: '' },
  })
}

/** A default is possible, of the right kind, and within the bounds of the type. */
export function checkDefaultValue(attribute: Attribute, context: ValidationContext): void {
  const { type, default: given } = attribute
  if (given === undefined || hasParseError(attribute)) return
  // An unknown type is reported as such.
  if (type.$type === 'ReferenceType' && type.entity.ref === undefined) return
  if (given.$type === 'WordValue' && given.word === 'null') {
    context.report('wrong-default-kind', spanOf(given), 'A default cannot be `null`', {
      help: attribute.optional
        ? 'remove it: an optional attribute is `null` without a value'
        : 'write `?` after the type: an optional attribute is `null` without a value',
    })
    return
  }
  const reason =
    type.$type === 'ReferenceType'
      ? 'A reference cannot have a default'
      : type.name === 'data'
        ? '`data` cannot have a default'
        : isHookInput(attribute)
          ? 'A `@client` attribute cannot have a default'
          : isInEndpoint(attribute) && hasAnnotation(attribute, 'serverSet')
            ? 'A response attribute cannot have a default'
            : undefined
  if (reason !== undefined) {
    context.report('default-not-allowed', spanOf(given), reason, {
      help: type.$type === 'ReferenceType' ? 'make it optional with `?`, or set it in a hook' : 'remove it',
    })
    return
  }
  if (type.$type === 'PrimitiveType') checkValue(type, given, context)
}

/** Whether clients must send it for hooks: in an endpoint, `@client` only keeps it out of responses. */
function isHookInput(attribute: Attribute): boolean {
  return hasAnnotation(attribute, 'client') && !isInEndpoint(attribute)
}

function hasAnnotation({ annotations }: Attribute, annotation: AnnotationName): boolean {
  return annotations.some(({ name }) => name === annotation)
}

function isInEndpoint({ $container }: Attribute): boolean {
  return $container.$type === 'Endpoint'
}

function checkValue(type: PrimitiveType, given: Default, context: ValidationContext): void {
  switch (type.name) {
    case 'bool':
      if (given.$type !== 'WordValue' || (given.word !== 'true' && given.word !== 'false'))
        reportKind(
          given,
          '`true` or `false`',
          unquoted(given) ?? context.spelling.suggest(textOf(given), ['true', 'false']),
          context,
        )
      return
    case 'string':
      checkText(type, given, context)
      return
    case 'int':
      checkInteger(type, given, context)
      return
    case 'float':
      checkFloat(type, given, context)
      return
    case 'decimal':
      checkDecimal(type, given, context)
      return
    case 'enum': {
      const values = enumValues(type.arguments)
      const word = unquoted(given) ?? textOf(given)
      const isText = given.$type === 'TextValue'
      if (values.length === 0 || (!isText && values.includes(word))) return
      const suggestion = isText && values.includes(word) ? word : context.spelling.suggest(word, values)
      reportKind(given, listed(values, 'or'), suggestion, context)
      return
    }
    case 'date':
    case 'time':
    case 'datetime':
      if (given.$type !== 'WordValue' || given.word !== 'now')
        reportKind(
          given,
          '`now`, the time of the request',
          NOW.test(unquoted(given) ?? textOf(given)) ? 'now' : undefined,
          context,
        )
      return
    case 'data':
    default:
  }
}

/** Words of other languages for the time of the request. */
const NOW = /^(?:now|today|current\w*)$/i

function checkText(type: PrimitiveType, given: Default, context: ValidationContext): void {
  if (given.$type !== 'TextValue') {
    reportKind(given, 'a string in double quotes', JSON.stringify(textOf(given)), context)
    return
  }
  const text = parseStringLiteral(given.literal)
  if (text === undefined) {
    context.report('wrong-default-kind', spanOf(given), 'Invalid escape in a string', {
      help: 'use the escapes of JSON: `\\"`, `\\\\`, `\\n`, `\\t`, `\\u00e9`',
    })
    return
  }
  const binding = bindTypeArguments(type)
  const length = BigInt(Array.from(text).length)
  const [max, min] = [integerArgument(binding, 'maxLength'), integerArgument(binding, 'minLength') ?? 0n]
  if (text.includes('\0') || !text.isWellFormed())
    reportBounds(given, 'use text without U+0000 or unpaired surrogates', undefined, context)
  else if (max !== undefined && length > max)
    reportBounds(given, `use at most ${counted(Number(max), 'character')}`, undefined, context)
  else if (length < min)
    reportBounds(given, `use at least ${counted(Number(min), 'character')}`, undefined, context)
}

/** JSON represents larger integers inexactly. */
const LARGEST_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)

function checkInteger(type: PrimitiveType, given: Default, context: ValidationContext): void {
  const value = given.$type === 'NumberValue' ? parseInteger(given.text) : undefined
  if (value === undefined) {
    const number = parseFloatingPoint(unquoted(given) ?? textOf(given))
    reportKind(given, 'an integer', Number.isSafeInteger(number) ? String(number) : undefined, context)
    return
  }
  const binding = bindTypeArguments(type)
  const precision = integerArgument(binding, 'precision') ?? DEFAULT_INT_PRECISION
  // A precision that is out of range is reported as such.
  if (precision < MIN_PRECISION || precision > MAX_PRECISION) return
  const half = 2n ** (precision * 8n - 1n)
  const min = greater(integerArgument(binding, 'min') ?? -half, -LARGEST_INTEGER)
  const max = -greater(-(integerArgument(binding, 'max') ?? half - 1n), -LARGEST_INTEGER)
  if (min > max || (value >= min && value <= max)) return
  reportBounds(given, `use an integer from ${min} to ${max}`, String(value < min ? min : max), context)
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function checkFloat(type: PrimitiveType, given: Default, context: ValidationContext): void {
  const value = given.$type === 'NumberValue' ? parseFloatingPoint(given.text) : undefined
  if (value === undefined) {
    const text = unquoted(given)
    reportKind(given, 'a number', parseFloatingPoint(text ?? '') === undefined ? undefined : text, context)
    return
  }
  const binding = bindTypeArguments(type)
  const isReal = (integerArgument(binding, 'precision') ?? 8n) <= 4n
  const round = (number: number): number => (isReal ? Math.fround(number) : number)
  const [min, max] = [floatArgument(binding, 'min') ?? -Infinity, floatArgument(binding, 'max') ?? Infinity]
  if (!Number.isFinite(round(value))) reportBounds(given, 'use a smaller number', undefined, context)
  else if (round(value) < round(min))
    reportBounds(given, `use a number of at least ${min}`, String(min), context)
  else if (round(value) > round(max))
    reportBounds(given, `use a number of at most ${max}`, String(max), context)
}

function checkDecimal(type: PrimitiveType, given: Default, context: ValidationContext): void {
  const value = given.$type === 'NumberValue' ? parseDecimal(given.text) : undefined
  if (value === undefined) {
    const text = unquoted(given)
    reportKind(given, 'a decimal number', parseDecimal(text ?? '') === undefined ? undefined : text, context)
    return
  }
  const help = decimalProblem(bindTypeArguments(type), value)
  if (help !== undefined) reportBounds(given, help, undefined, context)
}

/** The content of a string, if it is in the wrong place: `"true"` for `true`. */
function unquoted(given: Default): string | undefined {
  const content = given.$type === 'TextValue' ? given.literal.slice(1, -1) : ''
  return /^-?\w[\w.-]*$/.test(content) ? content : undefined
}

function textOf(given: Default): string {
  if (given.$type === 'WordValue') return given.word
  return given.$type === 'NumberValue' ? given.text : given.literal
}

function reportKind(
  given: Default,
  expected: string,
  suggestion: string | undefined,
  context: ValidationContext,
): void {
  context.report(
    'wrong-default-kind',
    spanOf(given),
    `The default must be ${expected}`,
    withValidForm(suggestion),
  )
}

function reportBounds(
  given: Default,
  help: string,
  suggestion: string | undefined,
  context: ValidationContext,
): void {
  context.report('default-out-of-bounds', spanOf(given), 'The default is out of bounds', {
    help,
    ...(suggestion === undefined ? {} : { data: { replacement: suggestion } }),
  })
}
