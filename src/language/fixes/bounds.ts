import { bindTypeArguments } from '../argument-binding.ts'
import { MAX_PRECISION, MAX_SCALE, MIN_PRECISION, type Parameter, typeNamed } from '../builtins.ts'
import {
  type Argument,
  type Arguments,
  type Attribute,
  isArgument,
  isAttribute,
  isNumberValue,
  isPrimitiveType,
  type NumberValue,
} from '../generated/ast.ts'
import { DECIMAL_DIGITS } from '../../limits.ts'
import { counted } from '../../naming.ts'
import { spanOf, typeName } from '../nodes.ts'
import { parseInteger } from '../numbers.ts'
import { inserting, removingItem, removingNode, replacing } from './edits.ts'
import { enclosing, diagnosticText } from './enclosing.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

/** The names of the bounds of each type that has two. */
const PAIRS = [
  ['max', 'min'],
  ['maxLength', 'minLength'],
] as const

/** Bounds that fit into the largest request body, as in the message of the check. */
const REACHABLE = { data: '50M', string: '60M' } as const

/** Sizes of numbers as other languages write them: precisions are in bytes. */
const BITS: ReadonlySet<bigint> = new Set([16n, 32n, 64n])

/** Swaps the upper and the lower bound. */
export const swapBounds: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  if (attribute === undefined) return []
  const { values } = bindTypeArguments(attribute.type)
  return PAIRS.flatMap(([upper, lower]) => {
    const [max, min] = [values.get(upper), values.get(lower)]
    if (max?.$type !== 'NumberValue' || min?.$type !== 'NumberValue') return []
    return [
      preferred(
        `Swap \`${upper}\` and \`${lower}\``,
        replacing(spanOf(max), min.text),
        replacing(spanOf(min), max.text),
      ),
    ]
  })
}

/** Removes the sign of a length or size. */
export const dropSign: QuickFix = (context) => {
  const value = enclosing(context, isNumberValue)
  if (value === undefined) return []
  const positive = value.text.replace(/^-/, '')
  return [alternative(`Change to \`${positive}\``, replacing(spanOf(value), positive))]
}

/** Changes a precision in bits to bytes, and another precision or scale that is out of its range to the nearest one. */
export const clampPrecision: QuickFix = (context) => {
  const value = enclosing(context, isNumberValue)
  const given = value === undefined ? undefined : parseInteger(value.text)
  if (value === undefined || given === undefined) return []
  if (context.diagnostic.code === 'precision-out-of-range' && BITS.has(given)) {
    const bytes = String(given / 8n)
    return [preferred(`Change to \`${bytes}\``, replacing(spanOf(value), bytes))]
  }
  const [min, max] =
    context.diagnostic.code === 'scale-out-of-range' ? [0n, MAX_SCALE] : [MIN_PRECISION, MAX_PRECISION]
  const nearest = String(given < min ? min : max)
  return [alternative(`Change to \`${nearest}\``, replacing(spanOf(value), nearest))]
}

/** Sets the precision that the bounds require. If there is one, it or the bound may be wrong. */
export const widenPrecision: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  const needed = attribute && bytesNeeded(attribute)
  if (attribute === undefined || needed === undefined) return []
  const given = bindTypeArguments(attribute.type).values.get('precision')
  const title = `Set \`precision\` to \`${needed}\``
  if (given !== undefined) return [alternative(title, replacing(spanOf(given), String(needed)))]
  const last = attribute.type.arguments?.items.at(-1)
  return last === undefined ? [] : [preferred(title, inserting(spanOf(last).end, `, precision: ${needed}`))]
}

/** Lowers a bound that no client can reach. */
export const lowerBound: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  const value = enclosing(context, isNumberValue)
  const type = attribute && typeName(attribute.type)
  if (value === undefined || (type !== 'data' && type !== 'string')) return []
  return [alternative(`Change to \`${REACHABLE[type]}\``, replacing(spanOf(value), REACHABLE[type]))]
}

/** Changes the bound that excludes the zero value. */
export const admitZero: QuickFix = (context) => {
  const list = enclosing(context, isAttribute)?.type.arguments
  if (list === undefined) return []
  return list.items.flatMap((item) => {
    const parameter = parameterOf(list, item)
    if (parameter === undefined || item.value.$type !== 'NumberValue') return []
    const number = Number.parseFloat(item.value.text)
    const isLower = parameter.name.startsWith('min')
    if (isLower ? number <= 0 : !parameter.name.startsWith('max') || number >= 0) return []
    const zero = zeroLike(item.value)
    return [alternative(`Change \`${parameter.name}\` to \`${zero}\``, replacing(spanOf(item.value), zero))]
  })
}

/** Removes a bound that no `float` can reach. */
export const removeBound: QuickFix = (context) => {
  const argument = enclosing(context, isArgument)
  if (argument === undefined) return []
  const list = argument.$container
  const isLast = list.items.at(-1) === argument
  // If it were removed, a positional argument after it would bind to another parameter.
  const isPositional = argument.name === undefined
  if (isPositional && !isLast && list.items[list.items.indexOf(argument) + 1]?.name === undefined) return []
  const edit = list.items.length === 1 ? removingNode(list) : removingItem(context.result, list, argument)
  return [alternative(`Remove \`${diagnosticText(context)}\``, edit)]
}

/** Names a positional argument after a named one, with the first unused parameter. */
export const nameArgument: QuickFix = (context) => {
  const argument = enclosing(context, isArgument)
  const list = argument?.$container
  if (argument === undefined || list === undefined) return []
  const parameters = parametersOf(list)
  const taken = new Set(
    list.items.map(
      (item, index) =>
        item.name ?? (index === 0 || isPositionalAt(list, index) ? parameters[index]?.name : undefined),
    ),
  )
  const free = parameters.find(({ name }) => !taken.has(name))
  if (free === undefined) return []
  return [
    preferred(`Name the argument \`${free.name}\``, inserting(spanOf(argument).start, `${free.name}: `)),
  ]
}

/**
 * Bounds `decimal(10, 2)` and `decimal(precision: 10, scale: 2)` as SQL does: by the digits, and those of them after
 * the point.
 */
export const boundDecimal: QuickFix = (context) => {
  const type = enclosing(context, isPrimitiveType)
  const given = type?.arguments
  if (type?.name !== 'decimal' || given === undefined || given.items.length > 2) return []
  const [digits, scale = 0] = given.items.map(({ name, value }, index) =>
    (name === undefined || name === ['precision', 'scale'][index]) && isNumberValue(value)
      ? parseInteger(value.text)
      : undefined,
  )
  if (digits === undefined || scale === undefined) return []
  const [whole, fraction] = [Number(digits) - Number(scale), Number(scale)]
  if (!(whole >= 1 && fraction >= 0 && Number(digits) <= DECIMAL_DIGITS)) return []
  const max = `${'9'.repeat(whole)}${fraction === 0 ? '' : `.${'9'.repeat(fraction)}`}`
  const written = `(max: ${max}, min: -${max}${fraction === 2 ? '' : `, scale: ${fraction}`})`
  const title = `Accept ${counted(Number(digits), 'digit')}, ${fraction} of them after the point`
  return [alternative(title, replacing(spanOf(given), written))]
}

/** Changes an unknown name to the parameter that it abbreviates: `max` of a `string` is its `maxLength`. */
export const completeArgumentName: QuickFix = (context) => {
  const argument = enclosing(context, isArgument)
  if (argument?.name === undefined || context.diagnostic.data !== undefined) return []
  const { name } = argument
  const taken = new Set(argument.$container.items.map((item) => item.name))
  const meant = parametersOf(argument.$container).filter(
    (parameter) => !taken.has(parameter.name) && isShortFor(name, parameter.name),
  )
  const { start, end } = context.diagnostic.range
  return meant.map((parameter) =>
    (meant.length === 1 ? preferred : alternative)(
      `Change to \`${parameter.name}\``,
      replacing({ start: start.offset, end: end.offset }, parameter.name),
    ),
  )
}

/** `max`, `maximum`, `length`, `size`, `maxLen` and `max_length` for `maxLength`. */
function isShortFor(name: string, parameter: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '').replace('maximum', 'max').replace('minimum', 'min')
  const full = parameter.toLowerCase()
  if (/^(?:len|length|size|limit)$/.test(plain)) return full === 'maxlength' || full === 'maxsize'
  return plain === full || (plain.length >= 3 && full.startsWith(plain))
}

/** Whether an argument and all before it are positional. */
function isPositionalAt(list: Arguments, index: number): boolean {
  return list.items.slice(0, index + 1).every(({ name }) => name === undefined)
}

/** The parameter that an argument of a built-in type sets. */
export function parameterOf(list: Arguments, item: Argument): Parameter | undefined {
  const parameters = parametersOf(list)
  if (item.name !== undefined) return parameters.find(({ name }) => name === item.name)
  const index = list.items.indexOf(item)
  if (parameters[0]?.kind === 'values') return undefined
  return isPositionalAt(list, index) ? parameters[index] : undefined
}

/** The parameters of a built-in type; none of metadata. */
function parametersOf({ $container: type }: Arguments): readonly Parameter[] {
  return isPrimitiveType(type) ? (typeNamed(type.name)?.parameters ?? []) : []
}

function zeroLike({ text }: NumberValue): string {
  return text.includes('.') ? '0.0' : '0'
}

/** The smallest precision that holds every bound of an `int`; 8 for a `float`. `undefined` if none does. */
function bytesNeeded({ type }: Attribute): number | undefined {
  const { values } = bindTypeArguments(type)
  const name = typeName(type)
  if (name === 'float') return 8
  if (name !== 'int') return undefined
  const bounds = ['max', 'min'].flatMap((bound) => {
    const value = values.get(bound)
    const integer = value?.$type === 'NumberValue' ? parseInteger(value.text) : undefined
    return integer === undefined ? [] : [integer]
  })
  for (let bytes = 1n; bytes <= MAX_PRECISION; bytes++) {
    const half = 2n ** (bytes * 8n - 1n)
    if (bounds.every((bound) => bound >= -half && bound < half)) return Number(bytes)
  }
  return undefined
}
