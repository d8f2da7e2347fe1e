import { readType } from '../calls.ts'
import type { ArgumentListNode, AttributeNode, NumberValueNode } from '../syntax/nodes.ts'
import { nameSpan, spanOf } from '../syntax/places.ts'
import { parseInteger } from '../numbers.ts'
import { MAX_PRECISION, MIN_PRECISION, type Parameter, typeNamed } from '../vocabulary.ts'
import { around, markedText } from './around.ts'
import { inserting, removingItem, removingList, replacing } from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

/** The names of the bounds of each type that has two. */
const PAIRS = [
  ['max', 'min'],
  ['maxLength', 'minLength'],
] as const

/** What fits into the largest body with room to spare, as the check's message has it. */
const REACHABLE = { data: '50M', string: '60M' } as const

/** Upper and lower bound change places. */
export const swapBounds: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  if (attribute === undefined) return []
  const { values } = readType(attribute.type)
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

/** A length or size loses its sign. */
export const dropSign: QuickFix = (problem) => {
  const value = around(problem, 'NumberValue')
  if (value === undefined) return []
  const positive = value.text.replace(/^-/, '')
  return [preferred(`Change to \`${positive}\``, replacing(spanOf(value), positive))]
}

/** A precision outside of 1 to 8 bytes becomes the nearest one. */
export const clampPrecision: QuickFix = (problem) => {
  const value = around(problem, 'NumberValue')
  const given = value === undefined ? undefined : parseInteger(value.text)
  if (value === undefined || given === undefined) return []
  const nearest = String(given < MIN_PRECISION ? MIN_PRECISION : MAX_PRECISION)
  return [preferred(`Change to \`${nearest}\``, replacing(spanOf(value), nearest))]
}

/** As many bytes as the bound needs. */
export const widenPrecision: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  if (attribute === undefined) return []
  const needed = bytesNeeded(attribute)
  if (needed === undefined) return []
  const list = attribute.type.arguments
  const given = readType(attribute.type).values.get('precision')
  const title = `Store it in ${needed} bytes`
  if (given !== undefined) return [preferred(title, replacing(spanOf(given), String(needed)))]
  const last = list?.items.at(-1)
  if (last === undefined) return []
  return [preferred(title, inserting(last.$tree.tokens.end(last.$last), `, precision: ${needed}`))]
}

/** A bound that no client reaches becomes one that fits. */
export const lowerBound: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  const value = around(problem, 'NumberValue')
  const type = attribute?.type.target.$refText
  if (value === undefined || (type !== 'data' && type !== 'string')) return []
  return [preferred(`Lower it to \`${REACHABLE[type]}\``, replacing(spanOf(value), REACHABLE[type]))]
}

/** The bound that keeps the zero value out is given up. */
export const admitZero: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  const list = attribute?.type.arguments
  if (attribute === undefined || list === undefined) return []
  return list.items.flatMap((item) => {
    const parameter = parameterOf(list, item)
    if (parameter === undefined || item.value.$type !== 'NumberValue') return []
    const number = Number.parseFloat(item.value.text)
    const isLower = parameter.name.startsWith('min')
    if (isLower ? number <= 0 : !parameter.name.startsWith('max') || number >= 0) return []
    return [
      alternative(`Change \`${parameter.name}\` to 0`, replacing(spanOf(item.value), zeroLike(item.value))),
    ]
  })
}

/** A bound that no number reaches is left out. */
export const removeBound: QuickFix = (problem) => {
  const argument = around(problem, 'Argument')
  if (argument === undefined) return []
  const list = argument.$container
  const isLast = list.items.at(-1) === argument
  // Without it a positional one behind it would mean another parameter.
  const isPositional = argument.name === undefined
  if (isPositional && !isLast && list.items[list.items.indexOf(argument) + 1]?.name === undefined) return []
  const edit = list.items.length === 1 ? removingList(list) : removingItem(list, argument)
  return [alternative(`Remove \`${markedText(problem)}\``, edit)]
}

/** A positional argument behind a named one gets the name of the first parameter that is free. */
export const nameArgument: QuickFix = (problem) => {
  const argument = around(problem, 'Argument')
  const list = argument?.$container
  if (argument === undefined || list === undefined || list.$container.$type !== 'AttributeType') return []
  const parameters = typeNamed(list.$container.target.$refText)?.parameters ?? []
  const taken = new Set(
    list.items.map(
      (item, index) =>
        item.name ?? (index === 0 || isPositionalAt(list, index) ? parameters[index]?.name : undefined),
    ),
  )
  const free = parameters.find(({ name }) => !taken.has(name))
  if (free === undefined) return []
  const start = argument.$tree.tokens.start(argument.$first)
  return [preferred(`Name it \`${free.name}\``, inserting(start, `${free.name}: `))]
}

/** Whether everything up to an argument, itself included, is positional. */
function isPositionalAt(list: ArgumentListNode, index: number): boolean {
  return list.items.slice(0, index + 1).every(({ name }) => name === undefined)
}

/** The parameter that an argument of a built-in type sets. */
export function parameterOf(
  list: ArgumentListNode,
  item: ArgumentListNode['items'][number],
): Parameter | undefined {
  if (list.$container.$type !== 'AttributeType') return undefined
  const parameters = typeNamed(list.$container.target.$refText)?.parameters ?? []
  if (item.name !== undefined) return parameters.find(({ name }) => name === item.name)
  const index = list.items.indexOf(item)
  return isPositionalAt(list, index) ? parameters[index] : undefined
}

function zeroLike({ text }: NumberValueNode): string {
  return text.includes('.') ? '0.0' : '0'
}

/** The fewest bytes that hold every bound of an `int`; 8 for a `float`. `undefined` where none do. */
function bytesNeeded(attribute: AttributeNode): number | undefined {
  const { values } = readType(attribute.type)
  const name = attribute.$tree.text.slice(nameSpan(attribute.type).start, nameSpan(attribute.type).end)
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
