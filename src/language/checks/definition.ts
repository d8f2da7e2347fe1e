import type { Definition } from '../generated/ast.ts'
import { nameSpan } from '../syntax/places.ts'
import type { Span } from '../syntax/tree.ts'
import type { CheckContext } from './context.ts'
import { isBeingWritten } from './head.ts'

/** Exactly one project block and at least one service block stand in a definition. */
export function checkBlocksPresent(definition: Definition, context: CheckContext): void {
  const { project, hasService, blocks } = context.facts
  // Text without any block is garbage, which was reported as such.
  if (context.hasSyntaxErrors && blocks.length === 0) return
  const start: Span = { start: 0, end: 0 }
  if (project === undefined && !mayBe('project', context))
    context.report(
      'missing-project',
      start,
      'There is no project block. Add one at the top: `MyProject: project {}`.',
    )
  if (!hasService && !mayBe('service', context))
    context.report(
      'missing-service',
      project === undefined ? start : nameSpan(project),
      'There is no service block. Add one, as `Item: service {}`.',
    )
  for (const second of definition.blocks.filter((block) => block.kind === 'project' && block !== project)) {
    context.report(
      'second-project',
      nameSpan(second),
      'There is a project block already. Move the metadata of this one there and remove it.',
      project === undefined
        ? {}
        : { related: [{ ...nameSpan(project), message: 'The first project block.' }] },
    )
  }
}

/** Whether a block of this kind may be meant by one with a misspelled kind, or is lost to a syntax error. */
function mayBe(kind: string, context: CheckContext): boolean {
  if (context.isLostWord(kind) || isBeingWritten(kind, context.definition, context)) return true
  return context.facts.blocks.some(
    (block) => context.nearest.among(block.kind, ['project', 'service']) === kind,
  )
}
