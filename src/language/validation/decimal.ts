import { DECIMAL_DIGITS } from '../../limits.ts'
import { counted } from '../../naming.ts'
import { type ArgumentBinding, decimalArgument, integerArgument } from '../argument-binding.ts'
import { DEFAULT_SCALE, MAX_SCALE } from '../builtins.ts'
import type { Attribute } from '../generated/ast.ts'
import type { Decimal } from '../numbers.ts'
import { reportArgument, checkZeroValue, reportReversedBounds } from './bound-reports.ts'
import type { ValidationContext } from './context.ts'

/** The scale of a `decimal` is in its range, and its bounds are in order and have no more digits than its values. */
export function checkDecimal(
  attribute: Attribute,
  binding: ArgumentBinding,
  context: ValidationContext,
): void {
  const scale = integerArgument(binding, 'scale') ?? DEFAULT_SCALE
  if (scale < 0n || scale > MAX_SCALE) {
    const help = 'it is the number of digits after the point'
    reportArgument(
      'scale-out-of-range',
      binding,
      'scale',
      `\`scale\` must be between 0 and ${MAX_SCALE}`,
      { help },
      context,
    )
    return
  }
  const [max, min] = ['max', 'min'].map((name) => {
    const bound = decimalArgument(binding, name)
    if (bound === undefined || fits(bound, scale)) return bound
    reportArgument(
      'bound-beyond-precision',
      binding,
      name,
      bound.scale > scale
        ? `\`${name}\` has more than ${scale} digits after the point`
        : `\`${name}\` has more than ${BigInt(DECIMAL_DIGITS) - scale} digits before the point`,
      {
        help:
          bound.scale > scale && bound.scale <= MAX_SCALE
            ? `use \`scale: ${bound.scale}\`, or round it`
            : `a \`decimal\` has at most ${DECIMAL_DIGITS} digits, ${scale} of them after the point`,
      },
      context,
    )
    return undefined
  })
  if (max !== undefined && min !== undefined && unitsOf(max, scale) < unitsOf(min, scale))
    reportReversedBounds(binding, 'max', 'min', context)
  else if ((min !== undefined && min.digits > 0n) || (max !== undefined && max.digits < 0n))
    checkZeroValue(attribute, '`0` is out of bounds', context)
}

/** What to use instead of a value that the arguments of a `decimal` do not allow; `undefined` if they do. */
export function decimalProblem(binding: ArgumentBinding, value: Decimal): string | undefined {
  const scale = integerArgument(binding, 'scale') ?? DEFAULT_SCALE
  // A scale that is out of range is reported as such.
  if (scale < 0n || scale > MAX_SCALE) return undefined
  if (!fits(value, scale)) return `use at most ${counted(Number(scale), 'digit')} after the point`
  const [max, min] = [decimalArgument(binding, 'max'), decimalArgument(binding, 'min')]
  const units = unitsOf(value, scale)
  const textOf = (name: string): string => {
    const given = binding.values.get(name)
    return given?.$type === 'NumberValue' ? given.text : ''
  }
  if (max !== undefined && fits(max, scale) && units > unitsOf(max, scale))
    return `use a number of at most ${textOf('max')}`
  return min !== undefined && fits(min, scale) && units < unitsOf(min, scale)
    ? `use a number of at least ${textOf('min')}`
    : undefined
}

function fits(bound: Decimal, scale: bigint): boolean {
  if (bound.scale > scale) return false
  const units = unitsOf(bound, scale)
  const limit = 10n ** BigInt(DECIMAL_DIGITS)
  return units > -limit && units < limit
}

/** A decimal number as a multiple of 10^-scale. */
function unitsOf({ digits, scale }: Decimal, wanted: bigint): bigint {
  return digits * 10n ** (wanted - BigInt(scale))
}
