import { base64Bytes, MAX_BODY_BYTES } from '../../model/limits.ts'
import { type Call, floatArgument, integerArgument, readType } from '../calls.ts'
import type { Attribute } from '../generated/ast.ts'
import { MAX_INTEGER } from '../numbers.ts'
import { nameSpan, spanOf } from '../syntax/places.ts'
import {
  DEFAULT_FLOAT_PRECISION,
  DEFAULT_INT_PRECISION,
  MAX_PRECISION,
  MIN_PRECISION,
  type TypeName,
} from '../vocabulary.ts'
import type { CheckContext } from './context.ts'

/** The bounds of a built-in type: possible ones, in the right order, that values can reach. */
export function checkBounds(attribute: Attribute, type: TypeName, context: CheckContext): void {
  const call = readType(attribute.type)
  if (type === 'string' || type === 'data') checkSizes(attribute, type, call, context)
  else if (type === 'int') checkInt(attribute, call, context)
  else if (type === 'float') checkFloat(attribute, call, context)
}

function checkSizes(attribute: Attribute, type: 'string' | 'data', call: Call, context: CheckContext): void {
  const names = type === 'string' ? ['maxLength', 'minLength'] : ['maxSize']
  const sizes = names.map((name) => integerArgument(call, name))
  let isSound = true
  for (const [index, size] of sizes.entries()) {
    const name = names[index] ?? ''
    if (size === undefined || (size >= 0n && size <= MAX_INTEGER)) continue
    isSound = false
    if (size < 0n) at('negative-size', call, name, `\`${name}\` is negative. It is 0 or more.`, context)
    else
      at(
        'bound-beyond-precision',
        call,
        name,
        `\`${name}\` is beyond 64 bits. Lower it, or leave it out.`,
        context,
      )
  }
  if (!isSound) return
  const [max, min] = sizes
  if (max !== undefined && min !== undefined && max < min) {
    reversed(call, 'maxLength', 'minLength', context)
    return
  }
  if (min !== undefined && min > 0n) checkZero(attribute, `\`""\` is shorter than ${min}`, context)
  checkReach(attribute, type, call, context)
}

/** A client cannot send a value that is larger than the largest body, however it is written. */
function checkReach(attribute: Attribute, type: 'string' | 'data', call: Call, context: CheckContext): void {
  if (attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')) return
  const around = `{"${attribute.name}":""}`.length
  for (const name of type === 'string' ? ['maxLength', 'minLength'] : ['maxSize']) {
    const size = integerArgument(call, name)
    if (size === undefined) continue
    // A character takes one byte at least.
    const least = type === 'string' ? Number(size) : base64Bytes(Number(size))
    if (least + around <= MAX_BODY_BYTES) continue
    at(
      'unreachable-bound',
      call,
      name,
      `No client can reach this bound: a request body holds at most 64 MiB. Lower it${type === 'data' ? ' (50M of data fits)' : ' (60M characters fit)'}.`,
      context,
    )
    return
  }
}

function checkInt(attribute: Attribute, call: Call, context: CheckContext): void {
  const given = integerArgument(call, 'precision')
  if (!checkPrecision(given, call, context)) return
  const precision = given ?? DEFAULT_INT_PRECISION
  const half = 2n ** (precision * 8n - 1n)
  const max = integerArgument(call, 'max')
  const min = integerArgument(call, 'min')
  let isHeld = true
  for (const [name, bound] of [
    ['max', max],
    ['min', min],
  ] as const) {
    if (bound === undefined || (bound >= -half && bound < half)) continue
    isHeld = false
    const needed = bytesFor(bound)
    const mend =
      needed === undefined ? 'No precision does.' : `Add \`precision: ${needed}\`, or change the bound.`
    at(
      'bound-beyond-precision',
      call,
      name,
      `An \`int\` of ${bytes(precision)} does not hold this bound: it holds ${-half} to ${half - 1n}. ${mend}`,
      context,
    )
  }
  if (!isHeld) return
  if (max !== undefined && min !== undefined && max < min) reversed(call, 'max', 'min', context)
  else if ((min !== undefined && min > 0n) || (max !== undefined && max < 0n))
    checkZero(attribute, '`0` is outside of its bounds', context)
}

function bytesFor(bound: bigint): bigint | undefined {
  for (let precision = MIN_PRECISION; precision <= MAX_PRECISION; precision++) {
    const half = 2n ** (precision * 8n - 1n)
    if (bound >= -half && bound < half) return precision
  }
  return undefined
}

function checkFloat(attribute: Attribute, call: Call, context: CheckContext): void {
  const given = integerArgument(call, 'precision')
  if (!checkPrecision(given, call, context)) return
  const precision = given ?? DEFAULT_FLOAT_PRECISION
  const round = (bound: number | undefined): number | undefined =>
    bound === undefined || precision > 4n ? bound : Math.fround(bound)
  const [max, min] = ['max', 'min'].map((name) => {
    const bound = floatArgument(call, name)
    const rounded = round(bound)
    if (bound === undefined || Number.isFinite(rounded)) return rounded
    if (Number.isFinite(bound))
      at(
        'bound-beyond-precision',
        call,
        name,
        `A \`float\` of ${bytes(precision)} does not hold this bound: it holds up to about 3.4e38. Raise \`precision\` to 8, or change the bound.`,
        context,
      )
    else
      at(
        'bound-not-finite',
        call,
        name,
        'No float is as large as this bound. Leave it out, or change it.',
        context,
      )
    return undefined
  })
  if (max !== undefined && min !== undefined && max < min) reversed(call, 'max', 'min', context)
  else if ((min !== undefined && min > 0) || (max !== undefined && max < 0))
    checkZero(attribute, '`0.0` is outside of its bounds', context)
}

/** Whether the precision can be worked with. */
function checkPrecision(precision: bigint | undefined, call: Call, context: CheckContext): boolean {
  if (precision === undefined || (precision >= MIN_PRECISION && precision <= MAX_PRECISION)) return true
  at(
    'precision-out-of-range',
    call,
    'precision',
    '`precision` is the number of bytes, 1 to 8. Change it.',
    context,
  )
  return false
}

function reversed(call: Call, upper: string, lower: string, context: CheckContext): void {
  const other = call.values.get(lower)
  at(
    'reversed-bounds',
    call,
    upper,
    `\`${upper}\` is below \`${lower}\`, so that no value fits. The upper bound comes first: swap them, or name them.`,
    context,
    other === undefined ? {} : { related: [{ ...spanOf(other), message: `\`${lower}\` is given here.` }] },
  )
}

/** An attribute that only hooks set is stored as its zero value until one does. */
export function checkZero(attribute: Attribute, reason: string, context: CheckContext): void {
  const annotation = attribute.annotations.find(({ name }) => name === 'server' || name === 'serverSet')
  if (annotation === undefined) return
  context.report(
    'zero-value-refused',
    nameSpan(attribute.type),
    `Nothing can be stored until a hook sets this attribute: ${reason}. Set it in a before-create hook, or widen the type.`,
    {
      related: [
        { ...nameSpan(annotation), message: `\`@${annotation.name}\` keeps clients from sending it.` },
      ],
    },
  )
}

/** Reports at the value of an argument. */
function at(
  code: Parameters<CheckContext['report']>[0],
  call: Call,
  parameter: string,
  message: string,
  context: CheckContext,
  extra: Parameters<CheckContext['report']>[3] = {},
): void {
  const value = call.values.get(parameter)
  if (value !== undefined) context.report(code, spanOf(value), message, extra)
}

function bytes(precision: bigint): string {
  return precision === 1n ? '1 byte' : `${precision} bytes`
}
