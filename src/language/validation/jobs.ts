import { bindArguments } from '../argument-binding.ts'
import { annotationNamed, metadataNamed } from '../builtins.ts'
import { scheduleProblem } from '../cron.ts'
import type { Attribute, Metadata } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { parseStringLiteral } from '../string-literal.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { ValidationContext } from './context.ts'
import { metadataOf } from './definition-index.ts'

/** The attributes of a job are its payload, which a scheduled one does not have. */
export function checkJobAttribute(attribute: Attribute, context: ValidationContext): void {
  const job = attribute.$container
  if (job.$type !== 'Job' || hasParseError(attribute)) return
  for (const annotation of attribute.annotations)
    if (annotationNamed(annotation.name) !== undefined)
      context.report(
        'misplaced-annotation',
        nameSpan(annotation),
        `\`@${annotation.name}\` is not allowed in a job`,
        { help: 'remove it: the attributes of a job are its payload' },
      )
  const schedule = metadataOf(job, 'schedule')
  if (schedule !== undefined)
    context.report('scheduled-payload', nameSpan(attribute), 'A job with a schedule has no attributes', {
      help: 'remove the attribute, or `#schedule`',
      related: [{ ...nameSpan(schedule), message: 'nobody adds the job, so nobody gives it a payload' }],
    })
}

/** The schedule of a job is a cron expression that some time matches. */
export function checkSchedule(metadata: Metadata, context: ValidationContext): void {
  if (metadata.name !== 'schedule' || metadata.$container.$type !== 'Job' || hasParseError(metadata)) return
  const parameter = metadataNamed(metadata.name)?.parameter
  if (parameter === undefined) return
  const value = bindArguments(metadata.arguments, [parameter]).values.get(parameter.name)
  const text = value?.$type === 'TextValue' ? parseStringLiteral(value.literal) : undefined
  const problem = text === undefined ? undefined : scheduleProblem(text)
  if (value !== undefined && problem !== undefined)
    context.report('invalid-schedule', spanOf(value), 'Invalid schedule', { help: problem })
}
