import { bindArguments } from '../language/argument-binding.ts'
import { metadataNamed } from '../language/builtins.ts'
import { documentationOf } from '../language/documentation.ts'
import { formerNameOf } from '../language/former-name.ts'
import { isAttribute, type Job as JobNode, type Service as ServiceNode } from '../language/generated/ast.ts'
import { parseStringLiteral } from '../language/string-literal.ts'
import { metadataOf } from '../language/validation/definition-index.ts'
import { namesOf } from '../naming.ts'
import type { Job } from './platform.ts'
import { resolveAttribute, type ServiceTargets } from './resolve-attribute.ts'

/** Resolves a `job` block of a checked definition. `service` contains it. */
export function resolveJob(job: JobNode, service: ServiceNode, targets: ServiceTargets): Job {
  const was = formerNameOf(job)
  return {
    names: namesOf(job.name),
    was: was === undefined ? undefined : namesOf(was),
    documentation: documentationOf(job),
    attributes: job.members
      .filter(isAttribute)
      .map((attribute) => resolveAttribute(attribute, service, targets)),
    schedule: scheduleOf(job),
  }
}

function scheduleOf(job: JobNode): string | undefined {
  const parameter = metadataNamed('schedule')?.parameter
  const given = metadataOf(job, 'schedule')
  if (parameter === undefined || given === undefined) return undefined
  const value = bindArguments(given.arguments, [parameter]).values.get(parameter.name)
  return value?.$type === 'TextValue' ? parseStringLiteral(value.literal) : undefined
}
