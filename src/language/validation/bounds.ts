import { base64Bytes, MAX_BODY_BYTES } from '../../limits.ts'
import { counted } from '../../naming.ts'
import {
  type ArgumentBinding,
  floatArgument,
  integerArgument,
  bindTypeArguments,
} from '../argument-binding.ts'
import type { Attribute } from '../generated/ast.ts'
import { MAX_INTEGER } from '../numbers.ts'
import {
  DEFAULT_FLOAT_PRECISION,
  DEFAULT_INT_PRECISION,
  MAX_PRECISION,
  MIN_PRECISION,
  type TypeName,
} from '../builtins.ts'
import { reportArgument, checkZeroValue, reportReversedBounds } from './bound-reports.ts'
import { checkDecimal } from './decimal.ts'
import type { ValidationContext } from './context.ts'

/** The bounds of a built-in type are valid, in the right order, and reachable. */
export function checkBounds(attribute: Attribute, type: TypeName, context: ValidationContext): void {
  const binding = bindTypeArguments(attribute.type)
  if (type === 'string' || type === 'data') checkSizes(attribute, type, binding, context)
  else if (type === 'int') checkInt(attribute, binding, context)
  else if (type === 'float') checkFloat(attribute, binding, context)
  else if (type === 'decimal') checkDecimal(attribute, binding, context)
}

function checkSizes(
  attribute: Attribute,
  type: 'string' | 'data',
  binding: ArgumentBinding,
  context: ValidationContext,
): void {
  const names = type === 'string' ? ['maxLength', 'minLength'] : ['maxSize']
  const sizes = names.map((name) => integerArgument(binding, name))
  let isSound = true
  for (const [index, size] of sizes.entries()) {
    const name = names[index] ?? ''
    if (size === undefined || (size >= 0n && size <= MAX_INTEGER)) continue
    isSound = false
    if (size < 0n)
      reportArgument('negative-size', binding, name, `\`${name}\` cannot be negative`, {}, context)
    else
      reportArgument(
        'bound-beyond-precision',
        binding,
        name,
        `\`${name}\` does not fit in 8 bytes`,
        { help: 'lower it or remove it' },
        context,
      )
  }
  if (!isSound) return
  const [max, min] = sizes
  if (max !== undefined && min !== undefined && max < min) {
    reportReversedBounds(binding, 'maxLength', 'minLength', context)
    return
  }
  if (min !== undefined && min > 0n) checkZeroValue(attribute, '`""` is too short', context)
  checkReach(attribute, type, binding, context)
}

/** Reports bounds that no client can reach, because every encoding exceeds the largest request body. */
function checkReach(
  attribute: Attribute,
  type: 'string' | 'data',
  binding: ArgumentBinding,
  context: ValidationContext,
): void {
  if (attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')) return
  const around = `{"${attribute.name}":""}`.length
  for (const name of type === 'string' ? ['maxLength', 'minLength'] : ['maxSize']) {
    const size = integerArgument(binding, name)
    if (size === undefined) continue
    // A character takes at least one byte.
    const least = type === 'string' ? Number(size) : base64Bytes(Number(size))
    if (least + around <= MAX_BODY_BYTES) continue
    reportArgument(
      'unreachable-bound',
      binding,
      name,
      `\`${name}\` is larger than a request body, which is limited to 64 MiB`,
      { help: type === 'data' ? 'use at most `50M`' : 'use at most `60M`' },
      context,
    )
    return
  }
}

function checkInt(attribute: Attribute, binding: ArgumentBinding, context: ValidationContext): void {
  const given = integerArgument(binding, 'precision')
  if (!checkPrecision(given, binding, context)) return
  const precision = given ?? DEFAULT_INT_PRECISION
  const half = 2n ** (precision * 8n - 1n)
  const max = integerArgument(binding, 'max')
  const min = integerArgument(binding, 'min')
  let isHeld = true
  for (const [name, bound] of [
    ['max', max],
    ['min', min],
  ] as const) {
    if (bound === undefined || (bound >= -half && bound < half)) continue
    isHeld = false
    const needed = bytesFor(bound)
    const range = `a value from ${-half} to ${half - 1n}`
    reportArgument(
      'bound-beyond-precision',
      binding,
      name,
      `\`${name}\` does not fit in ${counted(Number(precision), 'byte')}`,
      { help: needed === undefined ? `use ${range}` : `use \`precision: ${needed}\`, or ${range}` },
      context,
    )
  }
  if (!isHeld) return
  if (max !== undefined && min !== undefined && max < min)
    reportReversedBounds(binding, 'max', 'min', context)
  else if ((min !== undefined && min > 0n) || (max !== undefined && max < 0n))
    checkZeroValue(attribute, '`0` is out of bounds', context)
}

function bytesFor(bound: bigint): bigint | undefined {
  for (let precision = MIN_PRECISION; precision <= MAX_PRECISION; precision++) {
    const half = 2n ** (precision * 8n - 1n)
    if (bound >= -half && bound < half) return precision
  }
  return undefined
}

function checkFloat(attribute: Attribute, binding: ArgumentBinding, context: ValidationContext): void {
  const given = integerArgument(binding, 'precision')
  if (!checkPrecision(given, binding, context)) return
  const precision = given ?? DEFAULT_FLOAT_PRECISION
  const round = (bound: number | undefined): number | undefined =>
    bound === undefined || precision > 4n ? bound : Math.fround(bound)
  const [max, min] = ['max', 'min'].map((name) => {
    const bound = floatArgument(binding, name)
    const rounded = round(bound)
    if (bound === undefined || Number.isFinite(rounded)) return rounded
    if (Number.isFinite(bound))
      reportArgument(
        'bound-beyond-precision',
        binding,
        name,
        `\`${name}\` does not fit in ${counted(Number(precision), 'byte')}`,
        { help: 'use `precision: 8`, or a value up to about 3.4e38' },
        context,
      )
    else
      reportArgument(
        'bound-not-finite',
        binding,
        name,
        `\`${name}\` is out of range for a \`float\``,
        { help: 'the largest `float` is about 1.8e308; lower the bound or remove it' },
        context,
      )
    return undefined
  })
  if (max !== undefined && min !== undefined && max < min)
    reportReversedBounds(binding, 'max', 'min', context)
  else if ((min !== undefined && min > 0) || (max !== undefined && max < 0))
    checkZeroValue(attribute, '`0.0` is out of bounds', context)
}

/** Reports a precision out of range; returns whether it is in range. */
function checkPrecision(
  precision: bigint | undefined,
  binding: ArgumentBinding,
  context: ValidationContext,
): boolean {
  if (precision === undefined || (precision >= MIN_PRECISION && precision <= MAX_PRECISION)) return true
  reportArgument(
    'precision-out-of-range',
    binding,
    'precision',
    `\`precision\` must be between ${MIN_PRECISION} and ${MAX_PRECISION}`,
    { help: 'it is the size of a stored value in bytes' },
    context,
  )
  return false
}
