import type { ArgumentBinding } from '../argument-binding.ts'
import { type Attribute, isEntity } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import type { ValidationContext } from './context.ts'

/** Reports an upper bound that is less than the lower one. */
export function reportReversedBounds(
  binding: ArgumentBinding,
  upper: string,
  lower: string,
  context: ValidationContext,
): void {
  const other = binding.values.get(lower)
  const { $container: argument } = binding.values.get(upper) ?? {}
  const isNamed = argument?.$type === 'Argument' && argument.name !== undefined
  reportArgument(
    'reversed-bounds',
    binding,
    upper,
    `\`${upper}\` is less than \`${lower}\``,
    {
      help: isNamed ? 'swap the two values' : `the positional order is ${upper}, ${lower}`,
      ...(other === undefined ? {} : { related: [{ ...spanOf(other), message: `\`${lower}\` given here` }] }),
    },
    context,
  )
}

/**
 * An attribute that only hooks set is stored with its zero value until one does: the type must allow it. That of an
 * optional attribute is `null`, and a default takes its place.
 */
export function checkZeroValue(attribute: Attribute, reason: string, context: ValidationContext): void {
  const annotation = attribute.annotations.find(({ name }) => name === 'server' || name === 'serverSet')
  if (!isEntity(attribute.$container)) return
  if (annotation === undefined || attribute.optional || attribute.default !== undefined) return
  context.report(
    'zero-value-invalid',
    nameSpan(attribute.type),
    'Creating entities fails until a hook sets this',
    {
      help: `${reason}; set a value in a \`beforeCreate\` hook, give it a default, or make it optional with \`?\``,
      related: [{ ...nameSpan(annotation), message: 'clients cannot send it' }],
    },
  )
}

/** Reports at the value of an argument. */
export function reportArgument(
  code: Parameters<ValidationContext['report']>[0],
  binding: ArgumentBinding,
  parameter: string,
  message: string,
  extra: Parameters<ValidationContext['report']>[3],
  context: ValidationContext,
): void {
  const value = binding.values.get(parameter)
  if (value !== undefined) context.report(code, spanOf(value), message, extra)
}
